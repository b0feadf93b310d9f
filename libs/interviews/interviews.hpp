// Interview slots and bookable stages as operations (proto-docs/booking.md), for recruitctl and the console. What the
// caller can cause comes back as a result, its fields named as in the console's requests; an outage throws. Each change
// writes its audit rows in its own transaction.
//
// Who may: an actor who is no member (an operator), admins and recruiters everything; hiring managers the jobs whose
// hiring team they are on; interviewers close their own slots. Row-level security holds the reach of a member's
// connection.
#pragma once
#include "core/error.hpp"
#include "core/time.hpp"
#include "directory/records.hpp"
#include "interviews/store.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::interviews {

inline constexpr std::size_t most_slots = 1000;                 // opened at once: more are a mistake
inline constexpr std::chrono::days horizon{366};                // the last day of a pattern
inline constexpr std::int64_t most_open_of_interviewer = 5'000; // every working day of a year in half hours
inline constexpr std::int64_t most_open_of_stage = 10'000;
inline constexpr std::int64_t most_open_of_organization = 50'000;
inline constexpr std::int64_t most_opened_per_hour = 5'000; // by an organization, in a clock hour of UTC
inline constexpr std::chrono::minutes shortest_interview{5};
inline constexpr std::chrono::minutes longest_interview{480};

struct wanted_slots {
    uuid job;
    uuid stage;
    directory::member_selector interviewer;
    slot_pattern pattern; // an empty zone: the organization's; a duration of 0: the stage's
    std::optional<std::string> join_url;
    std::size_t most{most_slots};
};

struct opened_slots {
    stage_booking stage;  // as it was before
    slot_pattern pattern; // with its zone and duration
    sorted_slots times;
    std::vector<uuid> ids; // of times.added
};

/// What open_slots would do now, and refuses as it does. Nothing is written: ids stays empty.
[[nodiscard]] result<opened_slots> preview_slots(pg::client& database, std::string_view organization_slug,
                                                 wanted_slots const& wanted, directory::actor const& by = {},
                                                 time_source const& clock = system_time());

/// Opens the slots of the pattern that are ahead, and makes the stage bookable with their duration if it was not. The
/// same again adds nothing. Refused: a job or stage that is unknown or out of the actor's reach, an interviewer who is
/// no active member (`unknown`), no slot ahead (`no_slots`), more than `most` (`too_many`), a last day beyond the
/// horizon (`out_of_range`), more open slots than one of the bounds above (`too_many_slots`), no duration (`missing`),
/// a wrong time zone or join URL. rate_limited (`slots`): more than the organization may open in this hour.
[[nodiscard]] result<opened_slots> open_slots(pg::client& database, std::string_view organization_slug,
                                              wanted_slots const& wanted, directory::actor const& by = {},
                                              time_source const& clock = system_time());

/// The open slot of the stage that the interviewer has at that begin. Without one, it is opened for that time, within
/// the bounds of open_slots; the interviewer's other slots then may overlap it.
[[nodiscard]] result<uuid> provide_slot(pg::client& database, store::new_slots const& where, slot_time const& when,
                                        directory::actor const& by);

/// Closes those of the slots that are open and in reach, and returns them. No mail goes out.
[[nodiscard]] result<std::vector<closed_slot>> close_slots(pg::client& database, uuid const& organization_id,
                                                           std::span<uuid const> slots,
                                                           directory::actor const& by = {});

struct stage_change {
    std::optional<bool> bookable;
    std::optional<std::int64_t> duration_minutes;
};
/// Returns whether anything changed. Refused: a bookable stage without a duration (`missing`). not_found: no such stage
/// in the actor's reach. Slots keep their length, and stay when the stage is no longer bookable.
[[nodiscard]] result<bool> change_stage(pg::client& database, uuid const& organization_id, uuid const& stage,
                                        stage_change const& wanted, directory::actor const& by = {});

} // namespace recruiting::interviews
