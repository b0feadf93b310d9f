// What a handler sees of HTTP: a request as views into the connection's buffer, a response as values and its head as it
// is sent; and the client's address behind proxies, for the gateway too. No Asio here, so that handlers compile in a
// second.
#pragma once
#include "core/error.hpp"
#include "core/ip.hpp"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recruiting::http {

struct request {
    std::string_view method;
    std::string_view target; // as received
    std::string_view path;   // before '?', still percent-encoded
    std::string_view query;  // after '?', still percent-encoded
    std::vector<std::pair<std::string_view, std::string_view>> headers;
    std::string_view body;
    std::string_view peer; // the socket's peer address

    /// The first field of that name (any case), or "".
    [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
    [[nodiscard]] int header_count(std::string_view name) const noexcept;
};

class body_source; // http/handler.hpp: an answer that is streamed

struct response {
    unsigned status{200};
    std::string_view content_type{"application/json"};             // a literal, or none
    std::vector<std::pair<std::string_view, std::string>> headers; // names are literals
    std::string body;
    std::shared_ptr<std::string const> shared_body; // when set, sent instead of body: many answers hold the same text
    std::shared_ptr<body_source> stream;            // when set, sent chunked instead of either
    bool close{false};

    [[nodiscard]] std::string_view content() const noexcept { return shared_body ? *shared_body : body; }
    void clear_content() noexcept {
        body.clear();
        shared_body.reset();
        stream.reset();
    }
    void add(std::string_view literal_name, std::string value) {
        constexpr std::size_t usual_fields = 6;
        if (headers.empty()) headers.reserve(usual_fields);
        headers.emplace_back(literal_name, std::move(value));
    }
};

/// Does the Accept field (RFC 9110 section 12.5.1) name this media type with a quality above zero? Wildcards do not
/// count: they mean "whatever you prefer".
[[nodiscard]] bool accepts(std::string_view accept, std::string_view media_type) noexcept;
/// Of the types offered, the one Accept gives the highest quality; among equals the earlier, and the first when none is
/// acceptable or nothing was said.
[[nodiscard]] std::string_view preferred_type(std::string_view accept,
                                              std::initializer_list<std::string_view> offered) noexcept;

/// Does Accept-Encoding (RFC 9110 section 12.5.3) ask for gzip, and for nothing but gzip at least as much?
[[nodiscard]] bool prefers_gzip(std::string_view accept_encoding) noexcept;

/// What keeps a request's body from being read, by its content type and size: unsupported_media_type or
/// payload_too_large; nothing: the body may be read. longest is in bytes; without it the server's own limit is the only
/// one.
[[nodiscard]] std::optional<api_error> refuse_body(request const& req, std::string_view media_type,
                                                   std::int64_t longest = std::numeric_limits<std::int64_t>::max());

/// The socket's peer; when that is a trusted proxy, the last address of X-Forwarded-For that is not one. What does not
/// read as an address ends the walk: an attacker can put anything left of the first proxy's own entry.
/// forwarded_for: the values of the fields, in the order of the request.
[[nodiscard]] ip_address client_address(ip_address const& peer, std::span<std::string_view const> forwarded_for,
                                        std::vector<ip_network> const& trusted_proxies);
/// nullopt: the peer is not known.
[[nodiscard]] std::optional<ip_address> client_address(request const& req,
                                                       std::vector<ip_network> const& trusted_proxies);

/// "Not Found"
[[nodiscard]] std::string_view reason_of(unsigned status) noexcept;

struct connection_state {
    bool keep_alive{true};
    bool http_1_0{false}; // of the request: a streamed body then ends with the connection, without chunks
};

/// "Date: Sat, 21 Nov 2026 01:05:45 GMT\r\n" (RFC 9110 section 5.6.7), made once a second.
[[nodiscard]] std::string_view date_line();

/// Appends the status line and all fields, up to and with the empty line.
void append_head(std::string& out, response const& answer, connection_state connection);

} // namespace recruiting::http
