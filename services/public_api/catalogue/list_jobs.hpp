// GET /organizations/{slug}/jobs and GET /jobs?organization={slug}: the same list under two addresses.
#pragma once
#include "public_api/plan.hpp"

namespace recruiting::public_api {

[[nodiscard]] result<plan> list_organization_jobs(call const& from);
[[nodiscard]] result<plan> list_jobs(call const& from);

} // namespace recruiting::public_api
