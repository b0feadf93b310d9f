// /scheduling/manage/{token}/…: what the holder of an e-mailed link sees and does. Whoever has the link may: there is
// no other credential, and a link that is unknown, expired or mistyped is one 404. GET changes nothing: mail scanners
// follow links.
#pragma once
#include "http/message.hpp"
#include "public_api/booking/manage_store.hpp"
#include "public_api/http/plan.hpp"

#include <string_view>

namespace recruiting::public_api {

[[nodiscard]] result<plan> show_booking(call const& from);
[[nodiscard]] result<plan> list_free_slots(call const& from);
/// Works for a confirmed, an unplaced and a canceled booking; the time it already has changes nothing.
[[nodiscard]] result<plan> reschedule(call const& from);
/// Repeating the call returns the same response and sends no second e-mail.
[[nodiscard]] result<plan> cancel(call const& from);
/// GET …/invite.ics, here and under /interviews/{token}: the same calendar event as in the mails (UID and SEQUENCE),
/// published, so that calendars ask for no reply. not_found unless the interview is confirmed.
[[nodiscard]] result<plan> get_invitation(call const& from);

} // namespace recruiting::public_api
