// Every setting of the gateway, declared once (settings.cpp, and listener_settings.cpp for what it listens on and TLS);
// `recruiting-gateway --help` prints them.
#pragma once
#include "core/settings.hpp"
#include "crypto/tls_client.hpp"
#include "crypto/tls_server.hpp"
#include "gateway/client_counts.hpp"
#include "gateway/http1/proxy_protocol.hpp"
#include "gateway/route_table.hpp"
#include "gateway/upstream/directory.hpp"
#include "http/program_settings.hpp"
#include "rate_limit/limiter.hpp"
#include "tracing/exporter.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::gateway {

/// What a connection is, by the address it came in at.
struct listener_kind {
    bool tls{false};
    bool redirects{false}; // answers nothing but where to go with TLS
    proxy_protocol proxy{proxy_protocol::off};
};

/// What the gateway listens on. An address that is_none is not listened on.
struct listener_settings {
    endpoint plain{"127.0.0.1", 8080, {}};
    endpoint tls;
    endpoint redirect;
    proxy_protocol proxy{proxy_protocol::off};

    tls_server_settings server;
    std::int64_t redirect_port{0}; // 0: that of tls
    std::string hsts;              // the field's value (RFC 6797 section 6.1); empty: it is not sent

    struct listener {
        endpoint where;
        listener_kind kind;
    };
    [[nodiscard]] std::vector<listener> all() const;
    /// The port clients reach TLS at.
    [[nodiscard]] std::uint16_t public_tls_port() const noexcept;
    /// The field with its line end, or empty.
    [[nodiscard]] std::string hsts_line() const;
};

[[nodiscard]] inline bool is_none(endpoint const& where) noexcept {
    return where.host.empty() && where.unix_path.empty();
}

inline constexpr std::array<std::string_view, rate_policy_count> policy_names{"api", "public", "console"};

/// What the gateway limits. libs/rate_limit counts the requests.
struct limiter_settings {
    std::array<std::int64_t, service_count> limits{600, 600}; // of one client in a window, by service
    std::int64_t window_seconds{60};
    std::int64_t total{6'000};   // a minute
    std::string mode{"enforce"}; // or shadow: only counted; or off
    std::int64_t ipv6_bits{64};
    redis::address redis;
    std::chrono::milliseconds response_limit{50}; // for Redis, from a request's joining on

    [[nodiscard]] bool counts() const noexcept { return mode != "off"; }
    [[nodiscard]] bool shadow() const noexcept { return mode == "shadow"; }
    /// The console has the limit of the API, and a count of its own.
    [[nodiscard]] std::int64_t limit_of(rate_policy which) const noexcept {
        return limits[which == rate_policy::public_api ? 1 : 0];
    }
    /// Requests of a client per minute in all: never fewer than the policies let pass.
    [[nodiscard]] std::int64_t total_limit() const noexcept {
        auto const of_window = 2 * limits[0] + limits[1];
        return std::max(total, of_window * std::max<std::int64_t>(60 / window_seconds, 1));
    }
    [[nodiscard]] rate_limit::options options() const {
        rate_limit::options out;
        for (std::size_t i = 0; i < rate_policy_count; ++i)
            out.policies.push_back({policy_names[i], limit_of(static_cast<rate_policy>(i)), window_seconds});
        out.redis = redis;
        out.key_prefix = "rl:";
        out.append_client = [bits = ipv6_bits](std::string& name, rate_limit::client_key const& client) {
            append_count_name(name, {client}, bits);
        };
        out.response_limit = response_limit;
        return out;
    }
};

struct gateway_settings : http::program_settings {
    gateway_settings() : program_settings(9080) {}

    listener_settings listeners;
    std::array<service_addresses, service_count> upstreams{at(8081), at(8082)};
    std::int64_t upstream_requests{1024};
    tls_client_settings upstream_tls; // without a ca_file connections to services are not encrypted
    bool access_log{true};
    tracing::trace_settings trace;

    limiter_settings limits;
    route_table routes{default_routes};
    std::string home{"/docs/"}; // where / leads; empty: nowhere
    std::vector<ip_network> trusted_proxies;

    std::array<std::int64_t, service_count> body_limits{1024 * 1024, 64 * 1024}; // bytes; booking requests are small
    std::int64_t connections_limit{16'384};
    std::int64_t client_connections_limit{1'024};

    std::chrono::milliseconds headers_timeout{10'000};
    std::chrono::milliseconds idle_timeout{60'000};
    std::chrono::milliseconds body_timeout{30'000};
    std::chrono::milliseconds write_timeout{60'000};
    std::chrono::milliseconds response_timeout{60'000};
    std::chrono::milliseconds run_timeout{150'000};

    /// The files of TLS that are read again when they change.
    [[nodiscard]] std::vector<std::string> tls_paths() const;
    /// One address of this machine.
    [[nodiscard]] static service_addresses at(std::uint16_t port) { return {{{"127.0.0.1", port, {}}}}; }
};

/// Reads arguments and environment; an exit code when the program has to end now.
[[nodiscard]] std::optional<int> load_settings(int argc, char const* const* argv, gateway_settings& out);
/// The declarations alone, for the tests.
void declare_settings(settings_reader& reader, gateway_settings& out);

/// "chain.pem:key.pem,…". Returns what is wrong, or nothing.
[[nodiscard]] std::optional<std::string> read_certificates(std::string_view text, std::vector<tls_files>& out);
void declare_listeners(settings_reader& reader, listener_settings& out, std::vector<ip_network> const& trusted_proxies);
/// services: what is connected to; each must have a name that its certificate can be held against.
void declare_upstream_tls(settings_reader& reader, tls_client_settings& out,
                          std::span<service_addresses const> services);

} // namespace recruiting::gateway
