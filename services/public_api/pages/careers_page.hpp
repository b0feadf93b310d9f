// GET /careers/{slug}: an organization's open jobs, searchable without JavaScript.
#pragma once
#include "public_api/plan.hpp"

namespace recruiting::public_api {

[[nodiscard]] result<plan> get_careers_page(call const& from);

} // namespace recruiting::public_api
