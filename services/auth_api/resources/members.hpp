// GET /members (design: Records, member; Lists).
#pragma once
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api {

[[nodiscard]] result<prepared_read> list_members(bind_input& in);

} // namespace recruiting::auth_api
