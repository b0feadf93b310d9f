// What mails to members say, in the languages of the console. Pure.
#pragma once
#include <string_view>

namespace recruiting::auth_api::mailing {

struct member_words {
    std::string_view language;  // as in <html lang>
    std::string_view label_end; // after a link's text
    std::string_view hello, hello_unnamed;
    std::string_view sign_in_subject, sign_in, sign_in_link, sign_in_note;
    std::string_view invitation_subject, invitation, invitation_by, invitation_link; // by: {inviter}, an address
    std::string_view link_note;                                                      // {time}
    std::string_view minutes, hours, days;
    std::string_view automatic_note;
};

[[nodiscard]] bool has_member_words(std::string_view language) noexcept;
/// By language tag; English for any other.
[[nodiscard]] member_words const& member_words_for(std::string_view language) noexcept;

} // namespace recruiting::auth_api::mailing
