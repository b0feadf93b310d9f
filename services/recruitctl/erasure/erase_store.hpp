// Erasing a person. What is left of a candidate is its id with the time of its deletion, which syncs report.
#pragma once
#include "pg/client.hpp"
#include "recruitctl/erasure/agent_store.hpp"
#include "recruitctl/erasure/person_store.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace recruiting::recruitctl::erasure {

struct interview {
    uuid booking_id;
    timestamp starts_at;
    std::string interviewer_email;
};
/// The person's interviews that have not ended, and the number of mails to interviewers that still have to cancel one.
struct interviews_ahead {
    std::vector<interview> booked;
    std::int64_t cancellations_waiting{0};
};
[[nodiscard]] interviews_ahead select_interviews(pg::client& database, person const& of);
/// As the candidate does with their link: both sides are mailed.
void cancel_interviews(pg::client& database, person const& of);

struct record_counts {
    std::int64_t applications{0}, bookings{0}, mails{0}, booking_requests{0};
};
[[nodiscard]] record_counts count_records(pg::client& database, person const& of);

/// The candidates are deleted from now on, for every program and the agent's tools.
void hide(pg::client& database, person const& of);

/// Deletes the person's records in one transaction, with an audit row and an entry in the list of erasures for each
/// candidate that was not erased before. interviews_are_told: those ahead are deleted, too; otherwise failure is thrown
/// when there are any.
record_counts erase_records(pg::client& database, person const& of, std::span<uuid const> kept_sessions,
                            bool interviews_are_told);

struct erased_subject {
    uuid subject_id; // the candidate, or the organization itself
    uuid organization_id;
    timestamp erased_at;
    std::vector<uuid> kept_sessions;
};
/// Of all organizations or one, those that are no more included; in the order of their ids.
[[nodiscard]] std::vector<erased_subject> select_erasures(pg::client& database, std::optional<uuid> const& of);
/// Of these, what this database has and has not erased: after a restore.
[[nodiscard]] std::vector<erased_subject> select_restored(pg::client& database,
                                                          std::map<uuid, erased_subject> const& among);

} // namespace recruiting::recruitctl::erasure
