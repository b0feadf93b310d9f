#include "gateway/client_request.hpp"

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

void give_id(client_request& request) {
    auto const& fields = request.head.fields;
    auto const id = fields.value(field_id::x_request_id);
    if (fields.has_one(field_id::x_request_id) && is_request_id(id)) request.request_id = id;
    else append_request_id(request.request_id);
}

// RFC 9112 section 3.2: a Host, and it agrees with the absolute form.
std::optional<refusal> read_host(client_request& request) {
    auto const& fields = request.head.fields;
    request.host = fields.value(field_id::host);
    if (!fields.has(field_id::host) && request.head.minor_version == 0) request.host = request.where.authority;
    else if (!http::is_authority(request.host))
        return malformed("Host", "invalid", "Send exactly one valid Host field.");
    if (!request.where.authority.empty() && !iequals(request.where.authority, request.host))
        return malformed("Host", "invalid", "The Host field and the request target name different hosts.");
    return std::nullopt;
}

// A single-valued field sent twice is refused: one parser takes the first value, another the last.
std::optional<refusal> read_singles(client_request const& request) {
    auto const* const repeated = http::repeated_single(request.head.fields);
    if (repeated == nullptr) return std::nullopt;
    return malformed(repeated->name, "repeated", "Send this field only once.");
}

std::optional<refusal> read_expectation(client_request& request) {
    if (!request.head.fields.has(field_id::expect)) return std::nullopt;
    if (!iequals(request.head.fields.value(field_id::expect), "100-continue"))
        return refuse(error_code::expectation_failed, true);
    request.expects_continue = request.head.minor_version == 1 && request.body.type != framing::kind::none;
    return std::nullopt;
}

// An offer of h2c is declined by not taking it up (RFC 9110 section 7.8); any other upgrade is what the client came
// for.
std::optional<refusal> read_upgrade(client_request const& request) {
    if (!request.head.fields.has(field_id::upgrade)) return std::nullopt;
    if (request.head.fields.has_one(field_id::upgrade) && iequals(request.head.fields.value(field_id::upgrade), "h2c"))
        return std::nullopt;
    return malformed("Upgrade", "not_allowed", "The connection can't be upgraded.");
}

std::optional<refusal> read_body_fields(client_request& request) {
    request.body = request.head.body;
    auto const options = http::read_connection(request.head.fields);
    if (options.refused)
        return malformed("Connection", "invalid", "The Connection field names a field that the request needs.");
    request.keep_alive = !options.close && (request.head.minor_version == 1 || options.keep_alive);
    return std::nullopt;
}

std::optional<refusal> read_target(client_request& request, route_table const& routes) {
    if (request.head.method == "CONNECT") {
        auto refused = refuse(error_code::method_not_allowed, true);
        refused.error.allow = allowed_methods;
        return refused;
    }
    switch (http::parse_target(request.head.target, request.where)) {
    case http::target_fault::none: break;
    case http::target_fault::malformed: return malformed("path", "invalid", "The request target is not valid.");
    case http::target_fault::unsafe_path: return malformed("path", "invalid", "The path can't be normalized safely.");
    }
    if (request.where.type == http::target::form::asterisk && request.head.method != "OPTIONS")
        return malformed("path", "invalid", "The request target is not valid.");
    request.to = find_route(request.where.path, routes);
    request.cors = request.to != nullptr && request.to->open_to_browsers;
    return std::nullopt;
}

std::optional<refusal> read_parts(client_request& request, route_table const& routes) {
    if (auto refused = read_target(request, routes)) return refused;
    if (auto refused = read_singles(request)) return refused;
    if (auto refused = read_host(request)) return refused;
    if (auto refused = read_body_fields(request)) return refused;
    if (auto refused = read_expectation(request)) return refused;
    return read_upgrade(request);
}

} // namespace

bool looks_public(std::string_view received, route_table const& routes) noexcept {
    auto const blank = received.substr(0, 40).find(' ');
    if (blank == std::string_view::npos) return false;
    auto const target = received.substr(blank + 1);
    auto const* const to = find_route(target.substr(0, target.find_first_of("? \r\n")), routes);
    return to != nullptr && to->open_to_browsers;
}

void client_request::reset() {
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

refusal refuse_head(http::head_fault fault) {
    switch (fault) {
    case http::head_fault::target_too_long: return refuse(error_code::uri_too_long, true);
    case http::head_fault::too_large: return refuse(error_code::headers_too_large, true);
    case http::head_fault::version: return refuse(error_code::version_not_supported, true);
    case http::head_fault::unknown_coding:
    case http::head_fault::method: return refuse(error_code::not_implemented, true);
    case http::head_fault::unclear_length:
        return malformed("Content-Length", "invalid", "The length of the body is ambiguous.");
    case http::head_fault::malformed: break;
    }
    auto refused = refuse(error_code::invalid_request, true);
    refused.error.message = "The request is not valid HTTP/1.1.";
    return refused;
}

std::optional<refusal> read_request(client_request& request, route_table const& routes) {
    if (auto const fault = http::request_parser().parse_head(request.head_text, request.head)) {
        request.cors = looks_public(request.head_text, routes);
        give_id(request);
        return refuse_head(*fault);
    }
    give_id(request);
    auto refused = read_parts(request, routes);
    if (refused && request.to == nullptr) request.cors = looks_public(request.head_text, routes);
    return refused;
}

void find_client(client_request& request, ip_address const& peer, std::vector<ip_network> const& trusted) {
    request.client = peer;
    if (!any_contains(trusted, peer)) return;
    std::vector<std::string_view> chain;
    for (auto const& one : request.head.fields.list)
        if (one.id == field_id::x_forwarded_for) chain.push_back(one.value);
    request.client = http::client_address(peer, chain, trusted);
    if (request.head.fields.has(field_id::x_forwarded_proto))
        request.https = iequals(request.head.fields.value(field_id::x_forwarded_proto), "https");
}

void enter_trace(client_request& request, ip_address const& peer, std::vector<ip_network> const& trusted,
                 tracing::tracer const& tracer) {
    auto const& fields = request.head.fields;
    if (fields.has_one(field_id::traceparent) && any_contains(trusted, peer))
        request.caller = tracing::parse_traceparent(fields.value(field_id::traceparent));
    request.trace = request.call = tracer.enter(request.caller);
}

} // namespace recruiting::gateway
