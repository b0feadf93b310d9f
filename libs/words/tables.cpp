#include "words/english.hpp"
#include "words/french.hpp"
#include "words/german.hpp"
#include "words/japanese.hpp"
#include "words/spanish.hpp"

namespace recruiting {

std::span<words const> all_words() noexcept {
    static constexpr std::array<words, 5> table = {english, german, french, spanish, japanese};
    return table;
}

} // namespace recruiting
