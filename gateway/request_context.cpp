#include "gateway/request_context.hpp"

#include "core/ids.hpp"
#include "core/text.hpp"
#include "http/message.hpp"
#include "http/message_parser.hpp"

namespace recruiting::gateway {
namespace {

refusal refuse(error_code code, bool close = false) { return {make_error(code), close}; }

refusal malformed(std::string_view field, std::string_view reason, std::string_view message) {
    auto const location = field == "path" || field.empty() ? "path" : "header";
    return {invalid_request({{location, std::string(field), std::string(reason), std::string(message)}}), true};
}

void give_id(request_context& x) {
    auto const& fields = x.head.fields;
    auto const id = fields.value(field_id::x_request_id);
    if (fields.has_one(field_id::x_request_id) && is_request_id(id)) x.request_id = id;
    else append_request_id(x.request_id);
}

// RFC 9112 section 3.2: a Host, and it agrees with the absolute form.
std::optional<refusal> read_host(request_context& x) {
    auto const& fields = x.head.fields;
    x.host = fields.value(field_id::host);
    if (!fields.has(field_id::host) && x.head.minor_version == 0) x.host = x.where.authority;
    else if (!is_authority(x.host)) return malformed("Host", "invalid", "Send exactly one valid Host field.");
    if (!x.where.authority.empty() && !iequals(x.where.authority, x.host))
        return malformed("Host", "invalid", "The Host field and the request target name different hosts.");
    return std::nullopt;
}

// Of two values one parser takes the first and another the last.
std::optional<refusal> read_singles(request_context const& x) {
    auto const* const repeated = repeated_single(x.head.fields);
    if (repeated == nullptr) return std::nullopt;
    return malformed(repeated->name, "repeated", "Send this field only once.");
}

std::optional<refusal> read_expectation(request_context& x) {
    if (!x.head.fields.has(field_id::expect)) return std::nullopt;
    if (!iequals(x.head.fields.value(field_id::expect), "100-continue"))
        return refuse(error_code::expectation_failed, true);
    x.expects_continue = x.head.minor_version == 1 && x.body.type != framing::kind::none;
    return std::nullopt;
}

// An offer of h2c is declined by not taking it up (RFC 9110 section 7.8); any other upgrade is what the client came
// for.
std::optional<refusal> read_upgrade(request_context const& x) {
    if (!x.head.fields.has(field_id::upgrade)) return std::nullopt;
    if (x.head.fields.has_one(field_id::upgrade) && iequals(x.head.fields.value(field_id::upgrade), "h2c"))
        return std::nullopt;
    return malformed("Upgrade", "not_allowed", "The connection can't be upgraded.");
}

std::optional<refusal> read_body_fields(request_context& x) {
    x.body = x.head.body;
    auto const options = read_connection(x.head.fields);
    if (options.refused)
        return malformed("Connection", "invalid", "The Connection field names a field that the request needs.");
    x.keep_alive = !options.close && (x.head.minor_version == 1 || options.keep_alive);
    return std::nullopt;
}

std::optional<refusal> read_target(request_context& x, route_table const& routes) {
    if (x.head.method == "CONNECT") {
        auto refused = refuse(error_code::method_not_allowed, true);
        refused.error.allow = allowed_methods;
        return refused;
    }
    switch (parse_target(x.head.target, x.where)) {
    case target_fault::none: break;
    case target_fault::malformed: return malformed("path", "invalid", "The request target is not valid.");
    case target_fault::unsafe_path: return malformed("path", "invalid", "The path can't be normalized safely.");
    }
    if (x.where.type == target::form::asterisk && x.head.method != "OPTIONS")
        return malformed("path", "invalid", "The request target is not valid.");
    x.to = find_route(x.where.path, routes);
    x.cors = x.to != nullptr && x.to->open_to_browsers;
    return std::nullopt;
}

std::optional<refusal> read_parts(request_context& x, route_table const& routes) {
    if (auto refused = read_target(x, routes)) return refused;
    if (auto refused = read_singles(x)) return refused;
    if (auto refused = read_host(x)) return refused;
    if (auto refused = read_body_fields(x)) return refused;
    if (auto refused = read_expectation(x)) return refused;
    return read_upgrade(x);
}

} // namespace

bool looks_public(std::string_view received, route_table const& routes) noexcept {
    auto const blank = received.substr(0, 40).find(' ');
    if (blank == std::string_view::npos) return false;
    auto const target = received.substr(blank + 1);
    auto const* const to = find_route(target.substr(0, target.find_first_of("? \r\n")), routes);
    return to != nullptr && to->open_to_browsers;
}

void request_context::reset() {
    head.clear();
    host = {};
    where.path = where.query = where.authority = {};
    body = {};
    keep_alive = expects_continue = https = truncated = refused = cors = false;
    hsts = {};
    request_id.clear();
    caller.reset();
    trace = call = {};
    to = nullptr;
    count.reset();
    status = 0;
    received = sent = 0;
}

refusal refuse_head(head_fault fault) {
    switch (fault) {
    case head_fault::target_too_long: return refuse(error_code::uri_too_long, true);
    case head_fault::too_large: return refuse(error_code::headers_too_large, true);
    case head_fault::version: return refuse(error_code::version_not_supported, true);
    case head_fault::unknown_coding:
    case head_fault::method: return refuse(error_code::not_implemented, true);
    case head_fault::unclear_length:
        return malformed("Content-Length", "invalid", "The length of the body is ambiguous.");
    case head_fault::malformed: break;
    }
    auto refused = refuse(error_code::invalid_request, true);
    refused.error.message = "The request is not valid HTTP/1.1.";
    return refused;
}

std::optional<refusal> read_request(request_context& x, route_table const& routes) {
    if (auto const fault = request_parser().parse_head(x.head_text, x.head)) {
        x.cors = looks_public(x.head_text, routes);
        give_id(x);
        return refuse_head(*fault);
    }
    give_id(x);
    auto refused = read_parts(x, routes);
    if (refused && x.to == nullptr) x.cors = looks_public(x.head_text, routes);
    return refused;
}

void find_client(request_context& x, ip_address const& peer, std::vector<ip_network> const& trusted) {
    x.client = peer;
    if (!any_contains(trusted, peer)) return;
    std::vector<std::string_view> chain;
    for (auto const& one : x.head.fields.list)
        if (one.id == field_id::x_forwarded_for) chain.push_back(one.value);
    x.client = http::client_address(peer, chain, trusted);
    if (x.head.fields.has(field_id::x_forwarded_proto))
        x.https = iequals(x.head.fields.value(field_id::x_forwarded_proto), "https");
}

void enter_trace(request_context& x, ip_address const& peer, std::vector<ip_network> const& trusted,
                 tracing::tracer const& by) {
    auto const& fields = x.head.fields;
    if (fields.has_one(field_id::traceparent) && any_contains(trusted, peer))
        x.caller = tracing::parse_traceparent(fields.value(field_id::traceparent));
    x.trace = x.call = by.enter(x.caller);
}

} // namespace recruiting::gateway
