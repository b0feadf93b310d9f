// Interviews in the console: /console/api/interviews. Admins and recruiters see and change all; hiring managers the
// jobs whose hiring team they are on; interviewers see their own slots and interviews and close their slots; viewers
// get insufficient_role. Row-level security holds each reach.
#pragma once
#include "auth_api/console/change.hpp"
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api::console {

/// bookable, jobId → {"data":[stage],"truncated"}: of open jobs.
[[nodiscard]] result<prepared_read> list_interview_stages(bind_input& in);
/// jobId, stageId, memberId, from (now), to, includeClosed → {"data":[slot],"truncated"}
[[nodiscard]] result<prepared_read> list_interview_slots(bind_input& in);
/// jobId, stageId, memberId, from (24 hours ago), to, status → {"data":[booking],"truncated"}
[[nodiscard]] result<prepared_read> list_interview_bookings(bind_input& in);
/// → {"data":booking}
[[nodiscard]] result<prepared_read> get_interview_booking(bind_input& in);
/// jobId, stageId, receivedAfter → {"data":[request],"truncated"}; not for interviewers.
[[nodiscard]] result<prepared_read> list_unmatched_requests(bind_input& in);

/// {"jobId","stageId","memberId","firstDay","lastDay","from","to","weekdays"?,"durationMinutes"?,"timeZone"?,"joinUrl"?}
/// → 201 {"data":{"opened":[slot],"existing","skipped","stageMadeBookable","interviewDurationMinutes","jobPublished"}}
[[nodiscard]] result<http::response> open_interview_slots(change_input& in);
/// → {"data":slot}; the same of one that is closed already.
[[nodiscard]] result<http::response> close_interview_slot(change_input& in);
/// {"bookable"?,"interviewDurationMinutes"?} → {"data":stage}
[[nodiscard]] result<http::response> change_interview_stage(change_input& in);

} // namespace recruiting::auth_api::console
