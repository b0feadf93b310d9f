// GET /organizations/{slug}/jobs and GET /jobs?organization={slug}: the same list under two addresses.
#pragma once
#include "public_api/read.hpp"

namespace recruiting::public_api {

[[nodiscard]] result<read> list_organization_jobs(call const& from);
[[nodiscard]] result<read> list_jobs(call const& from);

} // namespace recruiting::public_api
