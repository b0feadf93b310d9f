#include "auth_api/console/endpoints.hpp"
#include "auth_api/console/interview_store.hpp"
#include "auth_api/resources/shared_fields.hpp"
#include "directory/rules.hpp"
#include "interviews/store.hpp"

#include <algorithm>

namespace recruiting::auth_api::console {
namespace {

constexpr int most_listed = 1'000;

void write_interviewer(http::json_writer& json, pg::row& row, std::string_view name = "interviewer") {
    json.key(name);
    write_optional_object(json, row, {"memberId", "name", "email", "active"}); // null without a member
}

void write_candidate(http::json_writer& json, pg::row& row) {
    json.key("candidate");
    write_optional_object(json, row, {"id", "name"}); // null where the caller may not read the candidate
}

std::string_view take_slot_state(pg::row& row) {
    auto const state = row.text();
    bool const is_past = row.boolean();
    return state != "closed" && is_past ? "past" : state;
}

void write_unmatched_request(http::json_writer& json, pg::row row) {
    json.open_object();
    write_columns(json, row, {"id", "jobId", "jobTitle", "stageId", "stageName", "email", "slotStart", "timeZone"});
    write_candidate(json, row);
    write_columns(json, row, {"requests", "firstReceivedAt", "lastReceivedAt"});
    json.close_object();
}

using write_row = void (*)(http::json_writer&, pg::row);

enum class readers { interviewers_too, who_reach_candidates };

result<void> admit_reader(auth::principal const& member, readers who) {
    if (member.role == role::viewer || (member.role == role::interviewer && who == readers::who_reach_candidates)) {
        if (who == readers::interviewers_too)
            return directory::role_needed({role::admin, role::recruiter, role::hiring_manager, role::interviewer});
        return directory::role_needed({role::admin, role::recruiter, role::hiring_manager});
    }
    return {};
}

// One row more than is shown says that there are more.
prepared_read bounded_list(pg::statement statement, readers who, write_row write) {
    auto const render = [who, write](std::span<pg::rows const> results, render_context const& context,
                                     http::response& answer) -> result<void> {
        if (auto const admitted = admit_reader(context.principal, who); !admitted) return admitted.error();
        auto const shown = std::min(results[0].size(), most_listed);
        http::json_writer json(answer.body);
        json.open_object().key("data").open_array();
        for (int row = 0; row < shown; ++row) write(json, results[0][row]);
        json.close_array().field("truncated", shown < results[0].size()).close_object();
        return {};
    };
    return {{std::move(statement)}, render, nullptr, read_cost::bulk};
}

} // namespace

void write_interview_stage(http::json_writer& json, pg::row row) {
    write_object(json, row,
                 {"id", "name", "kind", "jobId", "jobTitle", "jobPublished", "bookable", "interviewDurationMinutes",
                  "openSlots", "freeSlots", "nextFreeAt", "upcomingBookings", "mayChange"});
}

void write_interview_booking(http::json_writer& json, pg::row row) {
    json.open_object();
    write_columns(json, row, {"id", "status", "jobId", "jobTitle", "stageId", "stageName"});
    write_interviewer(json, row);
    write_columns(json, row,
                  {"slotId", "startsAt", "endsAt", "wantedStartsAt", "timeZone", "joinUrl", "applicationId"});
    write_candidate(json, row);
    write_interviewer(json, row, "declinedBy");
    write_columns(json, row, {"createdAt", "updatedAt"});
    json.close_object();
}

void write_interview_slot(http::json_writer& json, pg::row row) {
    json.open_object();
    write_columns(json, row, {"id", "jobId", "jobTitle", "stageId", "stageName"});
    write_interviewer(json, row);
    write_columns(json, row, {"slotStart", "slotEnd"});
    json.field("state", take_slot_state(row));
    row.skip(); // the booking
    write_columns(json, row, {"booked", "joinUrl", "closedAt", "createdAt"});
    json.close_object();
}

result<prepared_read> list_interview_stages(bind_input& in) {
    auto const bookable = in.query.boolean("bookable");
    auto const job = in.query.id("jobId");
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return bounded_list(interview_stages(bookable, job, most_listed + 1), readers::interviewers_too,
                        write_interview_stage);
}

result<prepared_read> list_interview_slots(bind_input& in) {
    interviews::store::slot_filter filter;
    filter.job = in.query.id("jobId");
    filter.stage = in.query.id("stageId");
    filter.membership = in.query.id("memberId");
    filter.from = in.query.time("from");
    filter.to = in.query.time("to");
    filter.closed = in.query.boolean("includeClosed").value_or(false);
    filter.limit = most_listed + 1;
    if (auto const checked = finish_query(in); !checked) return checked.error();
    if (!filter.from) filter.from = system_time().now();
    return bounded_list(interviews::store::slots(filter), readers::interviewers_too, write_interview_slot);
}

result<prepared_read> list_interview_bookings(bind_input& in) {
    booking_filter filter;
    filter.job = in.query.id("jobId");
    filter.stage = in.query.id("stageId");
    filter.membership = in.query.id("memberId");
    filter.from = in.query.time("from").value_or(system_time().now() - std::chrono::hours{24});
    filter.to = in.query.time("to");
    filter.statuses = http::read_choices(in.query, "status", {"confirmed", "unplaced", "canceled"});
    filter.limit = most_listed + 1;
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return bounded_list(interview_bookings(filter), readers::interviewers_too, write_interview_booking);
}

result<prepared_read> get_interview_booking(bind_input& in) {
    auto const id = path_id(in);
    if (!id) return id.error();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const render = [](std::span<pg::rows const> results, render_context const& context,
                           http::response& answer) -> result<void> {
        if (auto const admitted = admit_reader(context.principal, readers::interviewers_too); !admitted)
            return admitted.error();
        if (results[0].empty()) return make_error(error_code::not_found);
        answer = data_answer([&](http::json_writer& json) { write_interview_booking(json, results[0][0]); });
        return {};
    };
    return prepared_read{{interview_booking(*id)}, render};
}

namespace {

// Who has an action that is no member's.
std::string_view kind_of(std::string_view action) {
    if (action == "booking.declined") return "interviewer";
    return action == "booking.slot_taken" ? "system" : "candidate";
}

void write_timeline_entry(http::json_writer& json, pg::row row) {
    auto const at = row.time();
    auto const action = row.text();
    bool const by_member = row.boolean();
    auto const member_name = row.optional_text();
    auto const from = row.optional_time();
    auto const to = row.optional_time();
    auto const interviewer = row.optional_text();
    auto const kind = by_member ? "member" : kind_of(action);
    auto const name = by_member ? member_name : kind == "interviewer" ? interviewer : std::nullopt;
    json.open_object().field("at", at).field("event", action.substr(action.find('.') + 1));
    json.key("by").open_object().field("kind", kind).field("name", name).close_object();
    json.field("from", from).field("to", to).field("interviewer", interviewer).close_object();
}

} // namespace

result<prepared_read> get_booking_timeline(bind_input& in) {
    auto const id = path_id(in);
    if (!id) return id.error();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const render = [](std::span<pg::rows const> results, render_context const& context,
                           http::response& answer) -> result<void> {
        if (auto const admitted = admit_reader(context.principal, readers::interviewers_too); !admitted)
            return admitted.error();
        if (results[0].empty()) return make_error(error_code::not_found);
        answer = data_answer([&](http::json_writer& json) {
            json.open_array();
            for (auto const row : results[1]) write_timeline_entry(json, row);
            json.close_array();
        });
        return {};
    };
    return prepared_read{{interview_booking(*id), booking_timeline(*id)}, render};
}

result<prepared_read> list_unmatched_requests(bind_input& in) {
    unmatched_filter filter;
    filter.job = in.query.id("jobId");
    filter.stage = in.query.id("stageId");
    filter.received_after = in.query.time("receivedAfter");
    filter.limit = most_listed + 1;
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return bounded_list(unmatched_requests(filter), readers::who_reach_candidates, write_unmatched_request);
}

} // namespace recruiting::auth_api::console
