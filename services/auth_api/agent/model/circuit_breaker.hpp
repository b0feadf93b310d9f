// Stops calling a server that fails, and tries it again after a pause. Pure: the time is given.
//
//   closed ──N failures in a row──> open ──pause over, one try──> trying ──success──> closed
//                                    ^                              │
//                                    └──────────── failure ─────────┘
// A try that never ends (its run was cancelled) is followed by another one a pause later.
#pragma once
#include <chrono>
#include <cstdint>

namespace recruiting::auth_api::agent {

class circuit_breaker {
public:
    using time_point = std::chrono::steady_clock::time_point;

    circuit_breaker(std::int64_t failures, std::chrono::milliseconds pause) : limit_(failures), pause_(pause) {}

    /// May something new begin? Past the pause this takes the one try.
    [[nodiscard]] bool admits(time_point now) noexcept {
        if (!open_) return true;
        if (now < until_) return false;
        trying_ = true;
        until_ = now + pause_;
        return true;
    }
    /// May what has begun go on calling? While open only as the try.
    [[nodiscard]] bool lets_pass(time_point now) noexcept { return trying_ || admits(now); }
    void succeeded() noexcept {
        failures_ = 0;
        open_ = trying_ = false;
    }
    void failed(time_point now) noexcept {
        if (failures_ < limit_) ++failures_;
        if (!open_ && failures_ < limit_) return;
        open_ = true;
        trying_ = false;
        until_ = now + pause_;
    }
    [[nodiscard]] bool open() const noexcept { return open_; }

private:
    std::int64_t limit_;
    std::chrono::milliseconds pause_;
    std::int64_t failures_{0};
    bool open_{false};
    bool trying_{false};
    time_point until_{};
};

} // namespace recruiting::auth_api::agent
