// GET /billing (design: Records, billing). Only for admins.
#pragma once
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api {

[[nodiscard]] result<prepared_read> get_billing(bind_input& in);

} // namespace recruiting::auth_api
