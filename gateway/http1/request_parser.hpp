// A request: its head, then its body. Pure.
#pragma once
#include "gateway/http1/message_parser.hpp"

#include <string>

namespace recruiting::gateway {

class request_parser final : public message_parser<true> {
public:
    explicit request_parser(head_limits const& limits = {}, chunk_limits const& chunks = {})
        : message_parser(limits, chunks) {}
    /// Once. out gets views into head, which has its empty line (head_gate).
    [[nodiscard]] std::optional<head_fault> parse_head(std::string_view head, request_head& out);

private:
    void on_request_impl(verb, text method, text target, int version, error_code& error) override;
    void on_response_impl(int, text, int, error_code&) override {}
    [[nodiscard]] body_fault check_trailers(std::string_view section) const override;

    request_head* out_{nullptr};
};

inline std::optional<head_fault> request_parser::parse_head(std::string_view head, request_head& out) {
    out_ = &out;
    out.clear();
    auto const fault = message_parser::parse_head(head, out.fields, {}, 0);
    if (!fault) out.body = framing_of_head();
    return fault;
}

inline void request_parser::on_request_impl(verb, text method, text target, int version, error_code& error) {
    refuse(check_request_line(method, target, limits_), error);
    if (error) return;
    out_->method = method;
    out_->target = target;
    out_->minor_version = minor_version_ = version - 10;
}

/// Trailers are fields, but not of their message's framing: they are read behind a request line that was never sent,
/// and what they say is dropped.
[[nodiscard]] inline body_fault read_trailers(std::string_view section, chunk_limits const& limits) {
    constexpr std::string_view start = "GET / HTTP/1.1\r\n";
    if (section.size() > limits.trailers + 2) return body_fault::trailers_too_large;
    auto const text = std::string(start).append(section);
    request_head fields;
    request_parser parser({text.size(), start.size(), text.size(), limits.trailer_fields});
    auto const fault = parser.parse_head(text, fields);
    if (fault == head_fault::too_large) return body_fault::trailers_too_large;
    return fault ? body_fault::malformed : body_fault::none;
}

inline body_fault request_parser::check_trailers(std::string_view section) const {
    return read_trailers(section, limits());
}

} // namespace recruiting::gateway
