// From a mail to a member to the mail that is sent: a sign-in link or an invitation, in the language of the request, as
// text and as HTML. Pure.
#pragma once
#include "auth_api/background/mail/compose.hpp"
#include "auth_api/background/mail/member_mail_store.hpp"

namespace recruiting::auth_api::mailing {

/// token: of the link that signs in, in clear. It stands in the fragment of an address, which no server, log or Referer
/// sees.
[[nodiscard]] std::variant<unsendable, mail::message>
compose_member_mail(member_mail const& row, mail_settings const& settings, std::string const& token);

} // namespace recruiting::auth_api::mailing
