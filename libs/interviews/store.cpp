#include "interviews/store.hpp"

#include "directory/store.hpp"

namespace recruiting::interviews::store {
namespace {

// The names of a stage and its job, and whether anybody would see its slots.
constexpr std::string_view stage_sql = R"(
SELECT s.name, j.title, j.published AND j.status = 'open', s.bookable, s.interview_duration_minutes
FROM recruiting.stages s JOIN recruiting.jobs j ON j.id = s.job_id
WHERE s.organization_id = $1 AND ($2::uuid IS NULL OR s.job_id = $2) AND s.id = $3 AND j.deleted_at IS NULL
  AND ($4::uuid IS NULL OR EXISTS (SELECT FROM recruiting.hiring_teams t WHERE t.job_id = j.id AND t.membership_id = $4)))";

constexpr std::string_view update_stage_sql = "SELECT recruiting.change_stage_booking($1, $2, $3)";

constexpr std::string_view lock_sql = R"(
SELECT FROM recruiting.memberships WHERE id = $1 FOR NO KEY UPDATE)";

constexpr std::string_view counts_sql = R"(
SELECT c.of_interviewer, c.of_stage, c.of_organization, c.of_hour, c.seconds_left
FROM recruiting.lock_slot_counts($1, $2, $3) AS c)";

constexpr std::string_view occupied_sql = R"(
SELECT t.starts_at, t.ends_at, coalesce(t.stage_id = $2, false) FROM recruiting.interviewer_times($1, $3, $4) t)";

constexpr std::string_view insert_sql = R"(
INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at,
                                        join_url)
SELECT n.id, $2::uuid, $3::uuid, $4::uuid, $5::uuid, n.starts_at, n.ends_at, $8::text
FROM unnest($1::uuid[], $6::timestamptz[], $7::timestamptz[]) AS n (id, starts_at, ends_at))";

constexpr std::string_view open_slot_sql = R"(
SELECT id FROM recruiting.interview_slots
WHERE organization_id = $1 AND stage_id = $2 AND membership_id = $3 AND starts_at = $4 AND closed_at IS NULL)";

// A booking made in a slot stays when the slot is closed.
constexpr std::string_view close_sql = R"(
UPDATE recruiting.interview_slots s SET closed_at = clock_timestamp()
WHERE s.organization_id = $1 AND s.id = ANY ($2::uuid[]) AND s.closed_at IS NULL
RETURNING s.id, EXISTS (SELECT FROM recruiting.bookings b WHERE b.slot_id = s.id AND b.status = 'confirmed'))";

// $1 is the organization, or NULL: the caller's. A condition on slots s and their interviewers' users u stands between.
constexpr std::string_view slots_head = R"(
WITH chosen AS MATERIALIZED (
    SELECT s.id, s.job_id, s.stage_id, s.membership_id, )" RECRUITING_MEMBER_NAME R"( AS name, m.email,
           m.status = 'active' AS active, s.starts_at, s.ends_at, s.join_url, s.closed_at, s.created_at
    FROM recruiting.interview_slots s
    JOIN recruiting.memberships m ON m.id = s.membership_id
    JOIN recruiting.users u ON u.id = m.user_id
    WHERE s.organization_id = coalesce($1::uuid, (SELECT recruiting.current_organization_id())))";
// One row a slot: the interview in it, else the first at its time.
constexpr std::string_view slots_tail = R"(),
held AS MATERIALIZED (
    SELECT h.booking_id, h.slot_id, h.membership_id, h.starts_at, h.ends_at
    FROM (SELECT min(starts_at) AS first, max(ends_at) AS last FROM chosen) AS span,
         recruiting.interview_times(coalesce($1::uuid, (SELECT recruiting.current_organization_id())), span.first,
                                    span.last) AS h)
SELECT DISTINCT ON (c.starts_at, c.email, c.id)
       c.id, c.job_id, j.title, c.stage_id, st.name, c.membership_id, c.name, c.email, c.active, c.starts_at, c.ends_at,
       CASE WHEN c.closed_at IS NOT NULL THEN 'closed' WHEN h.booking_id IS NOT NULL THEN 'taken' ELSE 'open' END,
       c.starts_at <= now(), h.booking_id, coalesce(h.slot_id = c.id, false), c.join_url, c.closed_at, c.created_at
FROM chosen c
JOIN recruiting.jobs j ON j.id = c.job_id
JOIN recruiting.stages st ON st.id = c.stage_id
LEFT JOIN held h ON h.membership_id = c.membership_id AND h.starts_at < c.ends_at AND h.ends_at > c.starts_at
ORDER BY c.starts_at, c.email, c.id, (h.slot_id = c.id) DESC NULLS LAST, h.starts_at)";

constexpr std::string_view filtered = R"(
      AND ($2::uuid IS NULL OR s.job_id = $2) AND ($3::uuid IS NULL OR s.stage_id = $3)
      AND ($4::uuid IS NULL OR s.membership_id = $4) AND ($5::text IS NULL OR u.email_key = $5)
      AND s.starts_at >= $6::timestamptz AND s.starts_at < $7::timestamptz
      AND ($8::boolean OR s.closed_at IS NULL)
    ORDER BY s.starts_at, m.email, s.id LIMIT $9::bigint)";

constexpr std::string_view by_id = R"(
      AND s.id = ANY ($2::uuid[]))";

} // namespace

std::optional<stage_booking> select_stage(pg::client& database, uuid const& organization_id,
                                          std::optional<uuid> const& job, uuid const& stage,
                                          std::optional<uuid> const& of_member) {
    pg::params values;
    values.id(organization_id).optional_id(job).id(stage).optional_id(of_member);
    auto const found = database.run(stage_sql, values);
    if (found.empty()) return std::nullopt;
    stage_booking out;
    found[0].read(out.name, out.job_title, out.job_is_published, out.bookable, out.duration_minutes);
    return out;
}

void update_stage(pg::client& database, uuid const& stage, std::optional<bool> bookable,
                  std::optional<std::int64_t> duration_minutes) {
    auto values = pg::params{}.id(stage);
    if (bookable) values.boolean(*bookable);
    else values.null();
    if (duration_minutes) values.integer(*duration_minutes);
    else values.null();
    database.run(update_stage_sql, values);
}

void lock_interviewer(pg::client& database, uuid const& membership) {
    database.run(lock_sql, pg::params{}.id(membership));
}

slot_counts lock_slot_counts(pg::client& database, uuid const& organization_id, uuid const& stage,
                             uuid const& membership) {
    auto const found = database.run(counts_sql, pg::params{}.id(organization_id).id(stage).id(membership));
    slot_counts out;
    found[0].read(out.of_interviewer, out.of_stage, out.of_organization, out.of_hour, out.seconds_left);
    return out;
}

std::vector<occupied_time> select_occupied(pg::client& database, uuid const& membership, uuid const& stage,
                                           slot_time const& span) {
    auto const found =
        database.run(occupied_sql, pg::params{}.id(membership).id(stage).time(span.starts_at).time(span.ends_at));
    std::vector<occupied_time> out;
    for (auto row : found) out.push_back({{row.time(), row.time()}, row.boolean()});
    return out;
}

std::vector<uuid> insert_slots(pg::client& database, new_slots const& wanted, std::span<slot_time const> times) {
    std::vector<uuid> ids;
    std::vector<std::string> starts;
    std::vector<std::string> ends;
    for (auto const& time : times) {
        ids.push_back(new_record_id());
        starts.push_back(format_time_micros(time.starts_at));
        ends.push_back(format_time_micros(time.ends_at));
    }
    pg::params values;
    values.id_array(ids).id(wanted.organization).id(wanted.job).id(wanted.stage).id(wanted.membership);
    values.text_array(starts).text_array(ends).optional_text(wanted.join_url);
    database.run(insert_sql, values);
    return ids;
}

std::optional<uuid> select_open_slot(pg::client& database, new_slots const& where, timestamp starts_at) {
    pg::params values;
    values.id(where.organization).id(where.stage).id(where.membership).time(starts_at);
    auto const found = database.run(open_slot_sql, values);
    return found.empty() ? std::nullopt : std::optional(found.id(0, 0));
}

std::vector<closed_slot> close_slots(pg::client& database, uuid const& organization_id, std::span<uuid const> slots) {
    auto const found = database.run(close_sql, pg::params{}.id(organization_id).id_array(slots));
    std::vector<closed_slot> out;
    for (auto row : found) out.push_back({row.id(), row.boolean()});
    return out;
}

pg::statement slots(slot_filter const& filter) {
    pg::statement out{std::string(slots_head).append(filtered).append(slots_tail), {}};
    out.params.optional_id(filter.organization)
        .optional_id(filter.job)
        .optional_id(filter.stage)
        .optional_id(filter.membership)
        .optional_text(filter.interviewer_key)
        .time_from(filter.from)
        .time_until(filter.to)
        .boolean(filter.closed)
        .integer(filter.limit);
    return out;
}

pg::statement slots_by_id(std::span<uuid const> ids) {
    return {std::string(slots_head).append(by_id).append(slots_tail), pg::params{}.null().id_array(ids)};
}

} // namespace recruiting::interviews::store
