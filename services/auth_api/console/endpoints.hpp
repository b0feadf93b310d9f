// The endpoints of the console that are no operations of sessions, by file: what each takes, and what it returns.
#pragma once
#include "auth_api/http/resource.hpp"
#include "directory/records.hpp"
#include "http/json_fields.hpp"
#include "http/json_writer.hpp"

namespace recruiting::pg {
class client;
} // namespace recruiting::pg

namespace recruiting::auth_api {
struct settings;
} // namespace recruiting::auth_api

namespace recruiting::auth_api::console {

/// What a change_function is given: it runs on a thread of the change pool, inside a transaction that has authenticated
/// the session, and writes its audit row there too. The pool commits when it returns an answer, and rolls back when it
/// returns an error or throws. It blocks, refuses unknown fields of body and unknown parameters itself, and throws as
/// pg::client does.
struct change_input {
    pg::client& database;
    auth::principal const& member; // kind member: the session's, in the organization it has chosen
    std::string_view organization_slug;
    http::path_params const& path;
    http::query_reader& query;
    std::string_view body; // JSON, of operations that take one
    settings const& config;
    std::string_view request_id;
};

/// The session's member, as the audit log names them.
[[nodiscard]] directory::actor actor_of(change_input const& in);

/// {"data":…}: write writes the value.
template <class Write>
[[nodiscard]] http::response data_answer(Write const& write, unsigned status = 200) {
    http::response answer;
    answer.status = status;
    http::json_writer json(answer.body);
    json.open_object().key("data");
    write(json);
    json.close_object();
    return answer;
}

/// The optional field `language` of a body: a language that mails to members are written in (session_json.cpp). Adds
/// the problem not_allowed for any other.
[[nodiscard]] std::optional<std::string> read_mail_language(http::json_fields& fields);

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
/// Either {"role"} or {"name"} → {"data":member}
[[nodiscard]] result<http::response> change_member(change_input& in);
[[nodiscard]] result<http::response> remove_member(change_input& in);
[[nodiscard]] result<http::response> restore_member(change_input& in);
/// 202 {"data":member}
[[nodiscard]] result<http::response> renew_invitation(change_input& in);
/// role=R or removed=true → {"data":[{"id","name","displayedPrefix","state","stops","scopesLost","scopesGained"}]}:
/// what it would do to the member's keys that are neither revoked nor expired.
[[nodiscard]] result<prepared_read> list_key_effects(bind_input& in);

// webhooks.cpp: all of it is the admins' (proto-docs/webhooks.md).

/// {"data":[webhook]}, newest first
[[nodiscard]] result<prepared_read> list_webhooks(bind_input& in);
/// {"url","description"?,"resources"} → 201 {"data":{"webhook","secret"}}
[[nodiscard]] result<http::response> create_webhook(change_input& in);
/// {"status"}: active or paused → {"data":webhook}
[[nodiscard]] result<http::response> change_webhook(change_input& in);
[[nodiscard]] result<http::response> remove_webhook(change_input& in);
/// → 201 {"data":{"webhook","secret"}}
[[nodiscard]] result<http::response> rotate_webhook_secret(change_input& in);
/// → 202 {"data":webhook}
[[nodiscard]] result<http::response> test_webhook(change_input& in);
/// {"data":[delivery]}, newest first
[[nodiscard]] result<prepared_read> list_webhook_deliveries(bind_input& in);
/// {"deliveryId"} → 202 {"data":webhook}
[[nodiscard]] result<http::response> resend_webhook_delivery(change_input& in);

// interview_reads.cpp, interview_changes.cpp. Admins and recruiters see and change all; hiring managers the jobs whose
// hiring team they are on; interviewers see their own slots and interviews and close their slots; viewers get
// insufficient_role. Row-level security enforces all of it.

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

/// → {"data":[{"at","event","by":{"kind","name"},"from","to","interviewer"}]}, the first first. kind: candidate,
/// interviewer, member or system.
[[nodiscard]] result<prepared_read> get_booking_timeline(bind_input& in);

/// {"jobId","stageId","memberId","firstDay","lastDay","from","to","weekdays"?,"interviewDurationMinutes"?,"timeZone"?,"joinUrl"?,"preview"?}
/// → 201 {"data":{"opened":[slot],"existing":[time],"skipped":[time],"past":[time],"stageMadeBookable",
/// "interviewDurationMinutes","jobPublished"}}, a time as {"slotStart","slotEnd"}. preview: 200 with the same, "opened"
/// as [time]; nothing is written.
[[nodiscard]] result<http::response> open_interview_slots(change_input& in);
/// → {"data":slot}; the same of one that is closed already.
[[nodiscard]] result<http::response> close_interview_slot(change_input& in);
/// {"bookable"?,"interviewDurationMinutes"?} → {"data":stage}
[[nodiscard]] result<http::response> change_interview_stage(change_input& in);

// booking_changes.cpp: admins and recruiters, and hiring managers on the jobs whose hiring team they are on
// (interviews/bookings.hpp).

/// → {"data":booking}; the same of one that is canceled already.
[[nodiscard]] result<http::response> cancel_interview_booking(change_input& in);
/// {"slotId"} → {"data":booking}
[[nodiscard]] result<http::response> move_interview_booking(change_input& in);
/// {"memberId"} → {"data":booking}
[[nodiscard]] result<http::response> hand_over_interview_booking(change_input& in);
/// → 202 {"data":booking}
[[nodiscard]] result<http::response> resend_interview_confirmation(change_input& in);
/// → 201 {"data":{"url"}}
[[nodiscard]] result<http::response> create_booking_link(change_input& in);

} // namespace recruiting::auth_api::console
