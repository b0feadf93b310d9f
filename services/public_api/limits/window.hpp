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

/// "bl:booking_address:…:20780": the window is part of the name, so that an expiry that comes late changes no answer.
[[nodiscard]] std::string count_key(counted_use const& use, timestamp now);

/// rate_limited, with Retry-After until all windows that are full have ended, and which they are: in the error's
/// details and as the values of RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers). The one that
/// ends last comes first.
struct limit_refusal {
    api_error error;
    std::string policy;
    std::string state;
};

/// counts: of each use, this request included. Nothing when none that refuses is over.
[[nodiscard]] std::optional<limit_refusal> refuse_over(std::vector<counted_use> const& uses,
                                                       std::vector<std::int64_t> const& counts, timestamp now);

} // namespace recruiting::public_api
