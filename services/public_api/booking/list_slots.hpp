// GET /scheduling/{jobId}/{stageId}/slots
#pragma once
#include "public_api/plan.hpp"

namespace recruiting::public_api {

/// The published schedule, whatever is booked of it. not_found for a stage that is unknown, unpublished or not
/// bookable.
[[nodiscard]] result<plan> list_slots(call const& from);

} // namespace recruiting::public_api
