// An answer of a service: its head, then its body. Pure.
#pragma once
#include "gateway/http1/message_parser.hpp"

namespace recruiting::gateway {

class response_parser final : public message_parser<false> {
public:
    /// to_head: it answers a HEAD request, and has no body whatever it says.
    explicit response_parser(bool to_head, head_limits const& limits = {}) : message_parser(limits, {}) {
        skip(to_head);
    }
    /// Once. out gets views into head, which has its empty line (head_gate).
    [[nodiscard]] std::optional<head_fault> parse_head(std::string_view head, response_head& out);

private:
    void on_request_impl(verb, text, text, int, error_code&) override {}
    void on_response_impl(int status, text reason, int version, error_code& error) override;

    response_head* out_{nullptr};
};

} // namespace recruiting::gateway
