// GET /audit (design: Audit): JSON pages, or everything that matches as CSV or NDJSON, streamed. Only for admins.
#pragma once
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api {

[[nodiscard]] result<prepared_read> list_audit(bind_input& in);

} // namespace recruiting::auth_api
