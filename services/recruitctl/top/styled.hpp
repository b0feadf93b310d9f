// Lines of styled text, before any terminal knows of them. Pure.
#pragma once
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

} // namespace recruiting::recruitctl::top
