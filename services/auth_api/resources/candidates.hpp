// GET /candidates, GET /candidates/{id}, GET /jobs/{id}/candidates (design: Records, candidate and application; Lists).
#pragma once
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api {

[[nodiscard]] result<prepared_read> list_candidates(bind_input& in);
[[nodiscard]] result<prepared_read> get_candidate(bind_input& in);
[[nodiscard]] result<prepared_read> list_job_candidates(bind_input& in);

} // namespace recruiting::auth_api
