#include "gateway/http1/request_parser.hpp"

namespace recruiting::gateway {

std::optional<head_fault> request_parser::parse_head(std::string_view head, request_head& out) {
    out_ = &out;
    out.clear();
    auto const fault = message_parser::parse_head(head, out.fields, {}, 0);
    if (!fault) out.body = framing_of_head();
    return fault;
}

void request_parser::on_request_impl(verb, text method, text target, int version, error_code& error) {
    refuse(check_request_line(method, target, limits_), error);
    if (error) return;
    out_->method = method;
    out_->target = target;
    out_->minor_version = minor_version_ = version - 10;
}

} // namespace recruiting::gateway
