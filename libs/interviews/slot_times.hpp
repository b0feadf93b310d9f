// Wall-clock times as people write them, and the slots they mean: chosen weekdays, a daily window, one slot after
// the other. Pure.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "zones/zone.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::interviews {

struct clock_time {
    int hour{0}, minute{0};
};
/// "2026-11-23T09:00", or "2026-11-23" with fallback as its time. nullopt: neither, no such day, or
/// a year before 1900 or after 2199.
[[nodiscard]] std::optional<zones::wall_clock> parse_wall_clock(std::string_view text, clock_time fallback);

using weekday_set = std::array<bool, 7>; // from Sunday
/// "mon-fri", "tue", "sat-sun", "fri-mon". nullopt: something else among them.
[[nodiscard]] std::optional<weekday_set> parse_weekdays(std::vector<std::string> const& items);

struct slot_time {
    timestamp starts_at;
    timestamp ends_at;
};
struct slot_pattern {
    zones::wall_clock from; // first day, and when the window opens on each
    zones::wall_clock to;   // last day, and when it closes on each
    std::chrono::minutes duration{0};
    weekday_set weekdays{};
    std::string zone;
};
/// Slots back to back from the window's opening, as many as end by its closing. Times that a clock change skips are
/// left out, of those it repeats the first is taken. Nothing begins before `now`. Stops after `most`.
[[nodiscard]] std::vector<slot_time> plan_slots(slot_pattern const& pattern, timestamp now, std::size_t most);
/// The slots of the pattern that began within the day before `now`, and so are planned no more.
[[nodiscard]] std::vector<slot_time> slots_gone_by(slot_pattern const& pattern, timestamp now);

/// Whether the last day is at most so many days from the date of today in the time zone that is furthest ahead.
[[nodiscard]] bool ends_within(slot_pattern const& pattern, std::chrono::days ahead, timestamp now);

/// A time at which an interviewer is booked or offered already.
struct occupied_time {
    slot_time when;
    bool same_stage{false}; // a slot of the stage in question
};
struct sorted_slots {
    std::vector<slot_time> past; // begun within the last day
    std::vector<slot_time> added;
    std::vector<slot_time> known;   // of this stage, at exactly that time
    std::vector<slot_time> skipped; // the interviewer is offered or booked elsewhere then
};
/// Which of the planned times are new, exist already, or overlap something else. planned is in the order of plan_slots;
/// both lists are passed through once.
[[nodiscard]] sorted_slots sort_slots(std::vector<slot_time> const& planned, std::vector<occupied_time> occupied);

} // namespace recruiting::interviews
