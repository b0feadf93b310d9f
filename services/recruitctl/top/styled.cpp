#include "recruitctl/top/styled.hpp"

#include "core/text.hpp"

#include <algorithm>

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

} // namespace recruiting::recruitctl::top
