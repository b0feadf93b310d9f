#pragma once
#include "auth_api/http/list_query.hpp"

namespace recruiting::auth_api {

extern list_shape const member_list;

} // namespace recruiting::auth_api
