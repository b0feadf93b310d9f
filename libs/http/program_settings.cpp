#include "http/program_settings.hpp"

#include "core/url.hpp"
#include "http/admin_client.hpp"

#include <algorithm>
#include <iostream>
#include <string>
#include <thread>

namespace recruiting::http {

using namespace std::chrono_literals;

unsigned program_settings::thread_count() const noexcept {
    return threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : static_cast<unsigned>(threads);
}

server_settings program_settings::admin_server() const {
    server_settings out;
    out.listen = admin_listen;
    return out;
}

server_settings service_settings::api_server() const {
    auto out = api;
    out.sockets = thread_count();
    out.drain_delay = drain_delay;
    return out;
}

void declare_program(settings_reader& reader, program_settings& target) {
    auto const named = [&reader](char const* name) { return reader.prefix() + name; };
    reader.address(named("ADMIN_LISTEN"), target.admin_listen,
                   "Address of the admin port: /healthz, /readyz and /metrics.");
    reader.number(named("THREADS"), target.threads, 0, 256, "Threads, each with its own event loop; 0: one per core.");
    reader.duration(
        named("DRAIN_DELAY"), target.drain_delay, 0ms, 10min,
        "Time to keep accepting connections after SIGTERM, while /readyz returns 503. Longer than the "
        "interval at which load balancers, or the gateway, check the program's health. After it each answer "
        "ends its connection.");
    reader.duration(named("DRAIN_TIMEOUT"), target.drain_timeout, 0ms, 1h,
                    "Maximum time for requests in progress at SIGTERM; then they are cut off. In the gateway it "
                    "includes the drain delay, in a service it follows the delay.");
    reader.log(target.log);
}

void declare_service(settings_reader& reader, service_settings& target) {
    auto const named = [&reader](char const* name) { return reader.prefix() + name; };
    reader.address(named("LISTEN"), target.api.listen, "The address on which the API is served to the gateway.");
    declare_program(reader, target);
    reader.networks(named("TRUSTED_PROXIES"), target.trusted_proxies,
                    "Addresses and networks of the gateways, whose X-Forwarded-For is trusted.");
    reader.secret_file("RECRUITING_CURSOR_SECRET_FILE", target.cursor_secret, 32,
                       "File with the secret that signs cursors and sync tokens; the same for all instances.");
    reader.require_last();
    reader.secret_file("RECRUITING_CURSOR_SECRET_PREVIOUS_FILE", target.previous_cursor_secret, 32,
                       "While the cursor secret is rotated: file with the other secret that is accepted, the next one "
                       "or the previous one.");
    reader.rule(differs("RECRUITING_CURSOR_SECRET", target.cursor_secret, target.previous_cursor_secret));
}

std::function<std::optional<std::string>()> differs(std::string name, std::string const& current,
                                                    std::string const& previous) {
    return [name = std::move(name), &current, &previous]() -> std::optional<std::string> {
        if (previous.empty() || previous != current) return std::nullopt;
        return name + "_PREVIOUS_FILE must hold another secret than " + name + "_FILE";
    };
}

std::optional<int> load(settings_reader& reader, program_settings& target, int argc, char const* const* argv,
                        std::function<connection_budget()> const& budget) {
    reader.on_healthcheck([&target] { return check_health(target.admin_listen); });
    reader.on_check([&budget] {
        auto const most = budget();
        return "at most " + std::to_string(most.postgres) + " connections to PostgreSQL, " +
               std::to_string(most.redis) + " to Redis";
    });
    return reader.load(argc, argv);
}

int check_health(endpoint const& admin_listen) {
    auto const where = reachable(admin_listen);
    try {
        auto const line = ask_admin(where, "/healthz");
        if (is_good(line)) return 0;
        std::cerr << to_string(where) << " answered: " << line << '\n';
    } catch (std::exception const& error) {
        std::cerr << to_string(where) << ": " << error.what() << '\n';
    }
    return 1;
}

} // namespace recruiting::http
