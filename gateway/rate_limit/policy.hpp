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
    std::chrono::milliseconds answer_limit{50}; // for Redis, from a request's joining on

    [[nodiscard]] bool counts() const noexcept { return mode != "off"; }
    [[nodiscard]] bool shadow() const noexcept { return mode == "shadow"; }
    /// Requests of a client per minute in all: never fewer than the policies let pass.
    [[nodiscard]] std::int64_t total_limit() const noexcept {
        std::int64_t allowed = 0;
        for (auto const& one : policies) allowed += one.limit * 60 / one.window_seconds;
        return std::max(total, allowed);
    }
};

inline constexpr std::array<std::string_view, service_count> policy_names{"api", "public"};

/// Decisions of one limit.
struct refusal_counters {
    metrics::registry& registry;
    std::string_view limit;
    [[nodiscard]] metrics::counter& add(std::string_view decision) const {
        std::string labels = "policy=\"";
        labels.append(limit).append("\",decision=\"").append(decision).append("\"");
        return registry.add_counter("recruiting_gateway_ceiling_decisions_total", "Requests the ceiling judged.",
                                    std::move(labels));
    }
    metrics::counter& refused = add("refused");
    metrics::counter& shadow_refused = add("shadow_refused");
    void count(decision const& over) const noexcept { (over.shadow ? shadow_refused : refused).add(); }
};
struct policy_counters : refusal_counters {
    metrics::counter& allowed = add("allowed");
};

struct limiter_metrics {
    metrics::registry& registry;
    std::array<policy_counters, service_count> by_policy{
        {{{registry, policy_names[0]}}, {{registry, policy_names[1]}}}};
    refusal_counters total{registry, total_counts::name};
    metrics::gauge& enforced =
        registry.add_gauge("recruiting_gateway_ceiling_enforced",
                           "1: clients over the ceiling are refused; 0: shadow mode, or no ceiling.");
    metrics::counter& refused_from_memory =
        registry.add_counter("recruiting_gateway_ceiling_refused_from_memory_total",
                             "Requests judged without asking Redis: their client was over already.");
    metrics::counter& counted_locally =
        registry.add_counter("recruiting_gateway_ceiling_counted_alone_total",
                             "Requests counted in the process because Redis was away, slow or in error.");
    metrics::counter& reported_late =
        registry.add_counter("recruiting_gateway_ceiling_told_late_total",
                             "Requests that Redis was told of later: after it was away, or lost its counts.");
    metrics::counter& redis_writes =
        registry.add_counter("recruiting_gateway_redis_writes_total", "Pipelined writes to Redis.");
    metrics::counter& redis_errors = registry.add_counter("recruiting_gateway_redis_errors_total",
                                                          "Writes that Redis lost or answered with an error.");
    metrics::counter& generations =
        registry.add_counter("recruiting_gateway_redis_reigns_total",
                             "How often a thread saw Redis begin to count anew: restarts, failovers, FLUSHALL.");
    metrics::gauge& redis_up = registry.add_gauge(
        "recruiting_redis_connections", "Connections to Redis, one a thread; a thread without one counts alone.");
    metrics::gauge& redis_in_error = registry.add_gauge(
        "recruiting_gateway_redis_in_error", "Threads that were answered with an error, or not at all, a moment ago.");
    metrics::histogram& redis_latency = registry.add_histogram("recruiting_gateway_redis_write_duration_seconds",
                                                               "From a write to Redis to its last reply.");
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
    std::array<local_counts, service_count> tables; // by service
    shared_fault away;
    shared_fault errors;
    std::atomic<bool> was_connected{false};
};

} // namespace recruiting::gateway
