#pragma once
#include "auth_api/http/list_query.hpp"
#include "auth_api/resources/jobs_json.hpp"

namespace recruiting::auth_api {

[[nodiscard]] list_shape const& job_list(job_parts const& included);
[[nodiscard]] pg::statement job_record(uuid const& id);
/// One row when the job is there and the caller may read its candidates; else none.
[[nodiscard]] pg::statement job_with_candidates(uuid const& id);
/// Does the caller see the candidates of job $1? Asked once a statement.
#define RECRUITING_SEES_JOB                                                                                            \
    "(SELECT recruiting.has_role('admin', 'recruiter') OR EXISTS (SELECT FROM recruiting.hiring_teams r "              \
    "WHERE r.job_id = $1::uuid AND r.membership_id = (SELECT recruiting.current_member_id())))"

inline constexpr list_filter job_has_external_id{"externalId", "j.external_id = ?", filter_index::unique};
inline constexpr list_filter job_has_status{"status", "j.status = ?", filter_index::ordered};
inline constexpr list_filter job_of_department{"department", "j.department = ?", filter_index::ordered};
inline constexpr list_filter job_is_published{"published", "j.published = ?::boolean"};
/// Each word of q stands in title, department or requisition id.
extern word_search const job_words;

} // namespace recruiting::auth_api
