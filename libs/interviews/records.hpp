// The records that operations and the store pass around.
#pragma once
#include "core/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace recruiting::interviews {

/// A stage of a job as booking sees it.
struct stage_booking {
    std::string name;
    std::string job_title;
    bool job_is_published{false}; // open and published: anybody sees its slots
    bool bookable{false};
    std::optional<std::int64_t> duration_minutes;
};

struct closed_slot {
    uuid id;
    bool booked{false}; // an interview is booked in it, and stays
};

} // namespace recruiting::interviews
