// GET /careers/{slug}/jobs/{jobId}: one job, with its facts, its description and the choice of an interview's time.
#pragma once
#include "public_api/plan.hpp"

namespace recruiting::public_api {

/// Another organization's job is not found here.
[[nodiscard]] result<plan> get_job_page(call const& from);

} // namespace recruiting::public_api
