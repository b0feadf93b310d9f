// Heads as they are sent on: a request's to the service, an answer's to the client. Fields are passed on as
// received except those the gateway removes, and those it makes itself. Pure.
#pragma once
#include "gateway/client_request.hpp"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <string>

namespace recruiting::gateway {

/// A number in decimal digits, as append_all takes it.
class decimal {
public:
    explicit decimal(std::integral auto value) noexcept
        : size_(static_cast<std::size_t>(std::to_chars(digits_, digits_ + sizeof digits_, value).ptr - digits_)) {}
    operator std::string_view() const noexcept { return {digits_, size_}; }

private:
    char digits_[24];
    std::size_t size_;
};

/// Appends texts in one step: out grows once, and literals are copied without a call.
template <std::convertible_to<std::string_view>... Texts>
void append_all(std::string& out, Texts const&... texts) {
    auto const before = out.size();
    out.resize(before + (std::string_view(texts).size() + ...));
    auto* to = out.data() + before;
    auto const add = [&to](std::string_view text) { to = std::copy(text.begin(), text.end(), to); };
    (add(texts), ...);
}

/// Left out (RFC 9110 section 7.6): hop-by-hop fields, what Connection names, every X-Forwarded-*, Forwarded,
/// X-Real-IP, X-Client-IP and the like, and towards the public API also Authorization and Cookie.
/// Added: the client's fields, the trace, and Via (section 7.6.3). to: the service's address, for HTTP/1.0 clients that
/// send no Host.
void append_request_head(std::string& out, client_request const& request, std::string_view to);

/// How the body goes to the client: as it came, or in chunks when its length is not known (to HTTP/1.0: until close).
struct downstream_body {
    bool chunked{false};
    bool until_close{false};
};
[[nodiscard]] downstream_body choose_downstream(client_request const& request, framing const& answer_body) noexcept;
/// request.keep_alive decides the Connection field.
void append_response_head(std::string& out, http::response_head const& answer, downstream_body body,
                          client_request const& request);

/// RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers) for a counted request; both are lists, so a
/// service's own stay beside them. Strict-Transport-Security, X-Content-Type-Options, X-Request-Id, Connection.
void append_gateway_fields(std::string& out, client_request const& request);

} // namespace recruiting::gateway
