// Every setting of the gateway, declared once (settings.cpp); `recruiting-gateway --help` prints them.
#pragma once
#include "gateway/listener_settings.hpp"
#include "gateway/rate_limit.hpp"
#include "gateway/upstream/directory.hpp"
#include "http/program_settings.hpp"
#include "tracing/exporter.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::gateway {

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

} // namespace recruiting::gateway
