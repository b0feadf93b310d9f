// What an operator can set (recruiting-public-api --help). Read once in main.
#pragma once
#include "core/ip.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "public_api/booking/booking_settings.hpp"
#include "public_api/docs/shared_site.hpp"
#include "redis/address.hpp"
#include "tracing/trace_settings.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::public_api {

struct settings {
    std::vector<effective_setting> effective; // for the admin port
    endpoint listen{"127.0.0.1", 8082, {}};
    endpoint admin_listen{"127.0.0.1", 9082, {}};
    std::int64_t threads{0};
    std::string database_url;
    std::chrono::milliseconds database_timeout{5'000};
    std::vector<ip_network> trusted_proxies{*parse_network("127.0.0.0/8"), *parse_network("::1")};
    std::string cursor_secret;
    std::string public_url{"http://127.0.0.1:8080"}; // without a slash at its end
    std::optional<redis::address> own_redis;         // instead of redis
    redis::address redis;
    [[nodiscard]] redis::address const& limits_redis() const { return own_redis ? *own_redis : redis; }
    std::chrono::milliseconds catalogue_refresh{60'000};
    std::chrono::milliseconds start_patience{2'000};
    std::int64_t compressed_cache{16 * 1024 * 1024}; // bytes a thread
    booking_settings booking;
    std::int64_t limit_entries{100'000};
    std::chrono::milliseconds exposure_repeat{std::chrono::minutes{10}};
    std::int64_t exposures_waiting{256};
    document_settings documents;
    std::int64_t head_limit{32 * 1024};
    std::int64_t body_limit{16 * 1024};
    std::chrono::milliseconds read_timeout{10'000};
    std::chrono::milliseconds idle_timeout{75'000};
    std::chrono::milliseconds write_timeout{30'000};
    std::chrono::milliseconds drain_delay{1'000};
    std::chrono::milliseconds drain_timeout{20'000};
    log::settings log;
    tracing::trace_settings trace;
};

/// Arguments and environment. Returns the exit code when the program has to end now, nothing when it may go on.
[[nodiscard]] std::optional<int> load(settings& into, int argc, char const* const* argv);

} // namespace recruiting::public_api
