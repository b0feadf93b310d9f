// GET /pipeline?jobId= (design: Records, pipeline).
#pragma once
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api {

[[nodiscard]] result<prepared_read> get_pipeline(bind_input& in);

} // namespace recruiting::auth_api
