#include "auth_api/console/interview_json.hpp"

namespace recruiting::auth_api::console {
namespace {

// {memberId, name, email, active}; null without a member. Takes four columns.
void write_interviewer(http::json_writer& json, pg::row& row, std::string_view name = "interviewer") {
    json.key(name);
    if (row.is_null()) {
        row.skip(4);
        json.null();
        return;
    }
    json.open_object()
        .field("memberId", row.id())
        .field("name", row.text())
        .field("email", row.text())
        .field("active", row.boolean())
        .close_object();
}

// {id, name}; null where the candidate is not in the caller's reach. Takes two columns.
void write_candidate(http::json_writer& json, pg::row& row) {
    json.key("candidate");
    if (row.is_null()) {
        row.skip(2);
        json.null();
        return;
    }
    json.open_object().field("id", row.id()).field("name", row.text()).close_object();
}

std::string_view take_slot_state(pg::row& row) {
    auto const state = row.text();
    bool const is_past = row.boolean();
    return state != "closed" && is_past ? "past" : state;
}

} // namespace

void write_interview_stage(http::json_writer& json, pg::row row) {
    json.open_object()
        .field("id", row.id())
        .field("name", row.text())
        .field("kind", row.text())
        .field("jobId", row.id())
        .field("jobTitle", row.text())
        .field("jobPublished", row.boolean())
        .field("bookable", row.boolean())
        .field("interviewDurationMinutes", row.optional_integer())
        .field("openSlots", row.integer())
        .field("freeSlots", row.integer())
        .field("nextFreeAt", row.optional_time())
        .field("upcomingBookings", row.integer())
        .field("mayChange", row.boolean())
        .close_object();
}

void write_interview_slot(http::json_writer& json, pg::row row) {
    json.open_object()
        .field("id", row.id())
        .field("jobId", row.id())
        .field("jobTitle", row.text())
        .field("stageId", row.id())
        .field("stageName", row.text());
    write_interviewer(json, row);
    json.field("startsAt", row.time())
        .field("endsAt", row.time())
        .field("state", take_slot_state(row))
        .field("booked", row.skip().boolean()) // behind the booking
        .field("joinUrl", row.optional_text())
        .field("closedAt", row.optional_time())
        .field("createdAt", row.time())
        .close_object();
}

void write_interview_booking(http::json_writer& json, pg::row row) {
    json.open_object()
        .field("id", row.id())
        .field("status", row.text())
        .field("jobId", row.id())
        .field("jobTitle", row.text())
        .field("stageId", row.id())
        .field("stageName", row.text());
    write_interviewer(json, row);
    json.field("slotId", row.optional_id())
        .field("startsAt", row.optional_time())
        .field("endsAt", row.optional_time())
        .field("wantedStartsAt", row.optional_time())
        .field("timeZone", row.text())
        .field("joinUrl", row.optional_text())
        .field("applicationId", row.optional_id());
    write_candidate(json, row);
    write_interviewer(json, row, "declinedBy");
    json.field("createdAt", row.time()).field("updatedAt", row.time()).close_object();
}

void write_unmatched_request(http::json_writer& json, pg::row row) {
    json.open_object()
        .field("id", row.id())
        .field("jobId", row.id())
        .field("jobTitle", row.text())
        .field("stageId", row.id())
        .field("stageName", row.text())
        .field("email", row.text())
        .field("startsAt", row.time())
        .field("timeZone", row.optional_text());
    write_candidate(json, row);
    json.field("requests", row.integer())
        .field("firstReceivedAt", row.time())
        .field("lastReceivedAt", row.time())
        .close_object();
}

} // namespace recruiting::auth_api::console
