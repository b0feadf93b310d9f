// GET /agent/sessions, GET /agent/sessions/{id} (design: Agent; Lists). Whose sessions are seen is row-level
// security's.
#pragma once
#include "auth_api/http/resource.hpp"

namespace recruiting::auth_api {

[[nodiscard]] result<prepared_read> list_sessions(bind_input& in);
[[nodiscard]] result<prepared_read> get_session(bind_input& in);

} // namespace recruiting::auth_api
