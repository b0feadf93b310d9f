#include "auth_api/console/interview_json.hpp"

#include "auth_api/console/interview_store.hpp"
#include "interviews/store.hpp"

namespace recruiting::auth_api::console {
namespace {

// {memberId, name, email, active}; null without a member. The four columns stand side by side.
void write_interviewer(http::json_writer& json, pg::rows const& rows, int row, int first,
                       std::string_view name = "interviewer") {
    json.key(name);
    auto const id = rows.optional_id(row, first);
    if (!id) {
        json.null();
        return;
    }
    json.open_object()
        .field("memberId", *id)
        .field("name", rows.text(row, first + 1))
        .field("email", rows.text(row, first + 2))
        .field("active", rows.boolean(row, first + 3))
        .close_object();
}

// {id, name}, or null. The two columns stand side by side.
void write_candidate(http::json_writer& json, pg::rows const& rows, int row, int first) {
    json.key("candidate");
    auto const id = rows.optional_id(row, first);
    if (!id) {
        json.null();
        return;
    }
    json.open_object().field("id", *id).field("name", rows.text(row, first + 1)).close_object();
}

std::string_view slot_state(pg::rows const& rows, int row) {
    using columns = interviews::store::slot_columns;
    auto const state = rows.text(row, columns::state);
    return state != "closed" && rows.boolean(row, columns::is_past) ? "past" : state;
}

} // namespace

void write_interview_stage(http::json_writer& json, pg::rows const& rows, int row) {
    using columns = interview_stage_columns;
    json.open_object()
        .field("id", rows.id(row, columns::id))
        .field("name", rows.text(row, columns::name))
        .field("kind", rows.text(row, columns::kind))
        .field("jobId", rows.id(row, columns::job))
        .field("jobTitle", rows.text(row, columns::job_title))
        .field("jobPublished", rows.boolean(row, columns::job_published))
        .field("bookable", rows.boolean(row, columns::bookable))
        .field("interviewDurationMinutes", rows.optional_integer(row, columns::duration_minutes))
        .field("openSlots", rows.integer(row, columns::open_slots))
        .field("freeSlots", rows.integer(row, columns::free_slots))
        .field("nextFreeAt", rows.optional_time(row, columns::next_free_at))
        .field("upcomingBookings", rows.integer(row, columns::upcoming_bookings))
        .field("mayChange", rows.boolean(row, columns::may_change))
        .close_object();
}

void write_interview_slot(http::json_writer& json, pg::rows const& rows, int row) {
    using columns = interviews::store::slot_columns;
    json.open_object()
        .field("id", rows.id(row, columns::id))
        .field("jobId", rows.id(row, columns::job))
        .field("jobTitle", rows.text(row, columns::job_title))
        .field("stageId", rows.id(row, columns::stage))
        .field("stageName", rows.text(row, columns::stage_name));
    write_interviewer(json, rows, row, columns::membership);
    json.field("startsAt", rows.time(row, columns::starts_at))
        .field("endsAt", rows.time(row, columns::ends_at))
        .field("state", slot_state(rows, row))
        .field("booked", rows.boolean(row, columns::is_booked))
        .field("joinUrl", rows.optional_text(row, columns::join_url))
        .field("closedAt", rows.optional_time(row, columns::closed_at))
        .field("createdAt", rows.time(row, columns::created_at))
        .close_object();
}

void write_interview_booking(http::json_writer& json, pg::rows const& rows, int row) {
    using columns = interview_booking_columns;
    json.open_object()
        .field("id", rows.id(row, columns::id))
        .field("status", rows.text(row, columns::status))
        .field("jobId", rows.id(row, columns::job))
        .field("jobTitle", rows.text(row, columns::job_title))
        .field("stageId", rows.id(row, columns::stage))
        .field("stageName", rows.text(row, columns::stage_name));
    write_interviewer(json, rows, row, columns::membership);
    json.field("slotId", rows.optional_id(row, columns::slot))
        .field("startsAt", rows.optional_time(row, columns::starts_at))
        .field("endsAt", rows.optional_time(row, columns::ends_at))
        .field("wantedStartsAt", rows.optional_time(row, columns::wanted_starts_at))
        .field("timeZone", rows.text(row, columns::time_zone))
        .field("joinUrl", rows.optional_text(row, columns::join_url))
        .field("applicationId", rows.optional_id(row, columns::application));
    write_candidate(json, rows, row, columns::candidate);
    write_interviewer(json, rows, row, columns::declined_by, "declinedBy");
    json.field("createdAt", rows.time(row, columns::created_at))
        .field("updatedAt", rows.time(row, columns::updated_at))
        .close_object();
}

void write_unmatched_request(http::json_writer& json, pg::rows const& rows, int row) {
    using columns = unmatched_columns;
    json.open_object()
        .field("id", rows.id(row, columns::id))
        .field("jobId", rows.id(row, columns::job))
        .field("jobTitle", rows.text(row, columns::job_title))
        .field("stageId", rows.id(row, columns::stage))
        .field("stageName", rows.text(row, columns::stage_name))
        .field("email", rows.text(row, columns::email))
        .field("startsAt", rows.time(row, columns::starts_at))
        .field("timeZone", rows.optional_text(row, columns::time_zone));
    write_candidate(json, rows, row, columns::candidate);
    json.field("requests", rows.integer(row, columns::requests))
        .field("firstReceivedAt", rows.time(row, columns::first_received_at))
        .field("lastReceivedAt", rows.time(row, columns::last_received_at))
        .close_object();
}

} // namespace recruiting::auth_api::console
