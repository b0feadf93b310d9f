// GET /organizations/{slug}
#pragma once
#include "public_api/read.hpp"

namespace recruiting::public_api {

[[nodiscard]] result<read> get_organization(call const& from);

} // namespace recruiting::public_api
