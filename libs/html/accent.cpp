#include "html/accent.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace recruiting::html {
namespace {

using rgb = std::array<int, 3>; // 0 to 255

std::optional<rgb> parse_color(std::string_view text) {
    if (!is_color(text)) return std::nullopt;
    rgb color{};
    for (std::size_t i = 0; i < color.size(); ++i)
        color[i] = hex_value(text[1 + 2 * i]) * 16 + hex_value(text[2 + 2 * i]);
    return color;
}

std::string color_text(rgb const& color) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "#";
    for (auto const part : color)
        text.append({digits[static_cast<std::size_t>(part / 16)], digits[static_cast<std::size_t>(part % 16)]});
    return text;
}

// WCAG 2.2, relative luminance: 0 (black) to 1 (white).
double luminance(rgb const& color) {
    auto const linear = [](int part) {
        double const c = part / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
}

double contrast_of(rgb const& one, rgb const& other) {
    double const a = luminance(one) + 0.05;
    double const b = luminance(other) + 0.05;
    return std::max(a, b) / std::min(a, b);
}

constexpr int steps = 255;
constexpr rgb black{0, 0, 0};
constexpr rgb white{255, 255, 255};

rgb mixed(rgb const& color, rgb const& with, int step) {
    rgb out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = color[i] + (with[i] - color[i]) * step / steps;
    return out;
}

// The first step that is legible. The last one, black or white itself, is so on either paper.
rgb legible_shade(rgb const& accent, rgb const& toward, rgb const& paper) {
    int first = 0;
    int last = steps;
    while (first < last) {
        int const middle = (first + last) / 2;
        bool const is_pale = contrast_of(mixed(accent, toward, middle), paper) < legible_contrast;
        (is_pale ? first : last) = middle + (is_pale ? 1 : 0);
    }
    return mixed(accent, toward, first);
}

// A shade that is legible on light or dark paper leaves at least one of the two legible on itself.
accent_shade with_text(rgb const& shade) {
    bool const takes_light =
        contrast_of(shade, *parse_color(light_text)) >= contrast_of(shade, *parse_color(dark_text));
    return {color_text(shade), std::string(takes_light ? light_text : dark_text)};
}

} // namespace

bool is_color(std::string_view text) noexcept {
    auto const is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    return text.size() == 7 && text.front() == '#' && std::all_of(text.begin() + 1, text.end(), is_digit);
}

std::optional<accent_shades> shades_of(std::string_view accent) {
    auto const color = parse_color(accent);
    if (!color) return std::nullopt;
    return accent_shades{with_text(legible_shade(*color, black, *parse_color(light_paper))),
                         with_text(legible_shade(*color, white, *parse_color(dark_paper)))};
}

std::optional<double> contrast(std::string_view one, std::string_view other) {
    auto const first = parse_color(one);
    auto const second = parse_color(other);
    if (!first || !second) return std::nullopt;
    return contrast_of(*first, *second);
}

} // namespace recruiting::html
