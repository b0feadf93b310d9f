#include "core/time.hpp"

#include "core/text.hpp"

namespace recruiting {
namespace {

class system_time_source final : public time_source {
    [[nodiscard]] timestamp now() const override {
        return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
    }
};

char* put_digits(char* out, unsigned value, int width) noexcept {
    for (int i = width - 1; i >= 0; --i, value /= 10) out[i] = static_cast<char>('0' + value % 10);
    return out + width;
}

// "2026-01-31T09:30:00." and as many digits of the second's fraction as wanted; answers hold many times, so it is
// written in one piece.
void append_with_fraction(std::string& text, timestamp time, unsigned fraction, int width) {
    using namespace std::chrono;
    auto const day = floor<days>(time);
    year_month_day const date{day};
    auto const of_day = static_cast<unsigned>(floor<seconds>(time - day).count());
    char buffer[32];
    char* out = put_digits(buffer, static_cast<unsigned>(static_cast<int>(date.year())), 4);
    *out++ = '-';
    out = put_digits(out, static_cast<unsigned>(date.month()), 2);
    *out++ = '-';
    out = put_digits(out, static_cast<unsigned>(date.day()), 2);
    *out++ = 'T';
    out = put_digits(out, of_day / 3600, 2);
    *out++ = ':';
    out = put_digits(out, of_day / 60 % 60, 2);
    *out++ = ':';
    out = put_digits(out, of_day % 60, 2);
    *out++ = '.';
    out = put_digits(out, fraction, width);
    *out++ = 'Z';
    text.append(buffer, out);
}

unsigned micros_of(timestamp time) {
    using namespace std::chrono;
    return static_cast<unsigned>((time - floor<seconds>(time)).count());
}

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

time_source const& system_time() {
    static system_time_source const source;
    return source;
}

void append_time(std::string& out, timestamp time) { append_with_fraction(out, time, micros_of(time) / 1000, 3); }

std::string format_time(timestamp time) {
    std::string out;
    append_time(out, time);
    return out;
}

std::string format_time_micros(timestamp time) {
    std::string out;
    append_with_fraction(out, time, micros_of(time), 6);
    return out;
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) noexcept {
    using namespace std::chrono;
    auto const unit_at = text.find_first_not_of("0123456789");
    if (unit_at == 0 || unit_at == std::string_view::npos || unit_at > 9) return std::nullopt;
    auto const count = parse_number<std::int64_t>(text.substr(0, unit_at)).value_or(0);
    auto const unit = text.substr(unit_at);
    if (unit == "ms") return milliseconds{count};
    if (unit == "s") return seconds{count};
    if (unit == "m") return minutes{count};
    if (unit == "h") return hours{count};
    if (unit == "d") return days{count};
    return std::nullopt;
}

std::string format_duration(std::chrono::milliseconds duration) {
    auto const count = duration.count();
    if (count % 86'400'000 == 0 && count != 0) return std::to_string(count / 86'400'000) + "d";
    if (count % 3'600'000 == 0 && count != 0) return std::to_string(count / 3'600'000) + "h";
    if (count % 60'000 == 0 && count != 0) return std::to_string(count / 60'000) + "m";
    if (count % 1000 == 0) return std::to_string(count / 1000) + "s";
    return std::to_string(count) + "ms";
}

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
    case time_fault::no_offset: return "Must be in UTC: end the time with Z, such as 2026-01-31T09:30:00Z.";
    case time_fault::not_utc:
        return "Must be in UTC: convert the time and end it with Z, such as 2026-01-31T09:30:00Z.";
    }
    return "";
}

} // namespace recruiting
