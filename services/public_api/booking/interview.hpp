// /interviews/{token}: the e-mailed link as people open it, and the two forms of its page. The rules are those of
// /scheduling/manage; here every outcome is a page, or leads back to it with a notice (303), so that a reload repeats
// nothing.
#pragma once
#include "public_api/booking/booking_settings.hpp"
#include "public_api/booking/manage_store.hpp"
#include "public_api/http/plan.hpp"

namespace recruiting::public_api {

[[nodiscard]] result<plan> show_interview(call const& from);
[[nodiscard]] result<plan> reschedule_interview(call const& from);
[[nodiscard]] result<plan> cancel_interview(call const& from);

/// GET …/join: the join link of mails and calendars. At the time of the interview it redirects to the meeting (302).
/// Otherwise, or while no meeting address is set, it shows a page that says so, with the interview's time. It changes
/// nothing.
[[nodiscard]] result<plan> join_interview(call const& from);
/// What the join link does now. Pure.
enum class join_state { canceled, unplaced, early, open, not_set, over };
[[nodiscard]] join_state state_of(presented_meeting const& meeting, timestamp now, booking_settings const& config);

} // namespace recruiting::public_api
