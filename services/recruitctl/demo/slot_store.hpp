// Interview slots of the demo. Unlike its other records they follow the clock: there are always some to book.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "pg/client.hpp"

#include <optional>
#include <string>

namespace recruiting::recruitctl {

/// Opens what is missing of the next two weeks, on working days of the organization's time zone, at the first bookable
/// stage of its first two published demo jobs. Returns how many were opened.
std::int64_t open_demo_slots(pg::client& client, uuid organization, std::string const& slug);

/// A time tomorrow or later that can be booked at this stage.
[[nodiscard]] std::optional<timestamp> find_demo_slot(pg::client& client, std::optional<uuid> stage);

} // namespace recruiting::recruitctl
