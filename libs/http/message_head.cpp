#include "http/message_head.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace recruiting::http {
namespace {

namespace beast_http = boost::beast::http;

// The fields that have no name in Beast.
constexpr std::array own_names = {
    std::pair{std::string_view("x-real-ip"), field_id::x_real_ip},
    std::pair{std::string_view("tracestate"), field_id::tracestate},
    std::pair{std::string_view("traceparent"), field_id::traceparent},
    std::pair{std::string_view("x-client-ip"), field_id::x_claimed},
    std::pair{std::string_view("x-request-id"), field_id::x_request_id},
    std::pair{std::string_view("x-rewrite-url"), field_id::x_claimed},
    std::pair{std::string_view("true-client-ip"), field_id::x_claimed},
    std::pair{std::string_view("x-original-url"), field_id::x_claimed},
    std::pair{std::string_view("x-originating-ip"), field_id::x_claimed},
    std::pair{std::string_view("cf-connecting-ip"), field_id::x_claimed},
    std::pair{std::string_view("idempotency-key"), field_id::idempotency_key},
    std::pair{std::string_view("x-forwarded-for"), field_id::x_forwarded_for},
    std::pair{std::string_view("x-forwarded-proto"), field_id::x_forwarded_proto},
    std::pair{std::string_view("service-organization"), field_id::service_organization},
    std::pair{std::string_view("x-content-type-options"), field_id::x_content_type_options},
};
constexpr std::string_view any_forwarded = "x-forwarded-";

field_id identify_own(std::string_view name) noexcept {
    for (auto const& [own, id] : own_names)
        if (own.size() == name.size() && iequals(own, name)) return id;
    bool const forwarded =
        name.size() > any_forwarded.size() && iequals(name.substr(0, any_forwarded.size()), any_forwarded);
    return forwarded ? field_id::x_forwarded_other : field_id::other;
}

} // namespace

std::string_view head_fields::value(field_id id) const noexcept {
    if (!has(id)) return {};
    auto const found = std::find_if(list.begin(), list.end(), [id](field const& f) { return f.id == id; });
    return found == list.end() ? std::string_view() : found->value;
}

void head_fields::add(field const& one) {
    list.push_back(one);
    repeated |= present & field_set(one.id);
    present |= field_set(one.id);
}

void head_fields::clear() noexcept {
    list.clear();
    present = repeated = 0;
}

void request_head::clear() noexcept {
    method = target = {};
    minor_version = 1;
    body = {};
    fields.clear();
}

field_id identify(beast_http::field known, std::string_view name) noexcept {
    switch (known) {
    case beast_http::field::unknown: return identify_own(name);
    case beast_http::field::accept: return field_id::accept;
    case beast_http::field::access_control_request_method: return field_id::access_control_request_method;
    case beast_http::field::authorization: return field_id::authorization;
    case beast_http::field::connection: return field_id::connection;
    case beast_http::field::content_length: return field_id::content_length;
    case beast_http::field::content_type: return field_id::content_type;
    case beast_http::field::cookie: return field_id::cookie;
    case beast_http::field::date: return field_id::date;
    case beast_http::field::expect: return field_id::expect;
    case beast_http::field::forwarded: return field_id::forwarded;
    case beast_http::field::host: return field_id::host;
    case beast_http::field::http2_settings: return field_id::http2_settings;
    case beast_http::field::keep_alive: return field_id::keep_alive;
    case beast_http::field::origin: return field_id::origin;
    case beast_http::field::proxy_authenticate: return field_id::proxy_authenticate;
    case beast_http::field::proxy_authorization: return field_id::proxy_authorization;
    case beast_http::field::proxy_connection: return field_id::proxy_connection;
    case beast_http::field::strict_transport_security: return field_id::strict_transport_security;
    case beast_http::field::te: return field_id::te;
    case beast_http::field::trailer: return field_id::trailer;
    case beast_http::field::transfer_encoding: return field_id::transfer_encoding;
    case beast_http::field::upgrade: return field_id::upgrade;
    case beast_http::field::user_agent: return field_id::user_agent;
    default: return field_id::other;
    }
}

field_id identify(std::string_view name) noexcept { return identify(beast_http::string_to_field(name), name); }

} // namespace recruiting::http
