// The filters of the lists of candidates: of a candidate, of its applications, and the words of q.
#pragma once
#include "auth_api/http/list_query.hpp"

namespace recruiting::auth_api {

/// email, externalId, source, tag and q: of both lists.
void add_candidate_filters(bind_input& in, list_query& list);
/// jobId, stageId, applicationExternalId and status of the global list. Several of them ask for one application that
/// fulfils them all.
void add_application_filters(bind_input& in, list_query& list);
/// stageId, applicationExternalId and status of a job's list, of the application that each row has.
void add_own_application_filters(bind_input& in, list_query& list);

} // namespace recruiting::auth_api
