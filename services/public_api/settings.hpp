// What an operator can set (recruiting-public-api --help). Read once in main.
#pragma once
#include "http/program_settings.hpp"
#include "pg/standby_store.hpp"
#include "public_api/booking/booking_settings.hpp"
#include "redis/address.hpp"
#include "tracing/exporter.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace recruiting::public_api {

struct settings : http::service_settings {
    settings() : service_settings(8082, 9082, 16 * 1024) {}

    std::string database_url;
    std::chrono::milliseconds database_timeout{5'000};
    pg::standby_settings standby{pg::public_role};
    std::string public_url{"http://127.0.0.1:8080"}; // without a slash at its end
    redis::address redis;
    std::optional<redis::address> own_redis; // instead of redis, with its TLS files
    [[nodiscard]] redis::address limits_redis() const;
    booking_settings booking;
    std::string documents; // folder; empty: no documentation is served
    tracing::trace_settings trace;

    // No settings. PostgreSQL notifies of changes; what was not notified of is found by these.
    std::chrono::milliseconds catalogue_refresh{60'000};
    std::chrono::milliseconds catalogue_comparison{std::chrono::hours{1}};
};

[[nodiscard]] http::connection_budget connections_of(settings const& config) noexcept;

/// Arguments and environment. Returns the exit code when the program has to end now, nothing when it may go on.
[[nodiscard]] std::optional<int> load(settings& into, int argc, char const* const* argv);

} // namespace recruiting::public_api
