// Classes of characters that heads, bodies and targets are made of (RFC 9110 section 5.6, RFC 9112). Pure.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace recruiting::gateway {

enum char_class : std::uint8_t {
    token_char = 1,  // RFC 9110 section 5.6.2
    value_char = 2,  // of a field's value: visible, blank, tab, obs-text
    target_char = 4, // visible ASCII but '#': a fragment is never sent
    digit_char = 8,
    quoted_char = 16, // of a quoted string, without its quotes and escapes
};

inline constexpr auto char_classes = [] {
    std::array<std::uint8_t, 256> table{};
    for (unsigned c = 0x21; c <= 0x7e; ++c) table[c] = value_char | target_char | quoted_char;
    for (unsigned c = 0x80; c <= 0xff; ++c) table[c] = value_char | quoted_char;
    table[' '] = table['\t'] = value_char | quoted_char;
    for (char const c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<unsigned char>(c)] |= token_char;
    for (unsigned c = '0'; c <= '9'; ++c) table[c] |= token_char | digit_char;
    for (unsigned c = 'A'; c <= 'Z'; ++c) table[c] |= token_char;
    for (unsigned c = 'a'; c <= 'z'; ++c) table[c] |= token_char;
    table['#'] &= static_cast<std::uint8_t>(~target_char);
    table['"'] &= static_cast<std::uint8_t>(~quoted_char);
    table['\\'] &= static_cast<std::uint8_t>(~quoted_char);
    return table;
}();

[[nodiscard]] constexpr bool is(char c, char_class what) noexcept {
    return (char_classes[static_cast<unsigned char>(c)] & what) != 0;
}

/// How many characters from `from` on are of that class.
[[nodiscard]] constexpr std::size_t run(std::string_view text, std::size_t from, char_class what) noexcept {
    std::size_t at = from;
    while (at < text.size() && is(text[at], what)) ++at;
    return at - from;
}

/// The same for value_char, most of every head: eight characters at a time while none of them is a control character.
[[nodiscard]] inline std::size_t run_of_value(std::string_view text, std::size_t from) noexcept {
    constexpr std::uint64_t ones = ~std::uint64_t{0} / 255;
    constexpr std::uint64_t highs = ones * 128;
    std::size_t at = from;
    for (std::uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
        std::memcpy(&eight, text.data() + at, sizeof eight);
        auto const deletes = eight ^ (ones * 0x7f); // zero where there is a DEL
        bool const has_control = ((eight - ones * 0x20) & ~eight & highs) != 0;
        bool const has_delete = ((deletes - ones) & ~deletes & highs) != 0;
        if (has_control || has_delete) break;
    }
    return at - from + run(text, at, value_char);
}

/// -1: no hexadecimal digit.
[[nodiscard]] constexpr int hex_value(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

} // namespace recruiting::gateway
