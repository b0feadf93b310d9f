// From a row of the outbox to the mail that is sent: the letter as text and as HTML, the invitation, its sender and
// recipient. One letter per audience and kind, with times in the reader's zone (proto-docs/mail.md). Candidates read
// the language of their request; interviewers, whose language is not known, read English. Pure.
#pragma once
#include "auth_api/background/mail/outbox_store.hpp"
#include "auth_api/background/settings.hpp"

#include <string>
#include <variant>

namespace recruiting::auth_api::mailing {

/// It will never be sent: why, without an address.
struct unsendable {
    std::string why;
};
/// token: of the link that manages the interview, in clear.
[[nodiscard]] std::variant<unsendable, mail::message> compose(opened_mail const& opened, mail_settings const& settings,
                                                              std::string const& token);

} // namespace recruiting::auth_api::mailing
