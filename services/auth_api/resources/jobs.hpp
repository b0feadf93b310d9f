// What /pipeline and /jobs/{id}/candidates ask of a job.
#pragma once
#include "pg/params.hpp"

namespace recruiting::auth_api {

/// One row when the job exists and the caller may read its candidates; else none.
[[nodiscard]] pg::statement job_with_candidates(uuid const& id);
struct job_with_candidates_columns {
    enum : int { id, title };
};

/// SQL: whether the caller may read the candidates of job $1. Evaluated once per statement.
#define RECRUITING_SEES_JOB                                                                                            \
    "(SELECT recruiting.has_role('admin', 'recruiter') OR EXISTS (SELECT FROM recruiting.hiring_teams r "              \
    "WHERE r.job_id = $1::uuid AND r.membership_id = (SELECT recruiting.current_member_id())))"

} // namespace recruiting::auth_api
