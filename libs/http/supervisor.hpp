// What a program reports to the supervisor that started it (sd_notify(3), systemd): ready, reloading, stopping, alive.
// Without a supervisor ($NOTIFY_SOCKET) nothing is sent.
#pragma once
#include <atomic>
#include <chrono>
#include <optional>
#include <string_view>

namespace recruiting::http::supervisor {

void ready() noexcept;
/// Begins a reload; ready() ends it.
void reloading() noexcept;
/// Makes the supervisor's timeout at least `at_most` and some seconds.
void stopping(std::chrono::milliseconds at_most) noexcept;
void alive() noexcept;

/// How often the supervisor wants to hear alive(), as its variables say. Nothing: it does not watch, or watches another
/// process (pid names it; a child inherits the variables of its parent).
[[nodiscard]] std::optional<std::chrono::microseconds> watch_interval(char const* usec, char const* pid,
                                                                      long own_pid) noexcept;
/// Reads the interval from WATCHDOG_USEC and WATCHDOG_PID.
[[nodiscard]] std::optional<std::chrono::microseconds> watch_interval() noexcept;

/// The sign of life of one thread's loop: stamped by the loop, read by the watcher.
class pulse {
public:
    using clock = std::chrono::steady_clock;

    void beat(clock::time_point now) noexcept { last_.store(now, std::memory_order_relaxed); }
    /// The loop has ended: no further beat is expected.
    void end() noexcept { last_.store(clock::time_point::max(), std::memory_order_relaxed); }
    [[nodiscard]] bool beats(clock::time_point now, clock::duration timeout) const noexcept {
        auto const last = last_.load(std::memory_order_relaxed);
        return last > now || now - last <= timeout;
    }

private:
    std::atomic<clock::time_point> last_{clock::time_point{}};
    static_assert(std::atomic<clock::time_point>::is_always_lock_free);
};

} // namespace recruiting::http::supervisor
