#include "recruitctl/top/styled.hpp"

#include <algorithm>

namespace recruiting::recruitctl::top {
namespace {

bool continues(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

} // namespace

std::size_t width_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !continues(c); }));
}

void cut(line& of, std::size_t columns) {
    std::size_t used = 0;
    for (auto& one : of) {
        std::size_t bytes = 0;
        for (; bytes < one.text.size(); ++bytes) {
            if (continues(one.text[bytes])) continue;
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
