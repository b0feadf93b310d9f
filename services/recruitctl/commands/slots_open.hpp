// slots open: what of the planned times is new, there already, or in the way of something else.
#pragma once
#include "recruitctl/command.hpp"
#include "recruitctl/commands/slot_store.hpp"

namespace recruiting::recruitctl {

struct sorted_slots {
    std::vector<slot_time> added;
    std::vector<slot_time> known;   // of this stage, at exactly that time
    std::vector<slot_time> skipped; // the interviewer is offered or booked elsewhere then
};
/// Pure.
[[nodiscard]] sorted_slots sort_slots(std::vector<slot_time> const& planned,
                                      std::vector<occupied_time> const& occupied);

[[nodiscard]] command open_slots_command();

/// The id after the option, or nothing; throws usage_error when it is none.
[[nodiscard]] std::optional<uuid> find_id(invocation const& call, std::string_view option);

} // namespace recruiting::recruitctl
