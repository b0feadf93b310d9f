// An answer of a service: its head, then its body. Pure.
#pragma once
#include "gateway/http1/request_parser.hpp"

#include <algorithm>
#include <array>

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
    [[nodiscard]] body_fault check_trailers(std::string_view section) const override {
        return read_trailers(section, limits());
    }

    response_head* out_{nullptr};
};

// "HTTP/1.1 200": some servers that give no reason leave out the blank before it too, which Beast wants to see.
inline std::optional<head_fault> response_parser::parse_head(std::string_view head, response_head& out) {
    constexpr std::size_t line_size = 12;
    out_ = &out;
    std::array<char, line_size + 3> start{};
    bool const without_blank = head.substr(0, line_size + 2).ends_with("\r\n") && head.size() > line_size + 2;
    std::copy_n(head.begin(), without_blank ? line_size : 0, start.begin());
    std::copy_n(" \r\n", 3, start.begin() + line_size);
    std::string_view const line(start.data(), without_blank ? start.size() : 0);
    auto const fault = message_parser::parse_head(head, out.fields, line, without_blank ? line_size + 2 : 0);
    if (fault) return head_fault::malformed;
    out.body = framing_of_head();
    return std::nullopt;
}

inline void response_parser::on_response_impl(int status, text reason, int version, error_code& error) {
    refuse(check_status(static_cast<unsigned>(status)), error);
    out_->status = static_cast<unsigned>(status);
    out_->reason = reason.empty() ? std::string_view() : std::string_view(reason);
    out_->minor_version = minor_version_ = version - 10;
}

} // namespace recruiting::gateway
