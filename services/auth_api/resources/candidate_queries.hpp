// What the lists of candidates ask for: filters of a candidate and of its applications, the words of q, and the feeds
// of their syncs.
#pragma once
#include "auth_api/http/list_builder.hpp"

#include <string_view>

namespace recruiting::auth_api {

/// The filters that a request gives to GET /candidates and to GET /jobs/{id}/candidates.
void filter_candidates(list_builder& list);
void filter_job_candidates(list_builder& list);

/// What a sync of the lists of candidates returns (list_sync_store.cpp). $1 of a job's: the job.
extern std::string_view const candidate_feed;
extern std::string_view const job_candidate_feed;
/// Candidates whose next interview has ended since, for lists that show it. Interviews end without a change of any row.
extern std::string_view const interviews_over;
extern std::string_view const interviews_over_of_job;

} // namespace recruiting::auth_api
