// What the lists of candidates ask for: filters of a candidate and of its applications, the words of q, and the feeds
// of their syncs.
#pragma once
#include "auth_api/http/list_query.hpp"

#include <string_view>

namespace recruiting::auth_api {

/// email, externalId, source, tag and q: of both lists.
void add_candidate_filters(bind_input& in, list_query& list);
/// jobId, stageId, applicationExternalId and status of the global list. Several of them ask for one application that
/// fulfils them all.
void add_application_filters(bind_input& in, list_query& list);
/// stageId, applicationExternalId and status of a job's list, of the application that each row has.
void add_own_application_filters(bind_input& in, list_query& list);

/// What a sync of the lists of candidates returns (list_sync_store.cpp). $1 of a job's: the job.
extern std::string_view const candidate_feed;
extern std::string_view const job_candidate_feed;
/// Candidates whose next interview has ended since, for lists that show it. Interviews end without a change of any row.
extern std::string_view const interviews_over;
extern std::string_view const interviews_over_of_job;

} // namespace recruiting::auth_api
