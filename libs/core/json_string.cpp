// How a text is written as a JSON string: answers and log lines hold little else.
#include "core/text.hpp"

#include <array>

namespace recruiting {
namespace {

// 0: as it is; 'u': \u00XX; else the letter after the backslash.
constexpr std::array<char, 256> make_escapes() {
    std::array<char, 256> table{};
    for (std::size_t c = 0; c < 0x20; ++c) table[c] = 'u';
    table['"'] = '"';
    table['\\'] = '\\';
    table['\b'] = 'b';
    table['\f'] = 'f';
    table['\n'] = 'n';
    table['\r'] = 'r';
    table['\t'] = 't';
    return table;
}
constexpr auto escapes = make_escapes();

// How many characters from `from` on need no escape, in blocks: most of every text. A block is examined without a
// branch, so that the compiler compares all of it at once.
std::size_t plain_blocks(std::string_view text, std::size_t from) noexcept {
    constexpr std::size_t block = 16;
    std::size_t at = from;
    for (; at + block <= text.size(); at += block) {
        unsigned char escaped = 0;
        for (std::size_t i = 0; i < block; ++i) {
            auto const byte = static_cast<unsigned char>(text[at + i]);
            escaped = static_cast<unsigned char>(escaped | (byte < 0x20) | (byte == '"') | (byte == '\\'));
        }
        if (escaped != 0) break;
    }
    return at - from;
}

} // namespace

void append_json_string(std::string& out, std::string_view text) {
    auto const next_escape = [text](std::size_t from) {
        auto at = from + plain_blocks(text, from);
        while (at < text.size() && escapes[static_cast<unsigned char>(text[at])] == 0) ++at;
        return at;
    };
    auto end = next_escape(0);
    if (end == text.size()) { // as nearly every text: one growth
        char* const at = extend(out, text.size() + 2);
        at[0] = '"';
        text.copy(at + 1, text.size());
        at[text.size() + 1] = '"';
        return;
    }
    out += '"';
    for (std::size_t begin = 0;; end = next_escape(begin)) {
        out.append(text.data() + begin, end - begin);
        if (end == text.size()) break;
        char const escape = escapes[static_cast<unsigned char>(text[end])];
        out += '\\';
        out += escape;
        if (escape == 'u') out.append("00").append(to_hex(text.substr(end, 1)));
        begin = end + 1;
    }
    out += '"';
}

} // namespace recruiting
