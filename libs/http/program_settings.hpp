// The settings that all servers share, each under the prefix of its program, and --healthcheck, which a container
// engine runs: a second process of the same program, with the same settings, asks the first one's admin port. So an
// image needs neither a shell nor curl.
#pragma once
#include "core/ip.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace recruiting::http {

/// What can be set of one server: a service's API, or an admin port.
struct server_settings {
    endpoint listen;
    unsigned sockets{1};                             // of this program on that address: one a thread
    std::int64_t headers_limit{34 * 1024};           // bytes: 32 KiB, and what the gateway adds
    std::int64_t body_limit{256 * 1024};             // bytes
    std::chrono::milliseconds read_timeout{10'000};  // for a whole request, from its first byte
    std::chrono::milliseconds idle_timeout{75'000};  // between requests; the gateway closes its own after 30 s
    std::chrono::milliseconds write_timeout{30'000}; // without any progress
    std::chrono::milliseconds drain_delay{0};        // between the start of a drain and the end of listening
};

/// How many connections the process opens at most, by the settings it runs with. Connections that a silent server holds
/// open after the process has given them up are not among them.
struct connection_budget {
    std::int64_t postgres{0};
    std::int64_t redis{0};
};

/// The settings of a program derive from these.
struct program_settings {
    explicit program_settings(std::uint16_t admin_port) : admin_listen{"127.0.0.1", admin_port, {}} {}

    endpoint admin_listen;
    std::int64_t threads{0}; // 0: one per core
    std::chrono::milliseconds drain_delay{1'000};
    std::chrono::milliseconds drain_timeout{20'000};
    log::settings log;

    [[nodiscard]] unsigned thread_count() const noexcept;
    [[nodiscard]] server_settings admin_server() const;
};

/// The settings of a service behind the gateway.
struct service_settings : program_settings {
    service_settings(std::uint16_t port, std::uint16_t admin_port, std::int64_t longest_body)
        : program_settings(admin_port) {
        api.listen = {"127.0.0.1", port, {}};
        api.body_limit = longest_body;
    }

    server_settings api; // api_server() adds what the program's settings decide: sockets and drain_delay
    std::vector<ip_network> trusted_proxies{*parse_network("127.0.0.0/8"), *parse_network("::1")};
    std::string cursor_secret;
    std::string previous_cursor_secret; // empty: none

    [[nodiscard]] server_settings api_server() const;
};

void declare_program(settings_reader& reader, program_settings& target);
void declare_service(settings_reader& reader, service_settings& target);
/// A rule for settings_reader: the secrets of NAME_FILE and NAME_PREVIOUS_FILE are not the same.
[[nodiscard]] std::function<std::optional<std::string>()> differs(std::string name, std::string const& current,
                                                                  std::string const& previous);

/// Reads arguments and environment; an exit code when the program has to end now. budget computes the connections of
/// the settings read, for --check.
[[nodiscard]] std::optional<int> load(settings_reader& reader, program_settings& target, int argc,
                                      char const* const* argv, std::function<connection_budget()> const& budget);

/// The exit code of --healthcheck: 0 when /healthz answers 200 within a few seconds, else 1 with the reason on standard
/// error.
[[nodiscard]] int check_health(endpoint const& admin_listen);

} // namespace recruiting::http
