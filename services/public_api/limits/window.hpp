// Fixed windows on the clock, and what counts of them mean. Pure.
#pragma once
#include "core/error.hpp"
#include "core/time.hpp"
#include "public_api/plan.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::public_api {

struct window {
    std::int64_t number{0}; // since the epoch: hours begin at :00, days at midnight UTC
    timestamp ends_at;
};

[[nodiscard]] window window_at(timestamp now, std::chrono::seconds length) noexcept;

/// "bl:booking_email:…:20780": the window is part of the name, so that an expiry that comes late changes no answer.
[[nodiscard]] std::string count_key(counted_use const& use, timestamp now);

/// counts: of each use, this request included. rate_limited, with Retry-After until all windows that are full have
/// ended; nothing when none is.
[[nodiscard]] std::optional<api_error> refuse_over(std::vector<counted_use> const& uses,
                                                   std::vector<std::int64_t> const& counts, timestamp now);

} // namespace recruiting::public_api
