// GET /me and GET /scopes: who the credential is and what it may (specification: /me response).
#pragma once
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api {

[[nodiscard]] result<prepared_read> get_me(bind_input& in);
[[nodiscard]] result<prepared_read> list_scopes(bind_input& in);

} // namespace recruiting::auth_api
