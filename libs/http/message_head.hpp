// The head of a request or an answer as Beast's parser reports it: views into the bytes as received. No I/O.
#pragma once
#include <boost/beast/http/field.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

namespace recruiting::http {

/// The fields that are acted on. Their order is that of the bits in head_fields.
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
    x_forwarded_for,
    x_forwarded_other, // X-Forwarded-Host, -Port and others that begin so
    x_forwarded_proto,
    x_real_ip,
    x_request_id,
};

/// A set of fields as bits.
template <class... Ids>
[[nodiscard]] constexpr std::uint64_t field_set(Ids... ids) noexcept {
    return ((std::uint64_t{1} << static_cast<unsigned>(ids)) | ...);
}
[[nodiscard]] constexpr bool is_in(field_id id, std::uint64_t set) noexcept { return (field_set(id) & set) != 0; }

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

    [[nodiscard]] bool has(field_id id) const noexcept { return is_in(id, present); }
    [[nodiscard]] bool has_one(field_id id) const noexcept { return is_in(id, present & ~repeated); }
    /// The first of them, or "".
    [[nodiscard]] std::string_view value(field_id id) const noexcept;
    void add(field const& one);
    void clear() noexcept;
};

/// How long a body is (RFC 9112 section 6), decided from the head.
struct framing {
    enum class kind { none, length, chunked, until_close };
    kind type{kind::none};
    std::uint64_t length{0};
    bool operator==(framing const&) const = default;
};

struct request_head {
    std::string_view method;
    std::string_view target;
    int minor_version{1}; // HTTP/1.0 or 1.1
    framing body;
    head_fields fields;
    void clear() noexcept;
};

struct response_head {
    unsigned status{0};
    std::string_view reason;
    int minor_version{1};
    framing body;
    head_fields fields;
};

/// known: Beast's name for it. Those Beast does not know are recognised by their text, in any case.
[[nodiscard]] field_id identify(boost::beast::http::field known, std::string_view name) noexcept;
[[nodiscard]] field_id identify(std::string_view name) noexcept;
/// RFC 9110 section 7.6.1.
inline constexpr auto hop_by_hop_fields =
    field_set(field_id::connection, field_id::http2_settings, field_id::keep_alive, field_id::proxy_authenticate,
              field_id::proxy_authorization, field_id::proxy_connection, field_id::te, field_id::trailer,
              field_id::transfer_encoding, field_id::upgrade);

} // namespace recruiting::http
