#include "auth_api/jobs/jobs_store.hpp"

namespace recruiting::auth_api {
namespace {

// The columns of a job's record, in the order jobs_json reads them. Team, address and count are kept by triggers: a
// record costs two index look-ups at any number of candidates.
#define RECRUITING_JOB_COLUMNS                                                                                         \
    "j.id, j.created_at, j.updated_at, j.sort_title, j.title, j.status, j.requisition_id, j.department, "              \
    "j.location_name, j.location_city, j.location_region, j.location_country_code, j.workplace_type, "                 \
    "j.employment_type, j.openings, j.salary_min, j.salary_max, j.salary_currency, j.salary_period, "                  \
    "j.salary_published, j.hiring_team, j.published, j.published_at, j.closes_at, j.opened_at, j.closed_at, "          \
    "j.public_url, coalesce(n.applications, 0), j.deleted_at"
#define RECRUITING_JOB_FROM " FROM recruiting.jobs j LEFT JOIN recruiting.job_counts n ON n.job_id = j.id "

// GET /jobs/{id}: the list's record, the description and the stages.
constexpr auto record_sql =
    "SELECT " RECRUITING_JOB_COLUMNS ", j.description_html, j.description_text, j.stages" RECRUITING_JOB_FROM
    "WHERE j.id = $1::uuid AND j.deleted_at IS NULL";

// Tells a job whose candidates are out of the caller's reach (a hiring manager not on its team) from one with none.
constexpr auto with_candidates_sql = R"sql(
SELECT j.id, j.title FROM recruiting.jobs j
WHERE j.id = $1::uuid AND j.deleted_at IS NULL
  AND ((SELECT recruiting.has_role('admin', 'recruiter'))
       OR EXISTS (SELECT FROM recruiting.hiring_teams t
                  WHERE t.job_id = j.id AND t.membership_id = (SELECT recruiting.current_member_id())))
)sql";

} // namespace

// GET /jobs.
list_shape const job_list = {
    .route = "/jobs",
    .columns = RECRUITING_JOB_COLUMNS,
    .from = RECRUITING_JOB_FROM "WHERE j.organization_id = (SELECT recruiting.current_organization_id())",
    .live = "j.deleted_at IS NULL",
    .id = "j.id",
    .sorts = {{{"createdAt", "j.created_at", 1, true},
               {"updatedAt", "j.updated_at", 2, true},
               {"title", "j.sort_title", 3, false}}},
    .changed = "j.changed_xid",
};
#undef RECRUITING_JOB_COLUMNS
#undef RECRUITING_JOB_FROM

pg::statement job_record(uuid const& id) {
    pg::statement out{record_sql, {}};
    out.params.id(id);
    return out;
}

pg::statement job_with_candidates(uuid const& id) {
    pg::statement out{with_candidates_sql, {}};
    out.params.id(id);
    return out;
}

} // namespace recruiting::auth_api
