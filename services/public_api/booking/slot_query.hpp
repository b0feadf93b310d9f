// Which part of a schedule is asked for: from, to and timeZone, narrowed to what can be booked now. Pure.
#pragma once
#include "core/error.hpp"
#include "public_api/booking/schedule_store.hpp"
#include "public_api/settings.hpp"

#include <string_view>

namespace recruiting::public_api {

struct slot_query {
    time_span when;        // empty when from is not before to: nothing of what was asked for can be booked
    std::string time_zone; // of localStart; empty: none was asked for
};

/// What can be booked now: not sooner than the notice, not later than the horizon.
[[nodiscard]] time_span bookable_span(timestamp now, settings const& config) noexcept;

/// Unknown parameters are ignored; invalid_request tells all problems of the known ones.
[[nodiscard]] result<slot_query> read_slot_query(std::string_view raw_query, timestamp now, settings const& config);

} // namespace recruiting::public_api
