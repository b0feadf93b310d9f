#include "mail/harmless.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>

namespace recruiting::mail {
namespace {

enum class kind { kept, dropped, space, line_end };

// Embeddings, overrides and isolates (UAX #9): their effect reaches beyond the name that holds them.
bool turns_direction(char32_t c) noexcept { return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069); }

kind kind_of(char32_t c) noexcept {
    if (c == '\t') return kind::space;
    if (c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029) return kind::line_end;
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F)) return kind::dropped;
    if (turns_direction(c) || c == 0xFEFF || (c & 0xFFFEU) == 0xFFFE) return kind::dropped;
    return kind::kept;
}

char32_t value_of(std::string_view character) noexcept {
    constexpr std::array<unsigned, 5> lead_bits{0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t value = static_cast<unsigned char>(character.front()) & lead_bits[character.size()];
    for (char const c : character.substr(1)) value = (value << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
    return value;
}

std::string harmless(std::string_view text, char line_end) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        auto const size = character_size(text);
        auto const character = text.substr(0, std::max<std::size_t>(size, 1));
        text.remove_prefix(character.size());
        if (size == 0) {
            out += "\xEF\xBF\xBD"; // U+FFFD
            continue;
        }
        if (character == "\r") { // alone it ends a line too
            if (!text.starts_with('\n')) out += line_end;
            continue;
        }
        switch (kind_of(value_of(character))) {
        case kind::kept: out += character; break;
        case kind::dropped: break;
        case kind::space: out += ' '; break;
        case kind::line_end: out += line_end; break;
        }
    }
    return out;
}

} // namespace

std::size_t character_size(std::string_view text) noexcept {
    for (std::size_t size = 1; size <= std::min<std::size_t>(text.size(), 4); ++size)
        if (is_utf8(text.substr(0, size))) return size;
    return 0;
}

std::string harmless_line(std::string_view text) { return std::string(trim(harmless(text, ' '))); }
std::string harmless_text(std::string_view text) { return harmless(text, '\n'); }

} // namespace recruiting::mail
