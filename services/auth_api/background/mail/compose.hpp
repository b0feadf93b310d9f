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
/// The secrets of a mail's links, in clear.
struct link_tokens {
    std::string manage;  // of the candidate's link, from which the one that joins is derived
    std::string decline; // of the interviewer's
};
[[nodiscard]] std::variant<unsendable, mail::message> compose(opened_mail const& opened, mail_settings const& settings,
                                                              link_tokens const& tokens);

/// A mail to a member, in the language of the request (compose_member.cpp). token: of the link that signs in, in clear,
/// of a sign-in mail and an invitation. It stands in the fragment of an address, which no server, log or Referer sees.
[[nodiscard]] std::variant<unsendable, mail::message>
compose_member_mail(member_mail const& row, mail_settings const& settings, std::string const& token);

} // namespace recruiting::auth_api::mailing
