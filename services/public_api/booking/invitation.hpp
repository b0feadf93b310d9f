// GET /scheduling/manage/{token}/invite.ics and /interviews/{token}/invite.ics: the interview for a calendar.
#pragma once
#include "public_api/plan.hpp"

namespace recruiting::public_api {

/// The same event as the mails' (UID and SEQUENCE), published: whoever imports it is asked for no answer. not_found
/// unless the interview is confirmed.
[[nodiscard]] result<plan> get_invitation(call const& from);

} // namespace recruiting::public_api
