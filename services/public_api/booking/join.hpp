// GET /interviews/{token}/join: the join link of mails and calendars. At the time of the interview it leads to where
// they meet (302); else, or while no address is set, it is a page that says so, with the interview's time. Changes
// nothing.
#pragma once
#include "public_api/booking/manage_store.hpp"
#include "public_api/plan.hpp"

namespace recruiting::public_api {

[[nodiscard]] result<plan> join_interview(call const& from);

/// What the link does now. Pure.
enum class join_state { canceled, unplaced, early, open, not_set, over };
[[nodiscard]] join_state state_of(presented_meeting const& meeting, timestamp now, settings const& config);

} // namespace recruiting::public_api
