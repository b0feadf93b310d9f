// GET /organizations/{slug}
#pragma once
#include "public_api/plan.hpp"

namespace recruiting::public_api {

[[nodiscard]] result<plan> get_organization(call const& from);

} // namespace recruiting::public_api
