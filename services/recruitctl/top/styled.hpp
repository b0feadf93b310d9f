// Lines of styled text, before any terminal knows of them. Pure.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl::top {

enum class style { plain, head, good, bad, faint };

struct piece {
    std::string text; // each code point takes one column
    style how{style::plain};
};
using line = std::vector<piece>;

[[nodiscard]] std::size_t width_of(std::string_view text) noexcept; // code points
void cut(line& of, std::size_t columns);
/// The lines' text, without styles and blanks at their ends.
[[nodiscard]] std::string to_text(std::vector<line> const& lines);

// Numbers in few columns. Pure.

/// "-", "0", "0.04", "1.2", "12.3", "123", "12.3k", "4.5M"
[[nodiscard]] std::string short_number(std::optional<double> value);
/// Of seconds: "-", "0.4ms", "12ms", "1.2s", "3m", "2h"
[[nodiscard]] std::string short_time(std::optional<double> seconds);
/// Of bytes: "-", "12.3M", "1.2G"
[[nodiscard]] std::string short_size(std::optional<double> bytes);
/// Of a share of one core: "-", "12%", "230%"
[[nodiscard]] std::string short_share(std::optional<double> share);
/// The last values as bars, as many as there are columns; without UTF-8 in ASCII.
[[nodiscard]] std::string sparkline(std::deque<double> const& values, std::size_t columns, bool utf8);

} // namespace recruiting::recruitctl::top
