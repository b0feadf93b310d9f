#include "gateway/settings.hpp"

#include "core/text.hpp"
#include "http/request_target.hpp"
#include "redis/settings.hpp"

#include <algorithm>

namespace recruiting::gateway {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

bool is_plain_prefix(std::string_view value) {
    http::target parsed;
    bool const plain = value.starts_with('/') && value.size() > 1 && !value.ends_with('/') &&
                       value.find('?') == std::string_view::npos;
    return plain && http::parse_target(value, parsed) == http::target_fault::none && parsed.path == value;
}

std::optional<std::string> read_pages(std::string_view value, route_table& routes) {
    routes.resize(service_count, page_route({}));
    for (auto const part : split(value, ',')) {
        auto const page = trim(part);
        if (page.empty()) continue;
        if (!is_plain_prefix(page)) return "must be paths such as /careers, comma-separated";
        routes.push_back(page_route(std::string(page)));
    }
    return std::nullopt;
}

std::optional<std::string> read_home(std::string_view value, std::string& home) {
    bool const is_path = value.starts_with('/') && !value.starts_with("//");
    bool const is_url = value.starts_with("https://") || value.starts_with("http://");
    if (!value.empty() && !is_path && !is_url) return "must be a path such as /docs/, or an https or http URL";
    if (!std::ranges::all_of(value, [](char c) { return c > ' ' && c < 0x7F; }))
        return "must be printable ASCII: percent-encode other characters";
    home = value;
    return std::nullopt;
}

void declare_prefixes(settings_reader& reader, gateway_settings& out) {
    reader.custom(
        "RECRUITING_GATEWAY_PAGES", "/careers,/interviews,/widget,/docs,/console",
        "Paths for people: pages, the widget's script, the documentation and the console. They go to the public API's "
        "service and are counted with it, except /docs, which is not counted, and /console, which goes to auth-api and "
        "is counted by itself. Leave out what the same host serves by itself; empty: none.",
        [&out](std::string_view value) { return read_pages(value, out.routes); });
    reader.custom("RECRUITING_GATEWAY_HOME", out.home,
                  "Target of the redirect from / (302): a path of this host, or a page of the operator's as an https "
                  "or http URL; "
                  "empty: nowhere, / is 404.",
                  [&out](std::string_view value) { return read_home(value, out.home); });
}

// The health ports come after the addresses they belong to: settings are read in the order of their names.
void declare_service(settings_reader& reader, std::string const& name, service_addresses& to, std::string const& help) {
    reader.custom(name, to_string(to),
                  help + " Several addresses are comma-separated; a host name stands for all of its addresses.",
                  [&to](std::string_view value) { return read_addresses(value, to); });
    reader.custom(
        name + "_HEALTH", "",
        "Ports of the health checks, usually the services' admin ports: :port for all addresses, or one for "
        "each in the same order; of a unix socket, ports of 127.0.0.1. Empty: an address that can be connected "
        "to is ready.",
        [&to](std::string_view value) { return read_health_ports(value, to); });
}

void declare_addresses(settings_reader& reader, gateway_settings& out) {
    declare_service(reader, "RECRUITING_GATEWAY_AUTH_API", out.upstreams[0], "The service behind /api/v1.");
    declare_service(reader, "RECRUITING_GATEWAY_PUBLIC_API", out.upstreams[1], "The service behind /api/public/v1.");
    redis::declare_url(reader, "RECRUITING_REDIS_URL", "redis://127.0.0.1:6379", out.limits.redis,
                       "Redis that counts requests: " + std::string(redis::address_forms) + ".");
    redis::declare_tls(reader, out.limits.redis.tls, [&out] { return out.limits.redis; });
}

void declare_rate_limits(settings_reader& reader, gateway_settings& out) {
    auto& limits = out.limits;
    reader.number("RECRUITING_GATEWAY_RATE_LIMIT", limits.limits[0], 1, 1'000'000'000,
                  "Maximum requests per client and window to /api/v1, and as many to the console.");
    reader.number("RECRUITING_GATEWAY_PUBLIC_RATE_LIMIT", limits.limits[1], 1, 1'000'000'000,
                  "Maximum requests per client and window to the public API and the pages.");
    reader.number("RECRUITING_GATEWAY_WINDOW", limits.window_seconds, 1, 86'400,
                  "Length of a window, in seconds. Windows begin at multiples of it since 1970.");
    reader.number("RECRUITING_GATEWAY_TOTAL_RATE_LIMIT", limits.total, 1, 1'000'000'000,
                  "Maximum requests of any kind per client and minute, including unknown paths, preflights, redirects, "
                  "documentation and malformed requests. Each gateway counts separately. Beyond it: 429, and the "
                  "connection is closed. It is at least what the rate limits together permit per minute.");
    reader.choice("RECRUITING_GATEWAY_RATE_LIMIT_MODE", limits.mode, {"enforce", "shadow", "off"},
                  "shadow: requests over the rate limit are counted and logged, but not rejected. off: requests are "
                  "not counted.");
    reader.number("RECRUITING_GATEWAY_IPV6_PREFIX", limits.ipv6_bits, 16, 128,
                  "Prefix length, in bits, by which IPv6 clients are counted.");
    reader.networks(
        "RECRUITING_GATEWAY_TRUSTED_PROXIES", out.trusted_proxies,
        "Addresses and ranges (10.0.0.0/8,2001:db8::/32) whose X-Forwarded-For, X-Forwarded-Proto and traceparent are "
        "trusted.");
    reader.duration("RECRUITING_GATEWAY_REDIS_TIMEOUT", limits.response_limit, 1ms, 5s,
                    "Maximum time that a request waits for Redis; then the gateway counts locally.");
}

void declare_connections(settings_reader& reader, gateway_settings& out) {
    reader.number("RECRUITING_GATEWAY_CONNECTIONS", out.connections_limit, 1, 10'000'000,
                  "Connections of clients at a time. When there are nearly as many, those whose client has kept the "
                  "gateway waiting for a second (for a TLS handshake, a request or the reading of a response) are "
                  "closed for new ones; beyond it, the connection that was idle longest; when none is idle, the new "
                  "one.");
    reader.number("RECRUITING_GATEWAY_CLIENT_CONNECTIONS", out.client_connections_limit, 1, 10'000'000,
                  "Maximum connections per client (as the rate limit counts clients); further ones are closed. An IPv6 "
                  "/56 may have twice, a /48 four times as many. Trusted proxies are exempt.");
    reader.number("RECRUITING_GATEWAY_UPSTREAM_REQUESTS", out.upstream_requests, 1, 1'000'000,
                  "Maximum requests in progress per service and thread. As many again wait for up to 5 s; further ones "
                  "get 503.");
    reader.number("RECRUITING_GATEWAY_BODY_LIMIT", out.body_limits[0], 0, std::int64_t{1} << 40,
                  "Maximum request body for /api/v1, in bytes; a larger one gets 413.");
}

void declare_deadlines(settings_reader& reader, gateway_settings& out) {
    reader.duration("RECRUITING_GATEWAY_HEADERS_TIMEOUT", out.headers_timeout, 250ms, 10min,
                    "Timeout of the request headers, from their first byte; then 408. Also of a TLS handshake with the "
                    "PROXY protocol header before it; then the connection is closed.");
    reader.duration("RECRUITING_GATEWAY_IDLE_TIMEOUT", out.idle_timeout, 250ms, 1h,
                    "Maximum idle time of a client connection between requests.");
    reader.duration("RECRUITING_GATEWAY_BODY_TIMEOUT", out.body_timeout, 250ms, 10min,
                    "Timeout for the next bytes of a request body; then 408.");
    reader.duration("RECRUITING_GATEWAY_WRITE_TIMEOUT", out.write_timeout, 250ms, 10min,
                    "Timeout for a client that reads nothing of its response; then the connection is closed.");
    reader.duration("RECRUITING_GATEWAY_RESPONSE_TIMEOUT", out.response_timeout, 250ms, 1h,
                    "Timeout for a service's response, and between two parts of it.");
    reader.duration("RECRUITING_GATEWAY_RUN_TIMEOUT", out.run_timeout, 250ms, 1h,
                    "Response timeout for POST to auth-api; an agent run takes up to 120 s.");
}

} // namespace

std::vector<std::string> gateway_settings::tls_paths() const {
    std::vector<std::string> out;
    auto const add = [&out](std::string const& path) {
        if (!path.empty()) out.push_back(path);
    };
    auto const add_pair = [&add](tls_files const& files) {
        add(files.certificates);
        add(files.key);
    };
    if (!is_none(listeners.tls)) {
        for (auto const& files : listeners.server.certificates) add_pair(files);
        add(listeners.server.ticket_keys_file);
    }
    add(upstream_tls.ca_file);
    add_pair(upstream_tls.own);
    return out;
}

void declare_settings(settings_reader& reader, gateway_settings& out) {
    http::declare_program(reader, out);
    declare_listeners(reader, out.listeners, out.trusted_proxies);
    declare_addresses(reader, out);
    declare_prefixes(reader, out);
    declare_rate_limits(reader, out);
    declare_connections(reader, out);
    declare_deadlines(reader, out);
    declare_upstream_tls(reader, out.upstream_tls, out.upstreams);
    reader.flag("RECRUITING_GATEWAY_ACCESS_LOG", out.access_log,
                "Whether to log one JSON line per request on standard output.");
    tracing::declare(reader, out.trace);
}

namespace {

// Opens what a start opens, so that --check finds the same.
std::optional<std::string> files_problem(gateway_settings const& s) {
    try {
        if (!is_none(s.listeners.tls)) tls_server const served(s.listeners.server);
        if (!s.upstream_tls.ca_file.empty()) tls_client const shown(s.upstream_tls);
        return std::nullopt;
    } catch (std::exception const& error) {
        return error.what();
    }
}

} // namespace

std::optional<int> load_settings(int argc, char const* const* argv, gateway_settings& out) {
    settings_reader reader("recruiting-gateway",
                           "the gateway: a rate limit per client, and a strict proxy to the services",
                           "RECRUITING_GATEWAY_");
    declare_settings(reader, out);
    reader.rule([&out] { return files_problem(out); });
    return http::load(reader, out, argc, argv, [&out] { return http::connection_budget{.redis = out.thread_count()}; });
}

} // namespace recruiting::gateway
