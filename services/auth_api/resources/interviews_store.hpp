// The interviews ahead of a job, for /pipeline, which shows each application's next one.
#pragma once
#include "pg/params.hpp"

namespace recruiting::auth_api {

/// Application, booking, startsAt, endsAt, stage, interviewer's member and name; the earliest first.
[[nodiscard]] pg::statement interviews_of_job(uuid const& job);

} // namespace recruiting::auth_api
