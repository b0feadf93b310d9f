// The ceiling of one thread: collects the requests of an event-loop turn, counts them in Redis with one pipelined write
// (one INCRBY a client), and ranks them by the totals that come back. While a write is under way and Redis is quick,
// requests wait for its answer and go together. Redis away, slow or in error: the process's own table counts. Called by
// session; calls redis::connection, reign_watch and count_table.
#pragma once
#include "async/completion.hpp"
#include "gateway/ceiling_settings.hpp"
#include "gateway/reign_watch.hpp"
#include "gateway/turn.hpp"
#include "redis/connection.hpp"

#include <array>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

namespace recruiting::gateway {

class ceiling {
public:
    ceiling(asio::io_context& context, redis::connection& redis, ceiling_shared& shared, time_source const& clock,
            ceiling_settings settings, ceiling_metrics& counters);

    [[nodiscard]] bool counts() const noexcept { return settings_.counts; }
    /// When Redis need not or can't be asked: the client is over its ceiling already, or Redis is away.
    [[nodiscard]] std::optional<verdict> at_once(route const& to, ip_address const& client);
    /// Counts the request with the others of this turn. Takes 50 ms at most.
    [[nodiscard]] task<verdict> in_turn(route const& to, ip_address const& client);
    /// For the connection's on_state.
    void redis_changed(bool up, std::string_view why);

private:
    using timer_type = asio::basic_waitable_timer<std::chrono::steady_clock,
                                                  asio::wait_traits<std::chrono::steady_clock>, io_executor>;
    struct over_clients {
        std::int64_t window{0};
        std::unordered_set<ip_address> known; // until the window ends
    };

    [[nodiscard]] window window_of(std::size_t policy) const;
    void join(std::size_t policy, ip_address const& counted, completion<verdict> resume);
    [[nodiscard]] bool may_hold() const noexcept;
    void hold();
    void post_flush();
    void flush();
    void count_alone(turn& done);
    // ceiling_settle.cpp
    void settle(turn* sent, redis::outcome what, std::vector<redis::reply>& replies);
    [[nodiscard]] std::int64_t base_of(turn::group const& one, reign under, redis::outcome what,
                                       std::vector<redis::reply> const& replies);
    void fail(std::string_view why);
    void give_lifetime(turn::group const& one, reign under);
    void answer(turn::group& one, std::int64_t base);
    [[nodiscard]] verdict decide(std::size_t policy, count_table::client const& who, std::int64_t rank,
                                 int seconds_left);
    static void remember_over(over_clients& over, count_table::client const& who);

    asio::io_context& context_;
    redis::connection& redis_;
    ceiling_shared& shared_;
    time_source const& clock_;
    ceiling_settings const settings_;
    ceiling_metrics& metrics_;
    reign_watch reigns_;
    timer_type held_too_long_;
    std::vector<std::unique_ptr<turn>> spare_;
    std::unique_ptr<turn> open_; // what joins now
    redis::batch commands_;      // storage to reuse, as is the next
    std::string key_;
    std::array<over_clients, service_count> over_;
    std::chrono::steady_clock::duration round_trip_{}; // of late
    int under_way_{0};                                 // writes
    bool flush_posted_{false};
    bool hold_armed_{false};
    bool away_{false};
    std::shared_ptr<void> alive_{std::make_shared<char>()}; // of whom timers and posted work ask whether this exists
};

} // namespace recruiting::gateway
