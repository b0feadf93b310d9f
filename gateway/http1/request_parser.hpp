// A request: its head, then its body. Pure.
#pragma once
#include "gateway/http1/message_parser.hpp"

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

    request_head* out_{nullptr};
};

} // namespace recruiting::gateway
