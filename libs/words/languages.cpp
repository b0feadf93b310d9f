// Which words a language tag or an Accept-Language field asks for.
#include "core/text.hpp"
#include "words/words.hpp"

#include <algorithm>

namespace recruiting {
std::span<words const> all_words() noexcept { return words_table; }

words const* find_words(std::string_view tag) noexcept {
    auto const primary = tag.substr(0, tag.find('-'));
    auto const ours = all_words();
    auto const found =
        std::find_if(ours.begin(), ours.end(), [primary](words const& w) { return iequals(w.language, primary); });
    return found == ours.end() ? nullptr : &*found;
}

words const& words_for(std::string_view tag) noexcept {
    auto const* const found = find_words(tag);
    return found == nullptr ? all_words().front() : *found;
}

words const& requested_words(std::string_view accept_language, std::string_view otherwise) noexcept {
    words const* best = &words_for(otherwise);
    int highest = 0;
    while (!accept_language.empty()) {
        auto const [tag, quality] = take_weighted(accept_language);
        auto const* const found = find_words(tag);
        if (found == nullptr || quality <= highest) continue;
        best = found;
        highest = quality;
    }
    return *best;
}

} // namespace recruiting
