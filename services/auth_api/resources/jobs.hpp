// GET /jobs and GET /jobs/{id} (design: Records, job; Lists).
#pragma once
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api {

[[nodiscard]] result<prepared_read> list_jobs(bind_input& in);
[[nodiscard]] result<prepared_read> get_job(bind_input& in);

} // namespace recruiting::auth_api
