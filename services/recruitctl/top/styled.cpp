#include "recruitctl/top/styled.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace recruiting::recruitctl::top {

std::size_t width_of(std::string_view text) noexcept { return count_characters(text); }

void cut(line& of, std::size_t columns) {
    std::size_t used = 0;
    for (auto& one : of) {
        std::size_t bytes = 0;
        for (; bytes < one.text.size(); ++bytes) {
            if (is_utf8_continuation(one.text[bytes])) continue;
            if (used == columns) break;
            ++used;
        }
        one.text.resize(bytes);
    }
}

std::string to_text(std::vector<line> const& lines) {
    std::string out;
    for (auto const& one : lines) {
        std::string text;
        for (auto const& part : one) text += part.text;
        text.resize(text.find_last_not_of(' ') + 1);
        out += text + '\n';
    }
    return out;
}

namespace {

std::string with_digits(double value, int digits) {
    std::array<char, 32> buffer{};
    auto const size = std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, value);
    return {buffer.data(), static_cast<std::size_t>(std::max(size, 0))};
}

std::string scaled(double value, std::array<char const*, 4> const& units) {
    std::size_t unit = 0;
    while (unit + 1 < units.size() && value >= 999.5) {
        value /= 1000;
        ++unit;
    }
    auto const digits = value >= 99.95 || (unit == 0 && value == std::floor(value)) ? 0
                        : value < 0.0995 && unit == 0                               ? 2
                                                                                    : 1;
    return with_digits(value, digits) + units[unit];
}

} // namespace

std::string short_number(std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return "-";
    return *value < 0 ? "-" + scaled(-*value, {"", "k", "M", "G"}) : scaled(*value, {"", "k", "M", "G"});
}

std::string short_time(std::optional<double> seconds) {
    if (!seconds || !std::isfinite(*seconds)) return "-";
    auto const value = *seconds;
    if (value <= 0) return "0s";
    if (value < 0.00995) return with_digits(value * 1000, 1) + "ms";
    if (value < 0.9995) return with_digits(value * 1000, 0) + "ms";
    if (value < 9.95) return with_digits(value, 1) + "s";
    if (value < 119.5) return with_digits(value, 0) + "s";
    if (value < 7170) return with_digits(value / 60, 0) + "m";
    return with_digits(value / 3600, 0) + "h";
}

std::string short_size(std::optional<double> bytes) {
    if (!bytes || !std::isfinite(*bytes) || *bytes < 0) return "-";
    return scaled(*bytes, {"", "k", "M", "G"});
}

std::string short_share(std::optional<double> share) {
    if (!share || !std::isfinite(*share)) return "-";
    return with_digits(std::max(*share, 0.0) * 100, 0) + "%";
}

std::string sparkline(std::deque<double> const& values, std::size_t columns, bool utf8) {
    constexpr std::array<char const*, 8> bars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    constexpr std::array<char const*, 8> plain = {"_", ".", ":", "-", "=", "+", "*", "#"};
    auto const first = values.size() > columns ? values.size() - columns : 0;
    double most = 0;
    for (auto i = first; i < values.size(); ++i) most = std::max(most, values[i]);
    std::string out;
    for (auto i = first; i < values.size(); ++i) {
        auto const height = most > 0 ? std::clamp(values[i] / most, 0.0, 1.0) * 7 : 0;
        out += (utf8 ? bars : plain)[static_cast<std::size_t>(std::lround(height))];
    }
    return out;
}

} // namespace recruiting::recruitctl::top
