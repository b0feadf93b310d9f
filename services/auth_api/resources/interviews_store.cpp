#include "auth_api/resources/interviews_store.hpp"

#include <string>

namespace recruiting::auth_api {
namespace {

// Confirmed and not over. No interview is longer than eight hours (interview_slots): that bounds the index's range.
constexpr std::string_view ahead = R"sql(
SELECT b.application_id, b.id, b.starts_at, b.ends_at, b.stage_id, b.membership_id, u.name
FROM recruiting.bookings b
JOIN recruiting.memberships m ON m.id = b.membership_id
JOIN recruiting.users u ON u.id = m.user_id
WHERE b.status = 'confirmed' AND b.starts_at > now() - interval '8 hours' AND b.ends_at > now()
)sql";

// GET /pipeline: all of the job, read by one range of its index instead of a look-up an application shown.
constexpr std::string_view of_job = "AND b.job_id = $1::uuid ORDER BY b.starts_at, b.id";

} // namespace

pg::statement interviews_of_job(uuid const& job) {
    return {std::string(ahead) + std::string(of_job), pg::params().id(job)};
}

} // namespace recruiting::auth_api
