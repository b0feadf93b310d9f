#include "public_api/booking/booking_store.hpp"

#include "core/text.hpp"

namespace recruiting::public_api {
namespace {

// All last as long as the transaction. A public role may set them: without a known token they show nothing. A lock on
// an interviewer's row is not waited for long: the thread's other requests wait on the same connection.
constexpr char const* present_sql = R"(
SELECT set_config('recruiting.booking_token', $1, true), set_config('recruiting.request_id', $2, true),
       set_config('lock_timeout', '2s', true))";

struct booking_columns {
    enum : int {
        status,
        starts_at,
        ends_at,
        wanted_starts_at,
        time_zone,
        interviewer_name,
        calendar_uid,
        sequence,
        updated_at,
        job_id,
        job_title,
        stage_id,
        stage_name,
        organization_name,
        organization_slug,
        logo_url,
        accent_color,
        language,
        is_declined
    };
};

// The presented link's booking, as its holder may see it. The columns are those of booking_columns, in its order.
constexpr char const* booking_sql = R"(
SELECT status, starts_at, ends_at, wanted_starts_at, time_zone, interviewer_name, calendar_uid, sequence, updated_at,
       job_id, job_title, stage_id, stage_name, organization_name, organization_slug, logo_url,
       accent_color, language, is_declined
FROM recruiting.presented_booking)";

struct meeting_columns {
    enum : int {
        status,
        starts_at,
        ends_at,
        time_zone,
        language,
        moved,
        url,
        job_title,
        stage_name,
        organization_name,
        organization_slug,
        logo_url,
        accent_color
    };
};

// What the join page needs, of either kind of link. The columns are those of meeting_columns, in its order.
constexpr char const* meeting_sql = R"(
SELECT status, starts_at, ends_at, time_zone, language, moved, url, job_title, stage_name, organization_name,
       organization_slug, logo_url, accent_color
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

// Once: what is canceled stays as it is, so that a repeated request sends no second mail.
constexpr char const* cancel_sql = R"(
UPDATE recruiting.bookings b SET status = 'canceled'
FROM recruiting.presented_booking shown WHERE b.id = shown.id AND shown.status <> 'canceled')";

} // namespace

pg::statement present_link(digest const& link, std::string_view request_id) {
    return {present_sql, pg::params().text(to_hex(bytes_of(link))).text(request_id)};
}

pg::statement select_presented_booking() { return {booking_sql, {}}; }

std::vector<pg::statement> select_booking_by_link(digest const& link, std::string_view request_id) {
    return {present_link(link, request_id), select_presented_booking()};
}

namespace {

template <class Columns>
void read_interview(pg::rows const& rows, presented_interview& shown) {
    shown.status = rows.text(0, Columns::status);
    shown.starts_at = rows.optional_time(0, Columns::starts_at);
    shown.ends_at = rows.optional_time(0, Columns::ends_at);
    shown.time_zone = rows.text(0, Columns::time_zone);
    shown.language = rows.text(0, Columns::language);
    shown.job_title = rows.text(0, Columns::job_title);
    shown.stage_name = rows.text(0, Columns::stage_name);
    shown.organization_name = rows.text(0, Columns::organization_name);
    shown.organization_slug = rows.text(0, Columns::organization_slug);
    shown.logo_url = rows.optional_text(0, Columns::logo_url);
    shown.accent_color = rows.optional_text(0, Columns::accent_color);
}

} // namespace

std::optional<presented_booking> read_presented_booking(pg::rows const& rows) {
    if (rows.empty()) return std::nullopt;
    using column = booking_columns;
    presented_booking shown;
    read_interview<column>(rows, shown);
    shown.wanted_starts_at = rows.optional_time(0, column::wanted_starts_at);
    shown.interviewer_name = rows.optional_text(0, column::interviewer_name);
    shown.calendar_uid = rows.id(0, column::calendar_uid);
    shown.sequence = static_cast<int>(rows.integer(0, column::sequence));
    shown.updated_at = rows.time(0, column::updated_at);
    shown.job = rows.id(0, column::job_id);
    shown.stage = rows.id(0, column::stage_id);
    shown.is_declined = rows.boolean(0, column::is_declined);
    return shown;
}

pg::statement select_presented_meeting() { return {meeting_sql, {}}; }

std::optional<presented_meeting> read_presented_meeting(pg::rows const& rows) {
    if (rows.empty()) return std::nullopt;
    using column = meeting_columns;
    presented_meeting shown;
    read_interview<column>(rows, shown);
    shown.moved = !rows.is_null(0, column::moved) && rows.boolean(0, column::moved);
    shown.url = rows.text(0, column::url);
    return shown;
}

namespace {

struct decline_columns {
    enum : int {
        state,
        starts_at,
        ends_at,
        time_zone,
        job_title,
        stage_name,
        organization_name,
        organization_slug,
        logo_url
    };
};

// The columns are those of decline_columns, in its order.
constexpr char const* decline_page_sql = R"(
SELECT state, starts_at, ends_at, time_zone, job_title, stage_name, organization_name, organization_slug, logo_url
FROM recruiting.presented_decline)";

} // namespace

pg::statement select_presented_decline() { return {decline_page_sql, {}}; }

std::optional<presented_decline> read_presented_decline(pg::rows const& rows) {
    if (rows.empty()) return std::nullopt;
    using column = decline_columns;
    presented_decline shown;
    shown.state = rows.text(0, column::state);
    shown.starts_at = rows.time(0, column::starts_at);
    shown.ends_at = rows.time(0, column::ends_at);
    shown.interview.time_zone = rows.text(0, column::time_zone);
    shown.interview.job_title = rows.text(0, column::job_title);
    shown.interview.stage_name = rows.text(0, column::stage_name);
    shown.interview.organization_name = rows.text(0, column::organization_name);
    shown.interview.organization_slug = rows.text(0, column::organization_slug);
    shown.interview.logo_url = rows.optional_text(0, column::logo_url);
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

// The schedule as it is published. It never changes with bookings, and shows nothing of who booked. The columns
// are those of slot_columns.
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
