#include "auth_api/background/mail/member_words.hpp"

#include <algorithm>

namespace recruiting::auth_api::mailing {
bool has_member_words(std::string_view language) noexcept {
    return std::ranges::find(member_words_table, language, &member_words::language) != member_words_table.end();
}

member_words const& member_words_for(std::string_view language) noexcept {
    auto const primary = language.substr(0, language.find('-'));
    auto const found =
        std::ranges::find_if(member_words_table, [primary](member_words const& w) { return w.language == primary; });
    return found == member_words_table.end() ? member_words_table.front() : *found;
}

} // namespace recruiting::auth_api::mailing
