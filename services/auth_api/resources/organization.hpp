// GET /organization (design: Records, organization).
#pragma once
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api {

[[nodiscard]] result<prepared_read> get_organization(bind_input& in);

} // namespace recruiting::auth_api
