// Which failed calls of a model server are repeated, and when. Only those that it surely did not begin to work on: a
// failed connect, 429 and 503. Pure.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>

namespace recruiting::auth_api::agent {

struct failed_attempt {
    bool not_sent{false}; // the connection was never made
    unsigned status{0};   // 0: no answer
    std::optional<std::chrono::seconds> retry_after;
};

struct retry_state {
    std::int64_t retries{0}; // made so far
    std::int64_t limit{0};
    std::chrono::milliseconds left{0}; // to the deadline
    double jitter{0};                  // from 0 to 1, anew for each
};

/// How long to wait before the next try; nullopt: none, because it may have been worked on, too many were made, or the
/// wait would not leave any time. The wait doubles from one to the next, half of it by chance so that many callers
/// don't return at once; a server that says when to come back is not asked earlier.
[[nodiscard]] std::optional<std::chrono::milliseconds> retry_pause(failed_attempt const& failed,
                                                                   retry_state const& state) noexcept;

} // namespace recruiting::auth_api::agent
