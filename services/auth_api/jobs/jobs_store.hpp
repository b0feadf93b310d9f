#pragma once
#include "auth_api/jobs/jobs_json.hpp"
#include "auth_api/list_query.hpp"

namespace recruiting::auth_api {

[[nodiscard]] list_shape const& job_list(job_parts const& included);
[[nodiscard]] pg::statement job_record(uuid const& id);
/// One row when the job is there and the caller may read its candidates; else none.
[[nodiscard]] pg::statement job_with_candidates(uuid const& id);
inline constexpr std::string_view job_has_external_id = "j.external_id = ?";
/// Every word of q must stand in title, department or requisition id.
inline constexpr std::string_view job_matches_word =
    "strpos(recruiting.search_key(concat_ws(' ', j.title, j.department, j.requisition_id)), "
    "recruiting.search_key(?::text)) > 0";

} // namespace recruiting::auth_api
