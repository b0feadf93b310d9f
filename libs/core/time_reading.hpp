// Reads the date-times that clients write: ISO 8601 in UTC. A refusal can say what is wrong with a text and what to
// write instead. Pure.
#pragma once
#include "core/time.hpp"

namespace recruiting {

enum class time_fault { none, malformed, no_offset, not_utc };

struct time_reading {
    timestamp at;
    time_fault fault{time_fault::none};
};

/// "2026-01-31T09:30:00Z". The seconds may be absent, or have a fraction of any length after "." or ",", which is cut
/// after six digits. T and Z may be lower case; +00:00, +0000 and +00 mean Z. Years 0001 to 9999. A leap second
/// (23:59:60) is the second after it.
[[nodiscard]] time_reading read_utc_time(std::string_view text) noexcept;

/// The same with any offset: files of other systems have local times.
[[nodiscard]] std::optional<timestamp> parse_time_with_offset(std::string_view text) noexcept;

/// Public text: how to write the time instead.
[[nodiscard]] std::string_view advice_on(time_fault fault) noexcept;

} // namespace recruiting
