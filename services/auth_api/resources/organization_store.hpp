#pragma once
#include "pg/params.hpp"

namespace recruiting::auth_api {

[[nodiscard]] pg::statement organization_name();
[[nodiscard]] pg::statement organization_record();

} // namespace recruiting::auth_api
