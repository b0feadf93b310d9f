// The interviews ahead, for the records that show each application's next one.
#pragma once
#include "pg/params.hpp"

namespace recruiting::auth_api {

/// Both: application, booking, startsAt, endsAt, stage, interviewer's member and name; the earliest first.
[[nodiscard]] pg::statement interviews_of_job(uuid const& job);
[[nodiscard]] pg::statement interviews_of_candidate(uuid const& candidate);

} // namespace recruiting::auth_api
