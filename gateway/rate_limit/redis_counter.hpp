// One thread's view of the counters in Redis: which generation they are of. It asks after every connect, twice a
// second and when a total fell, and then reports what Redis does not know of this process's counts. Called by limiter;
// calls redis::connection and local_counts.
#pragma once
#include "gateway/rate_limit/policy.hpp"
#include "redis/connection.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace recruiting::gateway {

/// "rl:api:203.0.113.7:29384756:00c0ffee": policy, client, window and generation.
void append_count_key(std::string& out, std::size_t policy, local_counts::client_key const& client,
                      std::int64_t ipv6_bits, generation under);

/// The commands that count for a client. SET … NX gives the key its lifetime before anything is counted, in the same
/// write. key: storage to reuse; holds the key afterwards. Returns how many replies there will be: the last is the
/// total.
std::size_t add_count(redis::batch& commands, std::string& key, limiter_settings const& settings, std::size_t policy,
                      local_counts::client_key const& client, generation under, local_counts::delta const& sent);

/// Seconds: the window, and a margin for clocks that differ.
[[nodiscard]] std::string key_lifetime(limit_policy const& policy);

class redis_counter {
public:
    redis_counter(redis::connection& redis, limiter_shared& shared, time_source const& clock,
                  limiter_settings const& settings, limiter_metrics& counters)
        : redis_(redis), shared_(shared), clock_(clock), settings_(settings), metrics_(counters) {}

    /// nullopt: Redis is unavailable, or has not answered yet.
    [[nodiscard]] std::optional<generation> now() const noexcept { return under_; }
    void connection_changed(bool up);
    /// Asks now, unless it is being asked already.
    void poll();
    void on_tick(std::chrono::steady_clock::time_point now);
    /// Redis answered with an error, or not at all. The state ends when a poll finds none since the last.
    void note_error(std::string_view why);

private:
    void learn(std::vector<redis::reply> const& replies);
    void report_from(std::size_t part);
    struct reporting {
        std::size_t policy{0};
        generation under{0};
        std::vector<local_counts::unreported> deltas;
        std::vector<std::size_t> totals_at; // among the replies
    };
    [[nodiscard]] redis::batch write_unreported(reporting& what);
    void finish_unreported(reporting const& what, redis::batch_status became, std::vector<redis::reply> const& replies);

    redis::connection& redis_;
    limiter_shared& shared_;
    time_source const& clock_;
    limiter_settings const& settings_;
    limiter_metrics& metrics_;
    std::optional<generation> under_;
    std::chrono::steady_clock::time_point next_poll_{};
    bool polling_{false};
    bool reporting_{false};
    bool must_report_{false}; // a new generation, or one that took no writes, lacks counts
    bool failing_{false};
    bool error_since_poll_{false};
};

} // namespace recruiting::gateway
