#include "auth_api/candidates/candidates_store.hpp"

namespace recruiting::auth_api {
namespace {

// The columns of a candidate's record, in the order candidates_json reads them.
#define RECRUITING_CANDIDATE_COLUMNS                                                                                   \
    "c.id, c.created_at, c.updated_at, c.sort_name, c.name, c.email, c.phone, c.current_title, c.current_company, "    \
    "c.location_name, c.location_city, c.location_region, c.location_country_code, c.links::text, c.source, "          \
    "array_to_json(c.tags)::text, c.last_activity_at, c.deleted_at, c.external_id"

// The columns of an application, in the order candidates_json reads them.
#define RECRUITING_APPLICATION_COLUMNS                                                                                 \
    "a.id, a.candidate_id, a.job_id, a.stage_id, s.name, a.status, a.source, a.applied_at, a.stage_entered_at, "       \
    "a.rejected_at, a.hired_at, a.rejection_reason, a.created_at, a.updated_at, a.deleted_at, "                        \
    "a.external_id"

// GET /candidates/{id}.
constexpr auto record_sql = "SELECT " RECRUITING_CANDIDATE_COLUMNS
                            " FROM recruiting.candidates c WHERE c.id = $1::uuid AND c.deleted_at IS NULL";

// Every application of one candidate that the caller may see, the newest first.
constexpr auto applications_sql =
    "SELECT " RECRUITING_APPLICATION_COLUMNS " FROM recruiting.applications a "
    "JOIN recruiting.stages s ON s.id = a.stage_id "
    "WHERE a.candidate_id = $1::uuid AND a.deleted_at IS NULL ORDER BY a.applied_at DESC, a.id DESC";

} // namespace

// GET /candidates. The organization's condition repeats what row-level security adds, so that the planner reads the
// list's own index in its order.
list_shape const candidate_list = {
    .route = "/candidates",
    .columns = RECRUITING_CANDIDATE_COLUMNS,
    .from = "FROM recruiting.candidates c WHERE c.organization_id = (SELECT recruiting.current_organization_id())",
    .live = "c.deleted_at IS NULL",
    .id = "c.id",
    .sorts = {{{"createdAt", "c.created_at", 1, true},
               {"updatedAt", "c.updated_at", 2, true},
               {"name", "c.sort_name", 3, false}}},
    .changed = "c.changed_xid",
};

// GET /jobs/{id}/candidates. Sorted by the application's copy of the candidate's creation time: the job's own index
// gives the page in its order.
list_shape const job_candidate_list = {
    .route = "/jobs/{id}/candidates",
    .columns = RECRUITING_CANDIDATE_COLUMNS ", " RECRUITING_APPLICATION_COLUMNS,
    .from = "FROM recruiting.applications a JOIN recruiting.candidates c ON c.id = a.candidate_id "
            "JOIN recruiting.stages s ON s.id = a.stage_id WHERE a.job_id = $1::uuid AND a.deleted_at IS NULL",
    .live = "c.deleted_at IS NULL",
    .id = "a.candidate_id",
    .sorts = {{{"createdAt", "a.candidate_created_at", 1, true},
               {"updatedAt", "c.updated_at", 2, true},
               {"name", "c.sort_name", 3, false}}},
};
#undef RECRUITING_CANDIDATE_COLUMNS
#undef RECRUITING_APPLICATION_COLUMNS

void application_conditions::of_jobs(std::string_view values) {
    conditions_.append(" AND a.job_id = ").append(values);
    by_index_ = true;
}

void application_conditions::in_stages(std::string_view values) {
    conditions_.append(" AND a.stage_id = ").append(values);
    by_index_ = true;
}

void application_conditions::with_external_id(std::string_view value) {
    conditions_.append(" AND a.organization_id = (SELECT recruiting.current_organization_id()) AND a.external_id = ")
        .append(value);
    by_index_ = true;
}

void application_conditions::with_status(std::string_view values) {
    conditions_.append(" AND a.status = ").append(values);
}

// Where no index names the applications, OFFSET 0 keeps it a look-up a candidate, in the list's order: as a join it
// would read every application of the organization first.
std::string application_conditions::of_candidate() const {
    if (conditions_.empty()) return {};
    if (by_index_)
        return "c.id IN (SELECT a.candidate_id FROM recruiting.applications a WHERE a.deleted_at IS NULL" +
               conditions_ + ")";
    return "EXISTS (SELECT FROM recruiting.applications a WHERE a.candidate_id = c.id AND a.deleted_at IS NULL" +
           conditions_ + " OFFSET 0)";
}

pg::statement candidate_record(uuid const& id) {
    pg::statement out{record_sql, {}};
    out.params.id(id);
    return out;
}

pg::statement candidate_applications(uuid const& candidate) {
    pg::statement out{applications_sql, {}};
    out.params.id(candidate);
    return out;
}

} // namespace recruiting::auth_api
