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

} // namespace recruiting
