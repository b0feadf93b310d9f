// An organization's accent colour in shades that people can read (decision 0095). Pure. Contrast is the contrast ratio
// of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio), 1 to 21, of two sRGB colours. A colour is text,
// "#rrggbb" in lower-case hexadecimal.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::html {

inline constexpr std::string_view light_paper = "#ffffff";
inline constexpr std::string_view dark_paper = "#14171b";
/// Text on a surface of the accent colour has one of these.
inline constexpr std::string_view light_text = "#ffffff";
inline constexpr std::string_view dark_text = "#10151c";
/// The least contrast of text with what is behind it: WCAG 2.2, success criterion 1.4.3, level AA.
inline constexpr double legible_contrast = 4.5;

struct accent_shade {
    std::string color; // legible as text on its paper
    std::string text;  // light_text or dark_text: legible on a surface of `color`
};

struct accent_shades {
    accent_shade on_light; // on light_paper: the accent, mixed with just as much black as it needs
    accent_shade on_dark;  // on dark_paper: the accent, mixed with just as much white as it needs
};

[[nodiscard]] bool is_color(std::string_view text) noexcept;
/// nullopt: the accent is no colour.
[[nodiscard]] std::optional<accent_shades> shades_of(std::string_view accent);
/// nullopt: one of them is no colour.
[[nodiscard]] std::optional<double> contrast(std::string_view one, std::string_view other);

} // namespace recruiting::html
