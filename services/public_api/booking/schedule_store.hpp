// The published schedule's SQL, and the one row a booking request leaves. Nothing here can see candidates or bookings:
// role recruiting_public may not.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "pg/params.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace recruiting::public_api {

struct stage_of_job {
    uuid job;
    uuid stage;
};

struct time_span {
    timestamp from; // inclusive
    timestamp to;   // exclusive
};

/// The columns of select_slots and of select_free_slots.
struct slot_columns {
    enum : int { starts_at, ends_at };
};

/// One row: the stage is published and can be booked.
[[nodiscard]] pg::statement select_bookable_stage(stage_of_job const& where);
/// The published slots that begin in the span, soonest first.
[[nodiscard]] pg::statement select_slots(stage_of_job const& where, time_span const& when, std::int64_t most);

struct booking_request {
    std::string email;
    timestamp slot_start;
    std::optional<std::string> time_zone;
    std::string language; // one there are words for
};
/// One row affected: there is such a slot. None: there is not. is_excess: the worker takes it last, and repeats no mail
/// for it.
[[nodiscard]] pg::statement insert_booking_request(stage_of_job const& where, booking_request const& wanted,
                                                   bool is_excess);

} // namespace recruiting::public_api
