#include "auth_api/agent/model/retry.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds first_pause{250};
constexpr milliseconds longest_pause{8'000};
constexpr std::int64_t most_doublings = 5; // 250 ms · 2⁵ is the longest pause

} // namespace

std::optional<milliseconds> retry_pause(failed_attempt const& failed, retry_state const& state) noexcept {
    if (!failed.not_sent && failed.status != 429 && failed.status != 503) return std::nullopt;
    if (state.retries >= state.limit) return std::nullopt;
    auto const doubled = first_pause * (std::int64_t{1} << std::min(state.retries, most_doublings));
    auto const longest = static_cast<double>(std::min<milliseconds>(doubled, longest_pause).count());
    milliseconds const own{static_cast<std::int64_t>(longest * (0.5 + state.jitter / 2))};
    auto const pause = failed.retry_after ? *failed.retry_after + own : own;
    if (pause >= state.left) return std::nullopt;
    return pause;
}

} // namespace recruiting::auth_api::agent
