#include "interviews/slot_times.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::interviews {
namespace {

using namespace std::chrono;

constexpr int first_year = 1900; // no slot is outside these years, which imported records have as well
constexpr int last_year = 2199;

std::optional<int> read_digits(std::string_view text, std::size_t at, std::size_t count) {
    auto const part = text.substr(at, count);
    for (char const c : part)
        if (c < '0' || c > '9') return std::nullopt;
    return parse_number<int>(part);
}

std::optional<clock_time> parse_clock(std::string_view text) {
    if (text.size() != 5 || text[2] != ':') return std::nullopt;
    auto const hour = read_digits(text, 0, 2);
    auto const minute = read_digits(text, 3, 2);
    if (!hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
    return clock_time{*hour, *minute};
}

std::optional<int> weekday_named(std::string_view name) {
    constexpr std::array names = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
    for (int i = 0; i < 7; ++i)
        if (iequals(name, names[static_cast<std::size_t>(i)])) return i;
    return std::nullopt;
}

sys_days day_of(zones::wall_clock const& at) {
    return sys_days{year{at.year} / month{static_cast<unsigned>(at.month)} / day{static_cast<unsigned>(at.day)}};
}

minutes time_of_day(zones::wall_clock const& at) { return hours{at.hour} + minutes{at.minute}; }

std::optional<timestamp> at_clock(sys_days on, minutes clock, std::string const& zone) {
    year_month_day const date{on};
    return zones::from_local({static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
                              static_cast<int>(static_cast<unsigned>(date.day())), static_cast<int>(clock / 1h),
                              static_cast<int>(clock % 1h / 1min)},
                             zone);
}

} // namespace

std::optional<zones::wall_clock> parse_wall_clock(std::string_view text, clock_time fallback) {
    constexpr std::size_t date_size = 10; // "2026-11-23"
    if (text.size() < date_size || text[4] != '-' || text[7] != '-') return std::nullopt;
    auto const y = read_digits(text, 0, 4);
    auto const m = read_digits(text, 5, 2);
    auto const d = read_digits(text, 8, 2);
    if (!y || !m || !d) return std::nullopt;
    if (*y < first_year || *y > last_year) return std::nullopt;
    if (!(year{*y} / month{static_cast<unsigned>(*m)} / day{static_cast<unsigned>(*d)}).ok()) return std::nullopt;
    if (text.size() == date_size) return zones::wall_clock{*y, *m, *d, fallback.hour, fallback.minute};
    auto const clock = text[date_size] == 'T' ? parse_clock(text.substr(date_size + 1)) : std::nullopt;
    if (!clock) return std::nullopt;
    return zones::wall_clock{*y, *m, *d, clock->hour, clock->minute};
}

std::optional<weekday_set> parse_weekdays(std::vector<std::string> const& items) {
    weekday_set chosen{};
    for (auto const& item : items) {
        auto const dash = item.find('-');
        auto const first = weekday_named(item.substr(0, dash));
        auto const last = dash == std::string::npos ? first : weekday_named(item.substr(dash + 1));
        if (!first || !last) return std::nullopt;
        for (int day = *first;; day = (day + 1) % 7) {
            chosen[static_cast<std::size_t>(day)] = true;
            if (day == *last) break;
        }
    }
    return chosen;
}

std::vector<slot_time> plan_slots(slot_pattern const& pattern, timestamp now, std::size_t most) {
    std::vector<slot_time> planned;
    auto const opens = time_of_day(pattern.from);
    auto const closes = time_of_day(pattern.to);
    auto const yesterday = floor<days>(now) - days{1}; // somewhere it is still that day
    for (auto on = std::max(day_of(pattern.from), yesterday); on <= day_of(pattern.to); on += days{1}) {
        if (!pattern.weekdays[weekday{on}.c_encoding()]) continue;
        for (auto clock = opens; clock + pattern.duration <= closes; clock += pattern.duration) {
            auto const start = at_clock(on, clock, pattern.zone);
            if (!start || *start < now) continue;
            // After a skipped hour the wall clock is ahead of the time that passed.
            if (!planned.empty() && *start < planned.back().ends_at) continue;
            if (planned.size() == most) return planned;
            planned.push_back({*start, *start + pattern.duration});
        }
    }
    return planned;
}

std::vector<slot_time> slots_gone_by(slot_pattern const& pattern, timestamp now) {
    auto const most = static_cast<std::size_t>(days{1} / pattern.duration) + 1;
    auto gone = plan_slots(pattern, now - days{1}, most);
    std::erase_if(gone, [now](slot_time const& time) { return time.starts_at >= now; });
    return gone;
}

bool ends_within(slot_pattern const& pattern, days ahead, timestamp now) {
    auto const tomorrow = floor<days>(now) + days{1}; // somewhere it is that day already
    return day_of(pattern.to) <= tomorrow + ahead;
}

sorted_slots sort_slots(std::vector<slot_time> const& planned, std::vector<occupied_time> occupied) {
    std::ranges::sort(occupied, {}, [](occupied_time const& one) { return one.when.starts_at; });
    sorted_slots sorted;
    std::vector<occupied_time> overlapping; // the planned time
    auto next = occupied.begin();
    for (auto const& time : planned) {
        for (; next != occupied.end() && next->when.starts_at < time.ends_at; ++next) overlapping.push_back(*next);
        std::erase_if(overlapping, [&](occupied_time const& other) { return other.when.ends_at <= time.starts_at; });
        auto const is_same = [&](occupied_time const& other) {
            return other.same_stage && other.when.starts_at == time.starts_at && other.when.ends_at == time.ends_at;
        };
        if (std::ranges::any_of(overlapping, is_same)) sorted.known.push_back(time);
        else if (!overlapping.empty()) sorted.skipped.push_back(time);
        else sorted.added.push_back(time);
    }
    return sorted;
}

} // namespace recruiting::interviews
