// The head of a request or an answer, parsed once and strictly (RFC 9112), kept as views into the bytes as received.
// Whatever two parsers could read differently is malformed. Pure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace recruiting::gateway {

/// The fields the edge acts on. Their order is that of the bits in head_fields.
enum class field_id : std::uint8_t {
    other,
    accept,
    access_control_request_method,
    authorization,
    connection,
    content_length,
    content_type,
    cookie,
    date,
    expect,
    forwarded,
    host,
    http2_settings,
    idempotency_key,
    keep_alive,
    max_forwards,
    origin,
    proxy_authenticate,
    proxy_authorization,
    proxy_connection,
    service_organization,
    strict_transport_security,
    te,
    traceparent,
    tracestate,
    trailer,
    transfer_encoding,
    upgrade,
    user_agent,
    x_claimed, // X-Client-IP, X-Original-URL and the like: what other proxies say of the client's address, or of the
               // URL
    x_content_type_options,
    x_exposed_credential,
    x_forwarded_for,
    x_forwarded_other, // X-Forwarded-Host, -Port, -Proto and whatever else begins so
    x_forwarded_proto,
    x_real_ip,
    x_request_id,
};

struct field {
    std::string_view line; // with its CRLF
    std::string_view name;
    std::string_view value; // without the white space around it
    field_id id{field_id::other};
    bool dropped{false}; // named by Connection
};

struct head_fields {
    std::vector<field> list;
    std::uint64_t present{0};
    std::uint64_t repeated{0}; // there more than once

    [[nodiscard]] bool has(field_id id) const noexcept { return (present >> static_cast<unsigned>(id) & 1U) != 0; }
    [[nodiscard]] bool has_one(field_id id) const noexcept {
        return ((present & ~repeated) >> static_cast<unsigned>(id) & 1U) != 0;
    }
    /// The first field that is there twice but has place for one value only; nullptr: none.
    [[nodiscard]] field const* repeated_single() const noexcept;
    /// The first of them, or "".
    [[nodiscard]] std::string_view value(field_id id) const noexcept;
    void clear() noexcept;
};

struct request_head {
    std::string_view line; // with its CRLF
    std::string_view method;
    std::string_view target;
    int minor_version{1}; // HTTP/1.0 or 1.1
    head_fields fields;
};

struct response_head {
    unsigned status{0};
    std::string_view reason;
    int minor_version{1};
    head_fields fields;
};

enum class head_fault { malformed, version, method, target_too_long, too_large };

struct head_limits {
    std::size_t head{32 * 1024}; // bytes, with the empty line
    std::size_t target{8 * 1024};
    std::size_t line{16 * 1024}; // bytes of a field line
    std::size_t fields{100};
};

/// Looks for the end of a head in bytes that arrive bit by bit; remembers how far it looked.
class head_finder {
public:
    struct found {
        std::size_t size{0}; // of the whole head, 0: not all there yet
        std::optional<head_fault> fault;
    };
    /// data: everything from the head's first byte on. Bare line feeds, bytes that can't begin a head and heads beyond
    /// the limits are told as soon as they are seen.
    [[nodiscard]] found look(std::string_view data, head_limits const& limits) noexcept;
    void reset() noexcept { seen_ = 0; }

private:
    std::size_t seen_{0};
};

/// head: with its empty line, as found above.
[[nodiscard]] std::optional<head_fault> parse_request_head(std::string_view head, head_limits const& limits,
                                                           request_head& out);
[[nodiscard]] std::optional<head_fault> parse_response_head(std::string_view head, head_limits const& limits,
                                                            response_head& out);

[[nodiscard]] bool is_token(std::string_view text) noexcept;           // RFC 9110 section 5.6.2
[[nodiscard]] field_id identify(std::string_view field_name) noexcept; // a token, in any case
[[nodiscard]] bool is_hop_by_hop(field_id id) noexcept;                // RFC 9110 section 7.6.1

} // namespace recruiting::gateway
