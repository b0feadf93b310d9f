// The SQL of interview slots and bookable stages, and the records that it reads.
#pragma once
#include "interviews/slot_times.hpp"
#include "pg/client.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

namespace recruiting::interviews::store {

/// of_member: a hiring manager, who reaches the jobs whose hiring team they are on; nullopt: every job.
[[nodiscard]] std::optional<stage_booking> select_stage(pg::client& database, uuid const& organization_id,
                                                        std::optional<uuid> const& job, uuid const& stage,
                                                        std::optional<uuid> const& of_member);
/// What is not given stays.
void update_stage(pg::client& database, uuid const& stage, std::optional<bool> bookable,
                  std::optional<std::int64_t> duration_minutes);

/// Two who open slots for one interviewer wait for each other.
void lock_interviewer(pg::client& database, uuid const& membership);
/// When the interviewer is booked or offered already within the span, for whatever job.
[[nodiscard]] std::vector<occupied_time> select_occupied(pg::client& database, uuid const& membership,
                                                         uuid const& stage, slot_time const& span);

/// Open slots ahead, and slots that the organization opened in this clock hour, closed ones too.
struct slot_counts {
    std::int64_t of_interviewer{0}, of_stage{0}, of_organization{0}, of_hour{0};
    std::int64_t seconds_left{0}; // of the hour
};
/// The counts stay true until the transaction ends: others who open slots of this organization wait for it.
[[nodiscard]] slot_counts lock_slot_counts(pg::client& database, uuid const& organization_id, uuid const& stage,
                                           uuid const& membership);

struct new_slots {
    uuid organization, job, stage, membership;
    std::optional<std::string> join_url;
};
/// Returns their ids, in the order of times.
[[nodiscard]] std::vector<uuid> insert_slots(pg::client& database, new_slots const& wanted,
                                             std::span<slot_time const> times);
/// The open slot of this stage and interviewer that begins then.
[[nodiscard]] std::optional<uuid> select_open_slot(pg::client& database, new_slots const& where, timestamp starts_at);
[[nodiscard]] std::vector<closed_slot> close_slots(pg::client& database, uuid const& organization_id,
                                                   std::span<uuid const> slots);

struct slot_filter {
    std::optional<uuid> organization; // nullopt: the one of the connection's caller
    std::optional<uuid> job, stage, membership;
    std::optional<std::string> interviewer_key; // canonical e-mail address
    std::optional<timestamp> from, to;          // of the slot's start; to is exclusive
    bool closed{false};                         // closed ones too
    std::int64_t limit{1000};
};
/// The slots in the caller's reach, the next one first: id; job and title; stage and name; membership, name and address
/// of the interviewer and whether they are active; begin and end; state; is it past; a booking; is that of this very
/// slot; join address; when closed and created. State: open; closed; taken: an interview is booked in it, or its
/// interviewer has one at that time, which is the booking.
[[nodiscard]] pg::statement slots(slot_filter const& filter);
/// The slots with these ids that the caller may see, in the caller's organization; closed ones too.
[[nodiscard]] pg::statement slots_by_id(std::span<uuid const> ids);

} // namespace recruiting::interviews::store
