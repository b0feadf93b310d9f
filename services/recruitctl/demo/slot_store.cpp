#include "recruitctl/demo/slot_store.hpp"

#include "pg/params.hpp"

namespace recruiting::recruitctl {
namespace {

// Loading again finds the slots of before by their unique index. A slot that an operator closed is opened again the
// next time: it is a demo.
constexpr char const* insert_slots_sql = R"(
WITH stages AS (
    SELECT DISTINCT ON (j.external_id) j.external_id, s.id, s.job_id, s.organization_id, o.time_zone,
           make_interval(mins => s.interview_duration_minutes) AS length
    FROM recruiting.jobs j
    JOIN recruiting.organizations o ON o.id = j.organization_id
    JOIN recruiting.stages s ON s.job_id = j.id AND s.bookable
    WHERE j.organization_id = $1 AND j.external_id LIKE 'demo-job-%' AND j.published AND j.status = 'open'
      AND j.deleted_at IS NULL
    ORDER BY j.external_id, s.position
    LIMIT 2
), interviewers AS (
    SELECT m.id FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND m.status = 'active' AND u.email_key IN ($2, $3)
), times AS (
    SELECT s.id AS stage_id, s.job_id, s.organization_id, s.length, (day + hour) AT TIME ZONE s.time_zone AS starts_at
    FROM stages s
    CROSS JOIN LATERAL generate_series(date_trunc('day', now() AT TIME ZONE s.time_zone) + interval '1 day',
        date_trunc('day', now() AT TIME ZONE s.time_zone) + interval '14 days', interval '1 day') AS day
    CROSS JOIN unnest(ARRAY[interval '9 h', '10 h', '11 h', '14 h', '15 h', '16 h']) AS hour
    WHERE extract(isodow FROM day) < 6
)
INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at)
SELECT gen_random_uuid(), t.organization_id, t.job_id, t.stage_id, i.id, t.starts_at, t.starts_at + t.length
FROM times t CROSS JOIN interviewers i
ON CONFLICT (stage_id, membership_id, starts_at) WHERE closed_at IS NULL DO NOTHING)";

// The first from tomorrow noon on: still ahead of the shortest notice when the welcome text has been read.
constexpr char const* find_slot = R"(
SELECT starts_at FROM recruiting.published_slots
WHERE stage_id = $1 AND starts_at > now() + interval '12 hours' ORDER BY starts_at LIMIT 1)";
struct slot_columns {
    enum : int { starts_at };
};

} // namespace

std::int64_t open_demo_slots(pg::client& client, uuid organization, std::string const& slug) {
    pg::params values;
    values.id(organization).text("interviewer@" + slug + ".example").text("interviewer2@" + slug + ".example");
    return client.run(insert_slots_sql, values).affected();
}

std::optional<timestamp> find_demo_slot(pg::client& client, std::optional<uuid> stage) {
    if (!stage) return std::nullopt;
    auto const found = client.run(find_slot, pg::params().id(*stage));
    return found.empty() ? std::nullopt : std::optional(found.time(0, slot_columns::starts_at));
}

} // namespace recruiting::recruitctl
