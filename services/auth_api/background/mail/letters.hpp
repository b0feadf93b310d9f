// What the mails say (design: Booking): one letter an audience and kind, times in the reader's zone. Candidates read
// the language of their request; interviewers, whose language is not known, read English. Pure.
#pragma once
#include "auth_api/background/mail/layout.hpp"
#include "auth_api/background/mail/outbox_mail.hpp"
#include "words/words.hpp"

namespace recruiting::auth_api::mailing {

struct letter_links {
    std::string manage; // where the candidate moves or cancels the interview; in no letter to an interviewer
    std::string join;
    timestamp expires_at;
};

[[nodiscard]] words const& reader_words(outbox_mail const& mail) noexcept;
[[nodiscard]] letter write_letter(outbox_mail const& mail, letter_links const& links, bool replies_are_read);

} // namespace recruiting::auth_api::mailing
