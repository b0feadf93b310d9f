// What one job's record says.
#pragma once
#include "auth_api/agent/builtin/find_job.hpp"

namespace recruiting::auth_api::agent::responder {

enum class job_aspect { everything, salary, location, stages, status };

void describe_job(desk& work, job_reference const& named, job_aspect about);

} // namespace recruiting::auth_api::agent::responder
