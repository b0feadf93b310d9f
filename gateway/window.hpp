// The fixed one-minute window on the clock (specification: Limits; design: Edge). Its number is part of the key, so
// when a key expires can't change an answer. Pure.
#pragma once
#include "core/time.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace recruiting::gateway {

inline constexpr std::int64_t window_seconds = 60;

struct window {
    std::int64_t number{0}; // minutes since 1970
    int seconds_left{60};   // 1 to 60
    bool operator==(window const&) const = default;
};

[[nodiscard]] inline window window_at(timestamp now) noexcept {
    auto const seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
    return {seconds / window_seconds, static_cast<int>(window_seconds - seconds % window_seconds)};
}

/// "rl:api:203.0.113.7:29384756"
inline void append_count_key(std::string& out, std::string_view policy, std::string_view client, std::int64_t number) {
    out.append("rl:").append(policy).append(":").append(client).append(":").append(std::to_string(number));
}

/// What the ceiling says about one request. rank: its place among the client's requests of the window, from 1 on.
struct verdict {
    bool allowed{true};
    std::int64_t limit{0};
    std::int64_t remaining{0};
    int seconds_left{60};
    bool operator==(verdict const&) const = default;
};

[[nodiscard]] inline verdict judge(std::int64_t rank, std::int64_t limit, int seconds_left) noexcept {
    return {rank <= limit, limit, std::max<std::int64_t>(0, limit - rank), seconds_left};
}

} // namespace recruiting::gateway
