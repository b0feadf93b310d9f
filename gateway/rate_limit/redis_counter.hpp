// One thread's view of the counters in Redis: which generation they are of. It asks after every connect, twice a
// second and when a total fell, and then reports what Redis does not know of this process's counts. Called by limiter;
// calls redis::connection and local_counts.
#pragma once
#include "gateway/rate_limit/policy.hpp"
#include "redis/connection.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace recruiting::gateway {

class redis_counter {
public:
    redis_counter(asio::io_context& context, redis::connection& redis, limiter_shared& shared, time_source const& clock,
                  limiter_settings const& settings, limiter_metrics& counters);

    /// nullopt: Redis is away, or has not told yet.
    [[nodiscard]] std::optional<generation> now() const noexcept { return under_; }
    void connection_changed(bool up);
    /// Asks now, unless it is being asked already.
    void poll();
    /// Redis answered with an error, or not at all. The state ends when a poll finds none since the last.
    void note_error(std::string_view why);

private:
    using timer_type = asio::basic_waitable_timer<std::chrono::steady_clock,
                                                  asio::wait_traits<std::chrono::steady_clock>, io_executor>;
    void poll_again_later();
    void learn(std::vector<redis::reply> const& replies);
    void report_from(std::size_t part);
    struct reporting {
        std::size_t policy{0};
        generation under{0};
        std::vector<local_counts::unreported> deltas;
        std::vector<std::size_t> totals_at; // among the replies
    };
    [[nodiscard]] redis::batch write_unreported(reporting& what);
    void finish_unreported(reporting const& what, redis::outcome became, std::vector<redis::reply> const& replies);

    redis::connection& redis_;
    limiter_shared& shared_;
    time_source const& clock_;
    limiter_settings const& settings_;
    limiter_metrics& metrics_;
    timer_type again_;
    std::optional<generation> under_;
    bool polling_{false};
    bool reporting_{false};
    bool must_report_{false}; // what a new generation, or one that took no writes, is to be told
    bool in_error_{false};
    bool error_since_poll_{false};
    std::shared_ptr<void> alive_{std::make_shared<char>()}; // of whom the timer asks whether this still exists
};

} // namespace recruiting::gateway
