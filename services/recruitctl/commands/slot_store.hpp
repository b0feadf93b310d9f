// The SQL of interview slots, as an operator opens, lists and closes them.
#pragma once
#include "core/ids.hpp"
#include "pg/client.hpp"
#include "recruitctl/commands/slot_times.hpp"

#include <optional>
#include <string>
#include <vector>

namespace recruiting::recruitctl {

struct stage_to_book {
    std::string name;
    std::string job_title;
    bool job_is_published{false};
    bool bookable{false};
    std::optional<std::int64_t> duration_minutes;
};
[[nodiscard]] std::optional<stage_to_book> select_stage(pg::client& database, uuid const& organization, uuid const& job,
                                                        uuid const& stage);
void make_bookable(pg::client& database, uuid const& stage, std::chrono::minutes duration);

/// Locks the membership, so that two who open slots for one interviewer wait for each other.
void lock_interviewer(pg::client& database, uuid const& membership);
/// When the interviewer is taken or offered already within the span, and whether that is a slot of this stage.
struct occupied_time {
    slot_time when;
    bool same_stage{false};
};
[[nodiscard]] std::vector<occupied_time> select_occupied(pg::client& database, uuid const& membership,
                                                         uuid const& stage, slot_time const& span);

struct new_slots {
    uuid organization, job, stage, membership;
    std::optional<std::string> join_url;
    std::vector<slot_time> times;
};
void insert_slots(pg::client& database, new_slots const& wanted);

struct slot_filter {
    uuid organization;
    std::optional<uuid> job, stage;
    std::optional<std::string> interviewer; // e-mail address
    std::optional<timestamp> from, to;      // of the slot's start; to is exclusive
    bool closed{false};                     // closed ones too
    std::int64_t limit{1000};
};
struct listed_slot {
    uuid id, job, stage;
    std::string job_title, stage_name, interviewer;
    slot_time when;
    std::string state; // open, taken, closed
    std::optional<uuid> booking;
    std::optional<std::string> join_url;
};
[[nodiscard]] std::vector<listed_slot> select_slots(pg::client& database, slot_filter const& filter);

struct closed_slot {
    uuid id;
    bool booked{false};
};
/// Of those asked for, the ones that were open.
[[nodiscard]] std::vector<closed_slot> close_slots(pg::client& database, uuid const& organization,
                                                   std::vector<uuid> const& ids);

} // namespace recruiting::recruitctl
