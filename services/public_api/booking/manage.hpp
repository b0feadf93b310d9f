// /scheduling/manage/{token}/…: what the holder of an e-mailed link sees and does. Whoever has the link may: there is
// no other credential, and a link that is unknown, expired or mistyped is one 404. GET changes nothing: mail scanners
// follow links.
#pragma once
#include "public_api/plan.hpp"

namespace recruiting::public_api {

[[nodiscard]] result<plan> show_booking(call const& from);
[[nodiscard]] result<plan> list_free_slots(call const& from);
/// Works for a confirmed, an unplaced and a canceled booking; the time it already has changes nothing.
[[nodiscard]] result<plan> reschedule(call const& from);
/// Again: the same answer, and no second mail.
[[nodiscard]] result<plan> cancel(call const& from);

} // namespace recruiting::public_api
