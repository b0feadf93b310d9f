#include "zones/zone.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <date/tz.h>
#include <stdexcept>

namespace recruiting::zones {
namespace {

using namespace std::chrono;

// The zones that browsers of Unicode's CLDR report by a former name. services/public_api/widget/format.js has the same.
constexpr std::array renamed_zones = std::to_array<renamed_zone>({
    {"Africa/Asmera", "Africa/Asmara"},
    {"America/Buenos_Aires", "America/Argentina/Buenos_Aires"},
    {"America/Catamarca", "America/Argentina/Catamarca"},
    {"America/Coral_Harbour", "America/Atikokan"},
    {"America/Cordoba", "America/Argentina/Cordoba"},
    {"America/Godthab", "America/Nuuk"},
    {"America/Indianapolis", "America/Indiana/Indianapolis"},
    {"America/Jujuy", "America/Argentina/Jujuy"},
    {"America/Louisville", "America/Kentucky/Louisville"},
    {"America/Mendoza", "America/Argentina/Mendoza"},
    {"Asia/Calcutta", "Asia/Kolkata"},
    {"Asia/Katmandu", "Asia/Kathmandu"},
    {"Asia/Rangoon", "Asia/Yangon"},
    {"Asia/Saigon", "Asia/Ho_Chi_Minh"},
    {"Atlantic/Faeroe", "Atlantic/Faroe"},
    {"Europe/Kiev", "Europe/Kyiv"},
    {"Pacific/Enderbury", "Pacific/Kanton"},
    {"Pacific/Ponape", "Pacific/Pohnpei"},
    {"Pacific/Truk", "Pacific/Chuuk"},
});

date::time_zone const* locate(std::string_view name) noexcept {
    try {
        return date::locate_zone(name);
    } catch (std::exception const&) {
        return nullptr;
    }
}

// Only names of the database's own list are found: no path reaches a file. "localtime" is in it, and means whatever
// the machine is set to. A database without one of a zone's two names has the other.
date::time_zone const* find_zone(std::string_view name) noexcept {
    if (name == "localtime") return nullptr;
    if (auto const* const found = locate(name)) return found;
    for (auto const& [former, current] : renamed_zones) {
        if (name == former) return locate(current);
        if (name == current) return locate(former);
    }
    return nullptr;
}

date::time_zone const& require_zone(std::string_view name) {
    auto const* const found = find_zone(name);
    if (found == nullptr) throw std::invalid_argument("not a time zone: " + std::string(name));
    return *found;
}

std::string format_offset(minutes offset) {
    auto const size = offset < 0min ? -offset : offset;
    char text[16];
    std::snprintf(text, sizeof text, "%c%02d:%02d", offset < 0min ? '-' : '+', static_cast<int>(size / 1h),
                  static_cast<int>(size % 1h / 1min));
    return text;
}

} // namespace

bool is_zone(std::string_view name) noexcept { return find_zone(name) != nullptr; }

std::span<renamed_zone const> renamed() noexcept { return renamed_zones; }

std::string_view current_name(std::string_view name) noexcept {
    auto const* const found = std::ranges::find(renamed_zones, name, &renamed_zone::former);
    return found == renamed_zones.end() ? name : found->current;
}

local_time to_local(timestamp time, std::string_view zone) {
    auto const whole = floor<seconds>(time);
    auto const info = require_zone(zone).get_info(whole);
    auto const shown = whole + info.offset; // the wall clock's reading, as if it were UTC
    auto const day = floor<days>(shown);
    year_month_day const on{day};
    hh_mm_ss const at{shown - day};
    return {static_cast<int>(on.year()),
            static_cast<int>(static_cast<unsigned>(on.month())),
            static_cast<int>(static_cast<unsigned>(on.day())),
            static_cast<int>(at.hours().count()),
            static_cast<int>(at.minutes().count()),
            static_cast<int>(at.seconds().count()),
            static_cast<int>(weekday{day}.c_encoding()),
            round<minutes>(info.offset)};
}

std::string format_local(timestamp time, std::string_view zone) {
    auto const at = to_local(time, zone);
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d", at.year, at.month, at.day, at.hour, at.minute,
                  at.second);
    return text + format_offset(at.offset);
}

std::optional<timestamp> from_local(wall_clock const& at, std::string_view zone) {
    year_month_day const on{year{at.year}, month{static_cast<unsigned>(at.month)}, day{static_cast<unsigned>(at.day)}};
    if (!on.ok() || at.hour < 0 || at.hour > 23 || at.minute < 0 || at.minute > 59) return std::nullopt;
    auto const shown = sys_days{on} + hours{at.hour} + minutes{at.minute};
    auto const info = require_zone(zone).get_info(date::local_seconds{shown.time_since_epoch()});
    if (info.result == date::local_info::nonexistent) return std::nullopt;
    return timestamp{shown - info.first.offset}; // of an ambiguous one, first is what held before the change
}

} // namespace recruiting::zones
