#include "auth_api/agent/tools/word_edges.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>

namespace recruiting::auth_api::agent {
namespace {

constexpr std::size_t longest_character = 4;

struct range {
    char32_t first;
    char32_t last;
    character_kind kind;
};

using enum character_kind;

// What is not alphabetic beyond ASCII, in order (Unicode 15 blocks). Hyphens and invisible characters are left out:
// they join.
constexpr std::array ranges{
    range{0x0080, 0x00A9, none},     range{0x00AB, 0x00AC, none},     range{0x00AE, 0x00B4, none},
    range{0x00B6, 0x00B9, none},     range{0x00BB, 0x00BF, none},     range{0x00D7, 0x00D7, none},
    range{0x00F7, 0x00F7, none},     range{0x060C, 0x060C, none},     range{0x061B, 0x061B, none},
    range{0x061F, 0x061F, none},     range{0x06D4, 0x06D4, none},     range{0x0964, 0x0965, none},
    range{0x1100, 0x11FF, hangul},   range{0x2000, 0x200A, none},     range{0x2012, 0x2029, none},
    range{0x202F, 0x205F, none},     range{0x20A0, 0x20CF, none},     range{0x2190, 0x2BFF, none},
    range{0x2E00, 0x2E7F, none},     range{0x2E80, 0x2FDF, han},      range{0x3000, 0x3004, none},
    range{0x3005, 0x3007, han},      range{0x3008, 0x303F, none},     range{0x3040, 0x309F, hiragana},
    range{0x30A0, 0x30A0, none},     range{0x30A1, 0x30FA, katakana}, range{0x30FB, 0x30FB, none},
    range{0x30FC, 0x30FF, katakana}, range{0x3130, 0x318F, hangul},   range{0x31F0, 0x31FF, katakana},
    range{0x3400, 0x4DBF, han},      range{0x4E00, 0x9FFF, han},      range{0xAC00, 0xD7AF, hangul},
    range{0xF900, 0xFAFF, han},      range{0xFE30, 0xFE6F, none},     range{0xFF00, 0xFF0F, none},
    range{0xFF1A, 0xFF20, none},     range{0xFF3B, 0xFF40, none},     range{0xFF5B, 0xFF65, none},
    range{0xFF66, 0xFF9F, katakana}, range{0xFFE0, 0xFFEF, none},     range{0x1F000, 0x1FAFF, none},
    range{0x20000, 0x3FFFF, han},
};

character_kind kind_of_ascii(char32_t value) noexcept {
    if ((value >= '0' && value <= '9') || (value >= 'A' && value <= 'Z') || (value >= 'a' && value <= 'z'))
        return alphabetic;
    constexpr std::u32string_view joining = U"-_.@/\\+#&%$";
    return joining.find(value) == std::u32string_view::npos ? none : alphabetic;
}

bool is_continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

bool joins(character_kind own, character_kind neighbour) noexcept {
    if (own == none || neighbour == none) return false;
    if (own == alphabetic) return neighbour == alphabetic;
    if (own == han || own == katakana) return neighbour != hiragana;
    return true;
}

// Marks that join only what stands on both sides: "warehouse." and "**warehouse**", but not "warehouse.old" and
// "eu:prod".
std::size_t after_marks(std::string_view text, std::size_t position) noexcept {
    auto const next = text.find_first_not_of(".:=~|*", position);
    return next == std::string_view::npos ? text.size() : next;
}

std::size_t before_marks(std::string_view text, std::size_t position) noexcept {
    auto const previous = text.substr(0, position).find_last_not_of(":=~|*");
    return previous == std::string_view::npos ? 0 : previous + 1;
}

} // namespace

character character_at(std::string_view text, std::size_t position) noexcept {
    if (position >= text.size()) return {};
    auto const lead = static_cast<unsigned char>(text[position]);
    std::size_t size = 1;
    while (size < longest_character && position + size < text.size() && is_continuation(text[position + size])) ++size;
    char32_t value = size == 1 ? lead : lead & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i)
        value = (value << 6U) | (static_cast<unsigned char>(text[position + i]) & 0x3FU);
    return {value, size};
}

character character_before(std::string_view text, std::size_t position) noexcept {
    if (position == 0) return {};
    auto begin = position - 1;
    while (begin > 0 && position - begin < longest_character && is_continuation(text[begin])) --begin;
    return character_at(text, begin);
}

character_kind kind_of(char32_t value) noexcept {
    if (value < 0x80) return kind_of_ascii(value);
    auto const found = std::ranges::lower_bound(ranges, value, {}, &range::last);
    return found != ranges.end() && found->first <= value ? found->kind : alphabetic;
}

bool stands_alone(std::string_view text, std::size_t position, std::size_t size) noexcept {
    auto const end = position + size;
    auto const first = kind_of(character_at(text, position).value);
    auto const last = kind_of(character_before(text, end).value);
    if (joins(first, kind_of(character_before(text, before_marks(text, position)).value))) return false;
    return !joins(last, kind_of(character_at(text, after_marks(text, end)).value));
}

std::string fold_case(std::string_view text) {
    auto out = to_lower(text);
    for (std::size_t i = 0; i + 1 < out.size(); ++i) {
        auto const lead = static_cast<unsigned char>(out[i]);
        auto const next = static_cast<unsigned char>(out[i + 1]);
        if (lead == 0xC3 && next >= 0x80 && next <= 0x9E) out[i + 1] = static_cast<char>(next + 0x20);
        if (lead == 0xD0 && next >= 0x90 && next <= 0x9F) out[i + 1] = static_cast<char>(next + 0x20);
        if (lead != 0xD0 || next < 0xA0 || next > 0xAF) continue;
        out[i] = static_cast<char>(0xD1);
        out[i + 1] = static_cast<char>(next - 0x20);
    }
    return out;
}

} // namespace recruiting::auth_api::agent
