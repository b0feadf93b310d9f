// The coarse clock of a thread: one timer for every deadline of it, instead of a timer a read.
#pragma once
#include "async/task.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <chrono>
#include <functional>
#include <list>

namespace recruiting {

using coarse_clock = std::chrono::steady_clock;
using timer_type = asio::basic_waitable_timer<coarse_clock, asio::wait_traits<coarse_clock>, io_executor>;

class ticker {
public:
    using subscription = std::list<std::function<void(coarse_clock::time_point)>>::iterator;

    explicit ticker(asio::io_context& context, std::chrono::milliseconds interval = std::chrono::milliseconds{250});

    /// The time of the last tick: what deadlines are counted from.
    [[nodiscard]] coarse_clock::time_point now() const noexcept { return now_; }
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept { return interval_; }
    /// Called at every tick until unsubscribed. A callback must not unsubscribe others than itself.
    [[nodiscard]] subscription subscribe(std::function<void(coarse_clock::time_point)> on_tick);
    void unsubscribe(subscription which) { subscribers_.erase(which); }
    void stop();

private:
    void wait();

    timer_type timer_;
    std::chrono::milliseconds interval_;
    coarse_clock::time_point now_{coarse_clock::now()};
    std::list<std::function<void(coarse_clock::time_point)>> subscribers_;
    bool stopped_{false};
};

/// Suspends the calling coroutine for a while.
[[nodiscard]] task<void> sleep_for(std::chrono::milliseconds duration);

} // namespace recruiting
