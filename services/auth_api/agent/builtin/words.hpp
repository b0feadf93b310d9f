// A prompt as the responder reads it: words in a plain form, each with its place in the text, quoted names kept whole.
// Total: any bytes give words, nothing throws but memory running out.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent::responder {

struct raw_word {
    std::string text;     // plain form; of a quotation the words between the marks, as they stand
    std::size_t begin{0}; // bytes of the prompt, quotation marks included
    std::size_t end{0};
    bool quoted{false};
    bool ends_clause{false}; // . ? ! ; or a line break follows
};

[[nodiscard]] std::vector<raw_word> split_words(std::string_view text);

/// Lower case, Latin letters without their accents, whatever is neither letter nor digit one space: what names are
/// compared by.
[[nodiscard]] std::string plain(std::string_view text);

/// The singular of a plain English word, by its ending.
[[nodiscard]] std::string singular(std::string_view word);

} // namespace recruiting::auth_api::agent::responder
