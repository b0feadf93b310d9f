#include "auth_api/console/interview_store.hpp"

#include "directory/store.hpp"

namespace recruiting::auth_api::console {
namespace {

// Taken slots are found from the interviews, which are fewer. Interviewers see no stage but those of their own slots. A
// condition on stages st and jobs j follows.
constexpr std::string_view stages_sql = R"sql(
WITH held AS MATERIALIZED (
    SELECT h.membership_id, h.starts_at, h.ends_at, h.starts_at - interval '8 hours' AS earliest
      FROM recruiting.interview_times((SELECT recruiting.current_organization_id()), now(), 'infinity') AS h),
taken AS MATERIALIZED (
    SELECT s.id FROM held h
      JOIN recruiting.interview_slots s ON s.membership_id = h.membership_id AND s.starts_at < h.ends_at
                                       AND s.starts_at > h.earliest AND s.ends_at > h.starts_at
     WHERE s.closed_at IS NULL AND s.starts_at > now())
SELECT st.id, st.name, st.kind, j.id, j.title, j.published AND j.status = 'open', st.bookable,
       st.interview_duration_minutes, a.open, a.free, a.next_free, b.ahead,
       (SELECT recruiting.has_role('admin', 'recruiter', 'hiring_manager'))
  FROM recruiting.jobs j
  JOIN recruiting.stages st ON st.job_id = j.id
 CROSS JOIN LATERAL (
    SELECT count(*) AS open, count(*) FILTER (WHERE s.id NOT IN (SELECT t.id FROM taken t)) AS free,
           min(s.starts_at) FILTER (WHERE s.id NOT IN (SELECT t.id FROM taken t)) AS next_free
      FROM recruiting.interview_slots s
      JOIN recruiting.memberships m ON m.id = s.membership_id AND m.status = 'active'
     WHERE s.job_id = j.id AND s.stage_id = st.id AND s.closed_at IS NULL AND s.starts_at > now()) AS a
 CROSS JOIN LATERAL (
    SELECT count(*) AS ahead FROM recruiting.bookings b
     WHERE b.job_id = j.id AND b.stage_id = st.id AND b.status = 'confirmed' AND b.starts_at > now()) AS b
 WHERE j.organization_id = (SELECT recruiting.current_organization_id()) AND j.deleted_at IS NULL
   AND ((SELECT recruiting.has_role('admin', 'recruiter'))
        OR ((SELECT recruiting.has_role('hiring_manager'))
            AND j.id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                          WHERE t.membership_id = (SELECT recruiting.current_member_id())))
        OR ((SELECT recruiting.has_role('interviewer')) AND a.open > 0)))sql";

constexpr std::string_view of_open_jobs = R"sql(
   AND j.status = 'open' AND ($1::boolean IS NULL OR st.bookable = $1) AND ($2::uuid IS NULL OR j.id = $2)
 ORDER BY j.sort_title, j.id, st.position, st.id LIMIT $3::bigint)sql";

constexpr std::string_view of_this_id = R"sql(
   AND st.id = $1::uuid)sql";

// Where they meet: as the join link finds it (recruiting.meetings). Names of candidates are those that the caller could
// read at the candidate.
constexpr std::string_view bookings_within_sql = R"sql(
WITH within AS MATERIALIZED (
    SELECT b.id, b.starts_at AS at FROM recruiting.bookings b
     WHERE b.organization_id = (SELECT recruiting.current_organization_id())
       AND b.starts_at >= $4::timestamptz AND b.starts_at < $5::timestamptz
     UNION ALL
    SELECT b.id, b.wanted_starts_at FROM recruiting.bookings b
     WHERE b.organization_id = (SELECT recruiting.current_organization_id())
       AND b.starts_at IS NULL AND b.wanted_starts_at >= $4 AND b.wanted_starts_at < $5),
page AS MATERIALIZED (
    SELECT b.id, b.organization_id, b.status, b.job_id, b.stage_id, b.membership_id, b.slot_id, b.starts_at, b.ends_at,
           b.wanted_starts_at, b.time_zone, b.room, b.room_url, b.application_id, b.candidate_id, b.created_at,
           b.updated_at, b.declined_by, w.at
      FROM within w JOIN recruiting.bookings b ON b.id = w.id
     WHERE ($1::uuid IS NULL OR b.job_id = $1) AND ($2::uuid IS NULL OR b.stage_id = $2)
       AND ($3::uuid IS NULL OR b.membership_id = $3) AND ($6::text[] IS NULL OR b.status = ANY ($6))
     ORDER BY w.at, b.id LIMIT $7::bigint)
)sql";

constexpr std::string_view booking_of_id_sql = R"sql(
WITH page AS MATERIALIZED (
    SELECT b.*, coalesce(b.starts_at, b.wanted_starts_at) AS at FROM recruiting.bookings b
     WHERE b.organization_id = (SELECT recruiting.current_organization_id()) AND b.id = $1::uuid)
)sql";

constexpr std::string_view page_of_bookings_sql = R"sql(
SELECT b.id, b.status, b.job_id, j.title, b.stage_id, st.name, b.membership_id, )sql" RECRUITING_MEMBER_NAME
                                                  R"sql(, m.email,
       m.status = 'active', b.slot_id, b.starts_at, b.ends_at, b.wanted_starts_at, b.time_zone,
       CASE WHEN b.status = 'confirmed'
            THEN coalesce(s.join_url, m.join_url, replace(o.room_url, '{room}', replace(b.room::text, '-', '')),
                          b.room_url)
       END,
       a.id, c.id, c.name, dm.id, coalesce(dm.invited_name, du.name), dm.email, dm.status = 'active', b.created_at, b.updated_at
  FROM page b
  JOIN recruiting.organizations o ON o.id = b.organization_id
  JOIN recruiting.jobs j ON j.id = b.job_id
  JOIN recruiting.stages st ON st.id = b.stage_id
  LEFT JOIN recruiting.interview_slots s ON s.id = b.slot_id
  LEFT JOIN recruiting.memberships m ON m.id = b.membership_id
  LEFT JOIN recruiting.users u ON u.id = m.user_id
  LEFT JOIN recruiting.memberships dm ON dm.id = b.declined_by
  LEFT JOIN recruiting.users du ON du.id = dm.user_id
  LEFT JOIN recruiting.applications a ON a.id = b.application_id AND a.deleted_at IS NULL
  LEFT JOIN recruiting.candidates c ON c.id = b.candidate_id AND c.deleted_at IS NULL
 ORDER BY b.at, b.id
)sql";

// A stage or job that is gone shows none of its requests.
constexpr std::string_view unmatched_sql = R"sql(
SELECT r.id, r.job_id, j.title, r.stage_id, st.name, r.email, r.starts_at, r.time_zone, c.id, c.name, r.requests,
       r.first_received_at, r.last_received_at
  FROM recruiting.unmatched_booking_requests r
  JOIN recruiting.stages st ON st.id = r.stage_id
  JOIN recruiting.jobs j ON j.id = r.job_id AND j.deleted_at IS NULL
  LEFT JOIN LATERAL (SELECT k.id, k.name FROM recruiting.candidates k
                      WHERE k.organization_id = r.organization_id AND k.email_key = r.email_key AND k.deleted_at IS NULL
                      ORDER BY k.created_at DESC, k.id LIMIT 1) AS c ON true
 WHERE r.organization_id = (SELECT recruiting.current_organization_id())
   AND ($1::uuid IS NULL OR r.job_id = $1) AND ($2::uuid IS NULL OR r.stage_id = $2)
   AND r.last_received_at >= $3::timestamptz
 ORDER BY r.last_received_at DESC, r.id DESC LIMIT $4::bigint
)sql";

} // namespace

pg::statement interview_stages(std::optional<bool> bookable, std::optional<uuid> const& job, std::int64_t limit) {
    pg::statement out{std::string(stages_sql).append(of_open_jobs), {}};
    if (bookable) out.params.boolean(*bookable);
    else out.params.null();
    out.params.optional_id(job).integer(limit);
    return out;
}

pg::statement interview_stage(uuid const& id) {
    return {std::string(stages_sql).append(of_this_id), pg::params().id(id)};
}

pg::statement interview_bookings(booking_filter const& filter) {
    pg::statement out{std::string(bookings_within_sql).append(page_of_bookings_sql), {}};
    out.params.optional_id(filter.job)
        .optional_id(filter.stage)
        .optional_id(filter.membership)
        .time(filter.from)
        .time_until(filter.to);
    if (filter.statuses) out.params.text_array(*filter.statuses);
    else out.params.null();
    out.params.integer(filter.limit);
    return out;
}

pg::statement interview_booking(uuid const& id) {
    return {std::string(booking_of_id_sql).append(page_of_bookings_sql), pg::params().id(id)};
}

pg::statement booking_timeline(uuid const& id) {
    constexpr std::string_view sql = R"sql(
SELECT t.occurred_at, t.action, t.by_member, t.member_name, t.previous_starts_at, t.starts_at, t.interviewer_name
  FROM recruiting.booking_timeline($1::uuid) t)sql";
    return {std::string(sql), pg::params().id(id)};
}

pg::statement unmatched_requests(unmatched_filter const& filter) {
    pg::params values;
    values.optional_id(filter.job).optional_id(filter.stage).time_from(filter.received_after).integer(filter.limit);
    return {std::string(unmatched_sql), std::move(values)};
}

} // namespace recruiting::auth_api::console
