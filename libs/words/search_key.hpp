// What searches compare, as the database's recruiting.search_key makes it. Pure.
#pragma once
#include <string>
#include <string_view>

namespace recruiting {

/// Text in lower case, without accents, invisible characters and differences of width, with a plain letter for each
/// that does not decompose. text: UTF-8.
[[nodiscard]] std::string search_key(std::string_view text);

/// The words of the search_key, with one space before, between and after them. Each letter of scripts that have no
/// spaces between words is a word. So a name stands in a text, whatever punctuation surrounds or divides it, exactly
/// when the text's contains the name's. " ": there is no word.
[[nodiscard]] std::string spaced_words(std::string_view text);

} // namespace recruiting
