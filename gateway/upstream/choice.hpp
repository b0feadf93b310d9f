// Which of a service's addresses gets a request: the one with the fewest in progress, of the best rank there is. Ranks
// come from each address's health. Pure.
#pragma once
#include "async/ticker.hpp"

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace recruiting::gateway {

/// Each rank is used only when there is none of the ranks before it.
enum class address_rank : std::uint8_t {
    healthy,
    doubtful, // can be connected to, but reports that it is not ready, or lost requests
    trial,    // could not be connected to; one request at a time finds out whether it still can't
    down,     // known to be unavailable: nothing is sent
};

struct candidate {
    std::uint32_t id{0};
    address_rank rank{address_rank::healthy};
    std::uint32_t share{100}; // per cent of its part of the requests, while it returns
    std::uint32_t in_flight{0};
};

/// The addresses one request has failed on.
class tried_addresses {
public:
    void add(std::uint32_t id) noexcept {
        if (failed_.size() < failed_.capacity()) failed_.push_back(id);
    }
    /// One that may be at fault, or not: its connection was lost, but may only have been closed while it lay idle.
    void avoid(std::uint32_t id) noexcept { avoided_ = id; }
    [[nodiscard]] bool avoids(std::uint32_t id) const noexcept { return avoided_ == id; }
    [[nodiscard]] bool holds(std::uint32_t id) const noexcept {
        return std::find(failed_.begin(), failed_.end(), id) != failed_.end();
    }

private:
    boost::container::static_vector<std::uint32_t, 16> failed_; // as many as the setting of tries allows
    std::optional<std::uint32_t> avoided_;
};

/// nullptr: there is none. random: breaks ties, and decides whether an address that returns is considered.
[[nodiscard]] candidate* choose(std::span<candidate* const> all, tried_addresses const& tried,
                                std::uint32_t random) noexcept;

/// What one health check found, or what all so far amount to; unknown: there was none yet.
enum class health_state : std::uint8_t { unknown, ready, unready, refused, silent };

/// A check without an answer may be a lost packet or a full processor: two in a row make the address silent. in_row
/// counts them.
[[nodiscard]] inline health_state evaluate(health_state before, health_state found, unsigned& in_row) noexcept {
    in_row = found == health_state::silent ? in_row + 1 : 0;
    return in_row == 1 ? before : found;
}

struct ejection_policy {
    std::int64_t failures{3}; // in a row
    std::chrono::milliseconds time{5'000};
    std::chrono::milliseconds longest{60'000};
    std::chrono::milliseconds slow_start{10'000};
};

/// One thread's assessment of one address, from failures of its own requests and the process's health checks. A state
/// machine without I/O.
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
    bool note_state(health_state found, time_point now) noexcept;
    /// Lets time pass: an ejection ends, an address has returned.
    void advance(time_point now) noexcept;

    [[nodiscard]] address_rank rank(time_point now) const noexcept;
    [[nodiscard]] std::uint32_t share(time_point now) const noexcept; // 10 to 100
    [[nodiscard]] bool ejected() const noexcept { return ejected_until_.has_value(); }

private:
    void begin_return(time_point now) noexcept;

    ejection_policy const& policy_;
    health_state state_{health_state::unknown};
    bool reached_{false}; // with the last failure
    bool proven_{false};  // a trial succeeded after the health check had failed
    unsigned failures_{0};
    unsigned ejections_{0}; // since it last was well for long
    std::optional<time_point> ejected_until_;
    std::optional<time_point> returned_at_; // while it gets less than its part
    time_point trial_at_{};
};

} // namespace recruiting::gateway
