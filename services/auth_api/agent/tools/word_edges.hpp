// Where a word ends, in any script: whether a neighbouring character makes a name part of a longer word, and whether
// two spellings differ in case only. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

/// none: white space, punctuation, symbols, the text's end. alphabetic: scripts that set words apart with spaces, and
/// what joins words (- _ . @ / \ + # & % $ and invisible characters).
enum class character_kind { none, alphabetic, han, hiragana, katakana, hangul };

struct character {
    char32_t value{0}; // 0: before the text's begin, or after its end
    std::size_t size{0};
};

/// The character that begins, or ends, at this position of well-formed UTF-8.
[[nodiscard]] character character_at(std::string_view text, std::size_t position) noexcept;
[[nodiscard]] character character_before(std::string_view text, std::size_t position) noexcept;
[[nodiscard]] character_kind kind_of(char32_t value) noexcept;

/// Does the piece of text stand alone? Its neighbours must not be joined with its own first and last character.
/// Of : = ~ | * those join that have a word on either side; and full stops before a word do.
/// Chinese, Japanese and Korean need no spaces: a Latin name may stand among them, a Chinese one before hiragana.
[[nodiscard]] bool stands_alone(std::string_view text, std::size_t position, std::size_t size) noexcept;

/// Lower case of ASCII, Latin-1 and Cyrillic.
[[nodiscard]] std::string fold_case(std::string_view text);

} // namespace recruiting::auth_api::agent
