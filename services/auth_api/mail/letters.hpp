// What the mails say (design: Booking): one letter an audience and kind, in English, times in the reader's zone. Pure.
#pragma once
#include "auth_api/mail/layout.hpp"
#include "auth_api/mail/outbox_mail.hpp"

namespace recruiting::auth_api::mailing {

/// manage_link: where the candidate moves or cancels the interview until link_expires_at; of candidates only.
[[nodiscard]] letter write_letter(outbox_mail const& mail, std::string const& manage_link, timestamp link_expires_at,
                                  bool replies_are_read);
/// "Tuesday, 24 November 2026, 10:00 (Europe/Berlin, UTC+01:00)"; in UTC where the zone is not known here.
[[nodiscard]] std::string describe_time(timestamp time, std::string const& zone);

} // namespace recruiting::auth_api::mailing
