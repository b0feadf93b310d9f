// What one thread thinks of one address: failures of its own requests, and what the process's health checks say. A
// state machine without I/O.
#pragma once
#include "async/ticker.hpp"
#include "gateway/upstream_choice.hpp"

#include <chrono>
#include <cstdint>

namespace recruiting::gateway {

/// What one look at an address found.
enum class check_result : std::uint8_t { ready, unready, refused, silent };
/// What the looks so far say.
enum class health_verdict : std::uint8_t { unknown, ready, unready, refused, silent };

/// A check without an answer may be a lost packet or a full processor: two in a row make the address silent. in_row
/// counts them.
[[nodiscard]] health_verdict judge(health_verdict before, check_result found, unsigned& in_row) noexcept;

struct ejection_policy {
    std::int64_t failures{3}; // in a row
    std::chrono::milliseconds time{5'000};
    std::chrono::milliseconds longest{60'000};
    std::chrono::milliseconds slow_start{10'000};
};

class address_health {
public:
    using time_point = coarse_clock::time_point;
    static constexpr std::chrono::milliseconds trial_pause{250};

    explicit address_health(ejection_policy const& policy) : policy_(policy) {}

    /// A request was answered. trial: it was sent although the address was thought to fail. What was sent before it
    /// failed and is answered now proves nothing.
    void note_success(bool trial, time_point now) noexcept {
        failures_ = 0;
        if (trial) begin_return(now);
    }
    /// No connection (reached: there was one, but no answer on it). true: this ejects it.
    bool note_failure(bool reached, time_point now) noexcept;
    /// true: the address is worse than it was.
    bool note_verdict(health_verdict said, time_point now) noexcept;
    /// Lets time pass: an ejection ends, an address has returned.
    void advance(time_point now) noexcept;

    [[nodiscard]] address_rank rank(time_point now) const noexcept;
    [[nodiscard]] std::uint32_t share(time_point now) const noexcept; // 10 to 100
    [[nodiscard]] bool ejected() const noexcept { return ejected_; }

private:
    void begin_return(time_point now) noexcept;

    ejection_policy const& policy_;
    health_verdict verdict_{health_verdict::unknown};
    bool ejected_{false};
    bool reached_{false}; // with the last failure
    bool proven_{false};  // a trial says better than the verdict
    bool returning_{false};
    unsigned failures_{0};
    unsigned ejections_{0}; // since it last was well for long
    time_point ejected_until_{};
    time_point returned_at_{};
    time_point trial_at_{};
};

} // namespace recruiting::gateway
