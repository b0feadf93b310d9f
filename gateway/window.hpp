// The fixed window on the clock, a minute unless set otherwise (specification: Limits; design: Edge). Its number is
// part of the key, so when a key expires can't change an answer. Pure.
#pragma once
#include "core/time.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace recruiting::gateway {

struct window {
    std::int64_t number{0}; // windows since 1970
    int seconds_left{60};   // 1 to the window's length
    bool operator==(window const&) const = default;
};

[[nodiscard]] inline window window_at(timestamp now, std::int64_t length = 60) noexcept {
    auto const seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
    return {seconds / length, static_cast<int>(length - seconds % length)};
}

/// What the ceiling says about one request. rank: its place among the client's requests of the window, from 1 on.
struct verdict {
    bool allowed{true};
    std::int64_t limit{0};
    std::int64_t remaining{0};
    int seconds_left{60};
    int window_seconds{60};
    bool shadow{false}; // only counted: the client is neither refused nor told
    bool over{false};   // refused, or would be
    bool operator==(verdict const&) const = default;
};

/// How one prefix is limited.
struct ceiling_policy {
    std::int64_t limit{600};
    std::int64_t window_seconds{60};
    bool shadow{false};
};

[[nodiscard]] inline verdict judge(std::int64_t rank, ceiling_policy const& policy, int seconds_left) noexcept {
    bool const over = rank > policy.limit;
    return {!over || policy.shadow,
            policy.limit,
            std::max<std::int64_t>(0, policy.limit - rank),
            seconds_left,
            static_cast<int>(policy.window_seconds),
            policy.shadow,
            over};
}

} // namespace recruiting::gateway
