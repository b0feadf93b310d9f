// How long what failed waits before it is tried again. Pure.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace recruiting::auth_api {

/// After so many attempts (the first is 1): doubles from first to longest, lengthened or shortened by up to a fifth
/// (chance is from 0 to 1), and never longer than longest.
[[nodiscard]] inline std::chrono::milliseconds growing_pause(std::chrono::milliseconds first,
                                                             std::chrono::milliseconds longest, std::int64_t attempts,
                                                             double chance) {
    auto pause = std::min(first, longest);
    for (std::int64_t attempt = 1; attempt < attempts && pause < longest; ++attempt)
        pause = std::min(pause * 2, longest);
    auto const spread = 0.8 + 0.4 * chance;
    std::chrono::milliseconds const varied{std::llround(static_cast<double>(pause.count()) * spread)};
    return std::clamp(varied, std::chrono::milliseconds{1}, longest);
}

} // namespace recruiting::auth_api
