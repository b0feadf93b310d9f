#include "auth_api/resources/pipeline_store.hpp"

#include "auth_api/resources/jobs_store.hpp"

namespace recruiting::auth_api {
namespace {

// The stages with how many active applications each holds.
constexpr auto stages_sql = R"sql(
SELECT s.id, s.name, s.kind, s.position, s.bookable, s.interview_duration_minutes,
       coalesce((SELECT c.applications FROM recruiting.stage_counts c
                 WHERE c.job_id = s.job_id AND c.stage_id = s.id AND c.status = 'active'), 0)
FROM recruiting.stages s WHERE s.job_id = $1::uuid ORDER BY s.position, s.id
)sql";

// The first active applications of each stage, who waits longest first; one more than shown tells hasMore. Whose job it
// is not is asked first, not of each application.
constexpr auto applications_sql =
    "SELECT s.id, a.id, a.candidate_id, a.name, a.stage_entered_at "
    "FROM recruiting.stages s "
    "CROSS JOIN LATERAL ("
    "    SELECT x.id, x.candidate_id, c.name, x.stage_entered_at"
    "    FROM recruiting.applications x JOIN recruiting.candidates c ON c.id = x.candidate_id"
    "    WHERE x.stage_id = s.id AND x.status = 'active' AND x.deleted_at IS NULL AND c.deleted_at IS NULL"
    "    ORDER BY x.stage_entered_at, x.id LIMIT $2::bigint + 1) AS a "
    "WHERE s.job_id = $1::uuid AND " RECRUITING_SEES_JOB " ORDER BY s.position, s.id, a.stage_entered_at, a.id";

// How many applications the job has in each status.
constexpr auto totals_sql = R"sql(
SELECT coalesce(sum(applications) FILTER (WHERE status = 'active'), 0)::bigint,
       coalesce(sum(applications) FILTER (WHERE status = 'hired'), 0)::bigint,
       coalesce(sum(applications) FILTER (WHERE status = 'rejected'), 0)::bigint,
       coalesce(sum(applications) FILTER (WHERE status = 'withdrawn'), 0)::bigint
FROM recruiting.stage_counts WHERE job_id = $1::uuid
)sql";

} // namespace

pg::statement pipeline_stages(uuid const& job) {
    pg::statement out{stages_sql, {}};
    out.params.id(job);
    return out;
}

pg::statement pipeline_applications(uuid const& job) {
    pg::statement out{applications_sql, {}};
    out.params.id(job).integer(most_applications_per_stage);
    return out;
}

pg::statement pipeline_totals(uuid const& job) {
    pg::statement out{totals_sql, {}};
    out.params.id(job);
    return out;
}

} // namespace recruiting::auth_api
