#include "public_api/booking/booking_store.hpp"

#include "core/text.hpp"

namespace recruiting::public_api {
namespace {

// All last as long as the transaction. A public role may set them: without a known token they show nothing. A lock on
// an interviewer's row is not waited for long: the thread's other requests wait on the same connection.
constexpr char const* present_sql = R"(
SELECT set_config('recruiting.booking_token', $1, true), set_config('recruiting.request_id', $2, true),
       set_config('lock_timeout', '2s', true))";

// The presented link's booking, as its holder may see it.
constexpr char const* booking_sql = R"(
SELECT status, starts_at, ends_at, time_zone, language, job_title, stage_name, organization_name, organization_slug,
       logo_url, accent_color, wanted_starts_at, interviewer_name, calendar_uid, sequence, updated_at, job_id, stage_id,
       is_declined
FROM recruiting.presented_booking)";

// What the join page needs, of either kind of link.
constexpr char const* meeting_sql = R"(
SELECT status, starts_at, ends_at, time_zone, language, job_title, stage_name, organization_name, organization_slug,
       logo_url, accent_color, coalesce(moved, false), url
FROM recruiting.presented_meeting)";

// True availability of the booking's job and stage. Which interviewer is free stays private.
constexpr char const* free_slots_sql = R"(
SELECT starts_at, max(ends_at) FROM recruiting.presented_availability
WHERE starts_at >= $1 AND starts_at < $2
GROUP BY starts_at ORDER BY starts_at LIMIT $3)";

// What the trigger "limit_changes" reads.
constexpr char const* limit_changes_sql = R"(
SELECT set_config('recruiting.booking_changes_per_hour', $1::bigint::text, true),
       set_config('recruiting.booking_changes_per_day', $2::bigint::text, true))";

// Subqueries instead of a join: the view groups slots, and only a constant reaches what it groups.
constexpr char const* offered_sql = R"(
SELECT 1 FROM recruiting.published_slots
WHERE job_id = (SELECT job_id FROM recruiting.presented_booking)
  AND stage_id = (SELECT stage_id FROM recruiting.presented_booking) AND starts_at = $1)";

// A form that is sent twice waits here for itself, so that the statement after it sees that all is done.
constexpr char const* lock_sql = R"(
SELECT id FROM recruiting.bookings WHERE id = (SELECT recruiting.presented_booking_id()) FOR NO KEY UPDATE)";

// Takes a free slot at that time, of any interviewer; at random, so that two concurrent choices seldom collide. The
// exclusion constraint decides between those that do.
constexpr char const* move_sql = R"(
UPDATE recruiting.bookings b
SET status = 'confirmed', slot_id = free.slot_id, time_zone = coalesce($2, shown.time_zone)
FROM recruiting.presented_booking shown,
     (SELECT slot_id FROM recruiting.presented_availability WHERE starts_at = $1 ORDER BY random() LIMIT 1) free
WHERE b.id = shown.id AND NOT (shown.status = 'confirmed' AND shown.starts_at = $1))";

// A canceled booking stays as it is, so that a repeated request sends no second mail.
constexpr char const* cancel_sql = R"(
UPDATE recruiting.bookings b SET status = 'canceled'
FROM recruiting.presented_booking shown WHERE b.id = shown.id AND shown.status <> 'canceled')";

} // namespace

pg::statement present_link(digest const& link, std::string_view request_id) {
    return {present_sql, pg::params().text(to_hex(bytes_of(link))).text(request_id)};
}

pg::statement select_presented_booking() { return {booking_sql, {}}; }

namespace {

void read_interview(pg::row& row, presented_interview& shown) {
    row.read(shown.status, shown.starts_at, shown.ends_at, shown.time_zone, shown.language, shown.job_title)
        .read(shown.stage_name, shown.organization_name, shown.organization_slug, shown.logo_url, shown.accent_color);
}

} // namespace

std::optional<presented_booking> read_presented_booking(pg::rows const& rows) {
    if (rows.empty()) return std::nullopt;
    presented_booking shown;
    auto row = rows[0];
    read_interview(row, shown);
    row.read(shown.wanted_starts_at, shown.interviewer_name, shown.calendar_uid, shown.sequence, shown.updated_at)
        .read(shown.job, shown.stage, shown.is_declined);
    return shown;
}

pg::statement select_presented_meeting() { return {meeting_sql, {}}; }

std::optional<presented_meeting> read_presented_meeting(pg::rows const& rows) {
    if (rows.empty()) return std::nullopt;
    presented_meeting shown;
    auto row = rows[0];
    read_interview(row, shown);
    row.read(shown.moved, shown.url);
    return shown;
}

namespace {

constexpr char const* decline_page_sql = R"(
SELECT state, starts_at, ends_at, time_zone, job_title, stage_name, organization_name, organization_slug, logo_url,
       calendar_uid, sequence, updated_at
FROM recruiting.presented_decline)";

} // namespace

pg::statement select_presented_decline() { return {decline_page_sql, {}}; }

std::optional<presented_decline> read_presented_decline(pg::rows const& rows) {
    if (rows.empty()) return std::nullopt;
    presented_decline shown;
    auto& interview = shown.interview;
    rows[0]
        .read(shown.state, shown.starts_at, shown.ends_at, interview.time_zone, interview.job_title)
        .read(interview.stage_name, interview.organization_name, interview.organization_slug, interview.logo_url)
        .read(shown.calendar_uid, shown.sequence, shown.updated_at);
    return shown;
}

pg::statement decline_interview() { return {"SELECT recruiting.decline_interview()", {}}; }

bool read_declined(pg::rows const& rows) { return rows.boolean(0, 0); }

pg::statement select_free_slots(time_span const& when, std::int64_t most) {
    return {free_slots_sql, pg::params().time(when.from).time(when.to).integer(most)};
}

pg::statement limit_changes(std::int64_t per_hour, std::int64_t per_day) {
    return {limit_changes_sql, pg::params().integer(per_hour).integer(per_day)};
}

pg::statement select_offered(timestamp slot_start) { return {offered_sql, pg::params().time(slot_start)}; }

pg::statement lock_presented_booking() { return {lock_sql, {}}; }

pg::statement move_booking(timestamp slot_start, std::optional<std::string> const& time_zone) {
    return {move_sql, pg::params().time(slot_start).optional_text(time_zone)};
}

pg::statement cancel_booking() { return {cancel_sql, {}}; }

namespace {

// Tells a stage without slots (an empty list) from one that is unknown, unpublished or not bookable (404).
constexpr char const* bookable_stage_sql = R"(
SELECT id FROM recruiting.published_stages WHERE job_id = $1 AND id = $2)";

// The schedule as it is published. It never changes with bookings, and shows nothing of who booked.
constexpr char const* slots_sql = R"(
SELECT starts_at, ends_at FROM recruiting.published_slots
WHERE job_id = $1 AND stage_id = $2 AND starts_at >= $3 AND starts_at < $4
ORDER BY starts_at LIMIT $5)";

// Looks up the slot and leaves the request in one statement, the same for every address: whether a candidate has it is
// the worker's to find out, later.
constexpr char const* request_sql = R"(
INSERT INTO recruiting.booking_requests (organization_id, job_id, stage_id, starts_at, email, time_zone, language,
                                         excess)
SELECT organization_id, job_id, stage_id, starts_at, $4, $5, $6, $7 FROM recruiting.published_slots
WHERE job_id = $1 AND stage_id = $2 AND starts_at = $3)";

} // namespace

pg::statement select_bookable_stage(stage_of_job const& where) {
    return {bookable_stage_sql, pg::params().id(where.job).id(where.stage)};
}

pg::statement select_slots(stage_of_job const& where, time_span const& when, std::int64_t most) {
    return {slots_sql, pg::params().id(where.job).id(where.stage).time(when.from).time(when.to).integer(most)};
}

pg::statement insert_booking_request(stage_of_job const& where, booking_request const& wanted, bool is_excess) {
    auto params = pg::params().id(where.job).id(where.stage).time(wanted.slot_start);
    params.text(wanted.email).optional_text(wanted.time_zone).text(wanted.language).boolean(is_excess);
    return {request_sql, std::move(params)};
}

} // namespace recruiting::public_api
