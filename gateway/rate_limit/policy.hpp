// What the rate limit is told to do, and what it tells: settings, metrics, and the process's view of Redis.
#pragma once
#include "gateway/rate_limit/local_counts.hpp"
#include "gateway/rate_limit/window.hpp"
#include "gateway/request_context.hpp"
#include "redis/protocol.hpp"
#include "telemetry/metrics.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

namespace recruiting::gateway {

struct limiter_settings {
    std::array<limit_policy, service_count> policies{}; // by service
    std::array<std::string_view, service_count> names{"api", "public"};
    unsigned ipv6_bits{64};
    std::string redis{};                        // its address, for the log
    bool counts{true};                          // false: no rate limit at all
    std::chrono::milliseconds answer_limit{50}; // for Redis, from a request's joining on
};

struct limiter_metrics {
    limiter_metrics(metrics::registry& registry, limiter_settings const& settings);
    struct decisions { // under one policy
        metrics::counter* allowed;
        metrics::counter* refused;
        metrics::counter* shadow_refused;
    };
    std::array<decisions, service_count> by_policy;
    metrics::counter& total_refused; // by total_counts, as is the next
    metrics::counter& total_shadow_refused;
    metrics::gauge& enforced;              // 0: clients over the rate limit are only counted, or not even that
    metrics::counter& refused_from_memory; // of both, without asking Redis
    metrics::counter& counted_alone;       // requests
    metrics::counter& told_late;           // of those, and of counts a new generation needs
    metrics::counter& redis_writes;
    metrics::counter& redis_errors;
    metrics::counter& generations;
    metrics::gauge& redis_up;       // threads
    metrics::gauge& redis_in_error; // threads
    metrics::histogram& redis_latency;
};

/// A fault that threads have each on their own, and the log tells once for the process: when the first has it, and when
/// the last is rid of it.
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

/// "rl:api:203.0.113.7:29384756:00c0ffee": policy, client, window and generation.
void append_count_key(std::string& out, std::string_view policy, local_counts::client const& who, unsigned ipv6_bits,
                      generation under);

/// The commands that count for a client. SET … NX gives the key its lifetime before anything is counted, in the same
/// write. key: storage to reuse; holds the key afterwards. Returns how many replies there will be: the last is the
/// total.
std::size_t add_count(redis::batch& commands, std::string& key, limiter_settings const& settings, std::size_t policy,
                      local_counts::client const& who, generation under, local_counts::delta const& sent);

/// Seconds: the window, and a margin for clocks that differ.
[[nodiscard]] inline std::int64_t key_lifetime(limit_policy const& policy) noexcept {
    return policy.window_seconds + 60;
}

} // namespace recruiting::gateway
