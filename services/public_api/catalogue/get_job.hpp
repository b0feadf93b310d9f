// GET /jobs/{jobId}
#pragma once
#include "public_api/plan.hpp"

namespace recruiting::public_api {

/// An unpublished, a closed, a deleted and an unknown job, and what is no id at all, are answered alike: not_found.
[[nodiscard]] result<plan> get_job(call const& from);

} // namespace recruiting::public_api
