// The rate limit's settings and metrics, and the process's view of Redis.
#pragma once
#include "gateway/rate_limit/client_counts.hpp"
#include "gateway/rate_limit/local_counts.hpp"
#include "gateway/route_table.hpp"
#include "redis/address.hpp"
#include "telemetry/metrics.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

namespace recruiting::gateway {

struct limiter_settings {
    std::array<limit_policy, service_count> policies{}; // by service
    std::int64_t total{6'000};                          // a minute
    std::string mode{"enforce"};                        // or shadow: only counted; or off
    std::int64_t ipv6_bits{64};
    redis::address redis;
    std::chrono::milliseconds response_limit{50}; // for Redis, from a request's joining on

    [[nodiscard]] bool counts() const noexcept { return mode != "off"; }
    [[nodiscard]] bool shadow() const noexcept { return mode == "shadow"; }
    /// The console has the limit of the API, and a count of its own.
    [[nodiscard]] limit_policy const& policy(std::size_t which) const noexcept {
        auto const of = static_cast<rate_policy>(which) == rate_policy::console ? rate_policy::api
                                                                                : static_cast<rate_policy>(which);
        return policies[static_cast<std::size_t>(of)];
    }
    /// Requests of a client per minute in all: never fewer than the policies let pass.
    [[nodiscard]] std::int64_t total_limit() const noexcept {
        std::int64_t allowed = 0;
        for (std::size_t i = 0; i < rate_policy_count; ++i) allowed += policy(i).limit * 60 / policy(i).window_seconds;
        return std::max(total, allowed);
    }
};

inline constexpr std::array<std::string_view, rate_policy_count> policy_names{"api", "public", "console"};

/// Decisions of one limit.
struct rejection_counters {
    metrics::registry& registry;
    std::string_view limit;
    [[nodiscard]] metrics::counter& add(std::string_view decision) const {
        std::string labels = "policy=\"";
        labels.append(limit).append("\",decision=\"").append(decision).append("\"");
        return registry.add_counter("recruiting_gateway_rate_limit_decisions_total", "Rate limit decisions.",
                                    std::move(labels));
    }
    metrics::counter& rejected = add("rejected");
    metrics::counter& shadow_rejected = add("shadow_rejected");
    void count(decision const& over) const noexcept { (over.shadow ? shadow_rejected : rejected).add(); }
};
struct policy_counters : rejection_counters {
    metrics::counter& allowed = add("allowed");
};

struct limiter_metrics {
    metrics::registry& registry;
    std::array<policy_counters, rate_policy_count> by_policy{
        {{{registry, policy_names[0]}}, {{registry, policy_names[1]}}, {{registry, policy_names[2]}}}};
    rejection_counters total{registry, total_counts::name};
    metrics::gauge& enforced =
        registry.add_gauge("recruiting_gateway_rate_limit_enforced",
                           "1: requests over the rate limit are rejected; 0: shadow mode, or no rate limit.");
    metrics::counter& cached_rejections =
        registry.add_counter("recruiting_gateway_rate_limit_cached_rejections_total",
                             "Requests rejected without a Redis call: their client was already over its rate limit.");
    metrics::counter& counted_locally =
        registry.add_counter("recruiting_gateway_rate_limit_local_total",
                             "Requests counted locally because Redis was unavailable, slow or returned errors.");
    metrics::counter& replayed =
        registry.add_counter("recruiting_gateway_rate_limit_replayed_total",
                             "Locally counted requests that were later added to the Redis counters.");
    metrics::counter& redis_writes =
        registry.add_counter("recruiting_gateway_redis_writes_total", "Pipelined writes to Redis.");
    metrics::counter& redis_errors =
        registry.add_counter("recruiting_gateway_redis_errors_total", "Writes that got no reply, or an error.");
    metrics::counter& generations =
        registry.add_counter("recruiting_gateway_redis_generations_total",
                             "Counter generations that the threads saw Redis start: restarts, failovers, FLUSHALL.");
    metrics::gauge& redis_up = registry.add_gauge(
        "recruiting_redis_connections", "Connections to Redis, one per thread; a thread without one counts locally.");
    metrics::gauge& redis_failing = registry.add_gauge("recruiting_gateway_redis_failing_threads",
                                                       "Threads whose last Redis write failed or got no reply.");
    metrics::histogram& redis_latency = registry.add_histogram("recruiting_gateway_redis_write_duration_seconds",
                                                               "Time from a pipelined write to its last reply.");
};

/// A fault that each thread has on its own. The process logs it twice: when the first thread has it, and when the last
/// has recovered.
class shared_fault {
public:
    /// true: the process's state changed.
    [[nodiscard]] bool set(bool& mine, bool now) noexcept {
        if (mine == now) return false;
        mine = now;
        return now ? threads_.fetch_add(1) == 0 : threads_.fetch_sub(1) == 1;
    }

private:
    std::atomic<int> threads_{0};
};

/// What the threads of a process share of the rate limit.
struct limiter_shared {
    std::array<local_counts, rate_policy_count> tables;
    shared_fault unavailable;
    shared_fault errors;
    std::atomic<bool> was_connected{false};
};

} // namespace recruiting::gateway
