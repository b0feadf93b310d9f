// What mails to members say, in the languages of the console. One file a language (member_words/en.json, …), of which
// cmake/texts.cmake makes struct member_words. Pure.
#pragma once
#include "member_words_table.hpp"

#include <string_view>

namespace recruiting::auth_api::mailing {

[[nodiscard]] bool has_member_words(std::string_view language) noexcept;
/// The words for a language tag; English for any other.
[[nodiscard]] member_words const& member_words_for(std::string_view language) noexcept;

} // namespace recruiting::auth_api::mailing
