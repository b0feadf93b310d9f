// The endpoints of the console that are no operations of sessions, by file: what each takes, and what it returns.
#pragma once
#include "auth_api/console/change.hpp"
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api::console {

// api_keys.cpp

/// {"data":[key],"page"}: of admins all, of others their own (list_visible_keys).
[[nodiscard]] result<prepared_read> list_keys(bind_input& in);
/// {"name","scopes","expiresAt","allowedIps"?} → 201 {"data":{"key","secret"}}
[[nodiscard]] result<http::response> create_key(change_input& in);
/// {"name"} → {"data":key}
[[nodiscard]] result<http::response> revoke_key(change_input& in);

// members.cpp: all of it is the admins'. The list is that of /api/v1.

/// {"email","name","role","title"?} → 201 {"data":member}
[[nodiscard]] result<http::response> invite_member(change_input& in);
/// {"role"} → {"data":member}
[[nodiscard]] result<http::response> change_member(change_input& in);
[[nodiscard]] result<http::response> remove_member(change_input& in);
[[nodiscard]] result<http::response> restore_member(change_input& in);
/// 202 {"data":member}
[[nodiscard]] result<http::response> renew_invitation(change_input& in);
/// role=R or removed=true → {"data":[{"id","name","displayedPrefix","state","stops","scopesLost","scopesGained"}]}:
/// what it would do to the member's keys that are neither revoked nor expired.
[[nodiscard]] result<prepared_read> list_key_effects(bind_input& in);

// interview_reads.cpp, interview_changes.cpp. Admins and recruiters see and change all; hiring managers the jobs whose
// hiring team they are on; interviewers see their own slots and interviews and close their slots; viewers get
// insufficient_role. Row-level security holds each reach.

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
