// What the console reads of interviews: stages, bookings, requests that matched no candidate. As statements, for
// connections that know their caller, so that row-level security narrows them to what the member may read. Slots are
// read by interviews/store.hpp.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "http/json_writer.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

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

/// What happened to one booking, the first thing first: when; action; whether a member did it, and their name; from
/// when, to when, and the interviewer's name, while the mails that say so are kept. Rows of the audit log.
[[nodiscard]] pg::statement booking_timeline(uuid const& id);

struct unmatched_filter {
    std::optional<uuid> job, stage;
    std::optional<timestamp> received_after;
    std::int64_t limit{1000};
};
[[nodiscard]] pg::statement unmatched_requests(unmatched_filter const& filter);

// interview_reads.cpp

/// A row of interview_stages or interview_stage.
void write_interview_stage(http::json_writer& json, pg::row row);
/// A row of interview_booking or interview_bookings.
void write_interview_booking(http::json_writer& json, pg::row row);
/// A row of interviews::store::slots.
void write_interview_slot(http::json_writer& json, pg::row row);

} // namespace recruiting::auth_api::console
