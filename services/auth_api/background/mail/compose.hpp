// From a row of the outbox to the mail that is sent: the letter, the invitation, whom it is from and to. Pure.
#pragma once
#include "auth_api/background/mail/outbox_store.hpp"
#include "auth_api/background/mail/settings.hpp"

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
