#include "core/time_reading.hpp"

namespace recruiting {
namespace {

using namespace std::chrono;

// Takes digits of fixed width from the front; false when the text does not begin with them.
bool take(std::string_view& text, std::size_t width, int& value) noexcept {
    if (text.size() < width) return false;
    value = 0;
    for (char const c : text.substr(0, width)) {
        if (c < '0' || c > '9') return false;
        value = value * 10 + (c - '0');
    }
    text.remove_prefix(width);
    return true;
}

bool take(std::string_view& text, char expected) noexcept {
    if (text.empty() || text.front() != expected) return false;
    text.remove_prefix(1);
    return true;
}

bool take_either(std::string_view& text, char a, char b) noexcept { return take(text, a) || take(text, b); }

bool take_fraction(std::string_view& text, int& micros) noexcept {
    if (!take_either(text, '.', ',')) return true;
    int digits = 0;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1)) {
        if (digits == 6) continue;
        micros = micros * 10 + (text.front() - '0');
        ++digits;
    }
    for (int i = digits; i < 6; ++i) micros *= 10;
    return digits > 0;
}

// Everything before the offset.
std::optional<timestamp> take_local_time(std::string_view& text) noexcept {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, micros = 0;
    if (!take(text, 4, year) || !take(text, '-') || !take(text, 2, month) || !take(text, '-') || !take(text, 2, day) ||
        !take_either(text, 'T', 't') || !take(text, 2, hour) || !take(text, ':') || !take(text, 2, minute))
        return std::nullopt;
    if (take(text, ':') && (!take(text, 2, second) || !take_fraction(text, micros))) return std::nullopt;
    year_month_day const date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                              std::chrono::day{static_cast<unsigned>(day)}};
    bool const leaps = hour == 23 && minute == 59 && second == 60;
    if (!date.ok() || hour > 23 || minute > 59 || (second > 59 && !leaps)) return std::nullopt;
    return timestamp{sys_days{date}.time_since_epoch() + hours{hour} + minutes{minute} + seconds{second} +
                     microseconds{micros}};
}

struct offset {
    std::chrono::minutes from_utc{0};
    bool ahead{true}; // -00:00 means "UTC, and the local time is not known" (RFC 3339 section 4.3)
};

// The whole text as an offset.
std::optional<offset> read_offset(std::string_view text) noexcept {
    if (text == "Z" || text == "z") return offset{};
    bool const ahead = take(text, '+');
    if (!ahead && !take(text, '-')) return std::nullopt;
    int hours = 0;
    int rest = 0;
    if (!take(text, 2, hours)) return std::nullopt;
    bool const colon = take(text, ':');
    if ((colon || !text.empty()) && !take(text, 2, rest)) return std::nullopt;
    if (!text.empty() || hours > 23 || rest > 59) return std::nullopt;
    return offset{std::chrono::minutes{(ahead ? 1 : -1) * (hours * 60 + rest)}, ahead};
}

// PostgreSQL has no year 0, and what is written has four digits.
bool has_writable_year(timestamp time) noexcept {
    auto const year = year_month_day{floor<days>(time)}.year();
    return year >= std::chrono::year{1} && year <= std::chrono::year{9999};
}

} // namespace

time_reading read_utc_time(std::string_view text) noexcept {
    auto const local = take_local_time(text);
    if (!local || !has_writable_year(*local)) return {{}, time_fault::malformed};
    if (text.empty()) return {{}, time_fault::no_offset};
    auto const zone = read_offset(text);
    if (!zone) return {{}, time_fault::malformed};
    if (zone->from_utc != std::chrono::minutes{0} || !zone->ahead) return {{}, time_fault::not_utc};
    return {*local};
}

std::optional<timestamp> parse_time(std::string_view text) noexcept {
    auto const read = read_utc_time(text);
    return read.fault == time_fault::none ? std::optional(read.at) : std::nullopt;
}

std::optional<timestamp> parse_time_with_offset(std::string_view text) noexcept {
    auto const local = take_local_time(text);
    auto const zone = read_offset(text);
    if (!local || !zone) return std::nullopt;
    auto const time = *local - zone->from_utc;
    return has_writable_year(time) ? std::optional(time) : std::nullopt;
}

std::string_view advice_on(time_fault fault) noexcept {
    switch (fault) {
    case time_fault::none: return "";
    case time_fault::malformed: return "Must be an ISO 8601 date and time in UTC, such as 2026-01-31T09:30:00Z.";
    case time_fault::no_offset: return "Must say that it is in UTC: end the time with Z, such as 2026-01-31T09:30:00Z.";
    case time_fault::not_utc:
        return "Must be in UTC: convert the time and end it with Z, such as 2026-01-31T09:30:00Z.";
    }
    return "";
}

} // namespace recruiting
