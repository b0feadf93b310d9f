// What a client's number in a window means for its request (proto-docs/limits.md). Pure.
#pragma once
#include "rate_limit/counts.hpp"

#include <algorithm>
#include <string_view>

namespace recruiting::gateway {

using rate_limit::window_at;

/// Of the limit of all requests of a client, in RateLimit and in metrics.
inline constexpr std::string_view total_limit_name = "total";

/// The rate limit's decision about one request.
struct decision {
    bool allowed{true};
    std::int64_t limit{0};
    std::int64_t remaining{0};
    int seconds_left{60};
    std::int64_t window_seconds{60};
    bool shadow{false};          // only counted: nothing is refused or announced
    bool over{false};            // refused, or would be
    std::string_view name{"ip"}; // of the limit, as RateLimit has it
    bool operator==(decision const&) const = default;
    [[nodiscard]] std::string_view text() const noexcept {
        return !over ? "allowed" : shadow ? "shadow_rejected" : "rejected";
    }
};

/// About the request that is its client's number-th of the window.
[[nodiscard]] inline decision evaluate(rate_limit::count const& counted, std::int64_t limit,
                                       std::int64_t window_seconds = 60, bool shadow = false) noexcept {
    bool const over = counted.number > limit;
    auto const remaining = std::max<std::int64_t>(0, limit - counted.number);
    return {!over || shadow, limit, remaining, counted.seconds_left, window_seconds, shadow, over};
}

} // namespace recruiting::gateway
