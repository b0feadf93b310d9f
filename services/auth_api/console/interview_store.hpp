// What the console reads of interviews: stages, bookings, requests that matched nobody. As statements, for connections
// that know their caller: row-level security narrows them to the member's reach. Slots: interviews/store.hpp.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "pg/params.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::auth_api::console {

/// Stages of open jobs, by job and position.
[[nodiscard]] pg::statement interview_stages(std::optional<bool> bookable, std::optional<uuid> const& job,
                                             std::int64_t limit);
/// One stage, its job open or not.
[[nodiscard]] pg::statement interview_stage(uuid const& id);

struct booking_filter {
    std::optional<uuid> job, stage, membership;
    timestamp from; // of the interview, or of the time that was wanted
    std::optional<timestamp> to;
    std::optional<std::vector<std::string>> statuses;
    std::int64_t limit{1000};
};
[[nodiscard]] pg::statement interview_bookings(booking_filter const& filter);
/// One booking, in the same columns.
[[nodiscard]] pg::statement interview_booking(uuid const& id);

struct unmatched_filter {
    std::optional<uuid> job, stage;
    std::optional<timestamp> received_after;
    std::int64_t limit{1000};
};
[[nodiscard]] pg::statement unmatched_requests(unmatched_filter const& filter);

} // namespace recruiting::auth_api::console
