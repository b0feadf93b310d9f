// The organization that a path or query names. One answer for all that can't be shown: an unknown one and one that has
// published nothing, which recruiting.published_organizations leaves out.
#pragma once
#include "public_api/plan.hpp"

namespace recruiting::public_api {

/// never null; error: not_found, the same whatever the reason.
[[nodiscard]] result<published_organization const*> named_organization(call const& from, std::string_view slug);

} // namespace recruiting::public_api
