// Time zones by their IANA name, from the system's tzdata (Debian package tzdata), daylight saving time and all.
#pragma once
#include "core/time.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::zones {

/// "Europe/Berlin", "UTC": known to the system by this name or another of the same zone, and a name, not a path.
[[nodiscard]] bool is_zone(std::string_view name) noexcept;

struct renamed_zone {
    std::string_view former;
    std::string_view current;
};
[[nodiscard]] std::span<renamed_zone const> renamed() noexcept;
/// "Asia/Kolkata" of "Asia/Calcutta": the name that people are shown. Any other text stays as it is.
[[nodiscard]] std::string_view current_name(std::string_view name) noexcept;

struct local_time {
    int year{0}, month{0}, day{0}, hour{0}, minute{0}, second{0};
    int weekday{0};                 // 0 Sunday … 6 Saturday
    std::chrono::minutes offset{0}; // of local time from UTC
};
/// zone must be one; throws std::invalid_argument when it is not.
[[nodiscard]] local_time to_local(timestamp time, std::string_view zone);
/// "2026-11-24T10:00:00+01:00" (RFC 3339)
[[nodiscard]] std::string format_local(timestamp time, std::string_view zone);

struct wall_clock {
    int year{0}, month{0}, day{0}, hour{0}, minute{0};
};
/// What that wall clock reading means: nullopt where the clock jumps over it; the earlier of the two where it is shown
/// twice.
[[nodiscard]] std::optional<timestamp> from_local(wall_clock const& at, std::string_view zone);

} // namespace recruiting::zones
