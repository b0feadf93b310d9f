// What the holder of an e-mailed link sees and changes of one booking.
#include "core/text.hpp"
#include "http/json_writer.hpp"
#include "http/query.hpp"
#include "public_api/booking/schedule.hpp"
#include "words/names.hpp"
#include "words/words.hpp"
#include "zones/zone.hpp"

#include <span>
#include <stdexcept>

namespace recruiting::public_api {
namespace {

void write_when(http::json_writer& json, presented_booking const& shown) {
    json.field("startsAt", shown.starts_at).field("endsAt", shown.ends_at);
    json.field("wantedStartsAt", shown.wanted_starts_at).field("timeZone", zones::current_name(shown.time_zone));
    json.key("localStart");
    if (shown.starts_at && zones::is_zone(shown.time_zone))
        json.value(zones::format_local(*shown.starts_at, shown.time_zone));
    else json.null();
}

void write_what(http::json_writer& json, presented_booking const& shown) {
    json.key("job").open_object().field("id", shown.job).field("title", shown.job_title).close_object();
    json.key("stage").open_object().field("id", shown.stage).field("name", shown.stage_name).close_object();
    json.key("organization").open_object();
    json.field("name", shown.organization_name).field("slug", shown.organization_slug).close_object();
}

// Where the interview is joined: with the token that only joins, for this link is passed on.
std::string join_address(std::string_view public_url, std::string_view token) {
    return std::string(public_url) + "/interviews/" + join_token_of(token) + "/join";
}

result<http::response> booking_answer(presented_booking const& shown, action_input const& input) {
    auto const& public_url = input.public_url;
    auto const token = input.params[0];
    http::response answer;
    auto const api = public_url + "/api/public/v1/scheduling/manage/" + std::string(token);
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object().field("status", shown.status);
    write_when(json, shown);
    json.key("joinUrl");
    if (shown.is_confirmed()) json.value(join_address(public_url, token));
    else json.null();
    json.field("interviewer", shown.is_confirmed() ? shown.interviewer_name : std::nullopt);
    write_what(json, shown);
    json.field("changeable", !shown.has_begun(input.now)).field("updatedAt", shown.updated_at);
    json.field("pageUrl", public_url + "/interviews/" + std::string(token));
    json.field("slotsUrl", api + "/slots");
    json.key("calendarUrl");
    if (shown.is_confirmed()) json.value(api + "/invite.ics");
    else json.null();
    json.close_object().close_object();
    forbid_storing(answer);
    return answer;
}

// The plan of a GET, which makes a response of the link's booking.
result<plan> plan_shown(action_input const& input,
                        result<http::response> (*make)(presented_booking const&, action_input const&)) {
    auto const link = link_hash(input.params[0]);
    if (!link) return make_error(error_code::not_found);
    auto const render = [input, make](auto const& results) -> result<http::response> {
        auto const shown = read_presented_booking(results.at(1));
        if (!shown) return make_error(error_code::not_found);
        return make(*shown, input);
    };
    return database_query{{present_link(*link, input.request_id), select_presented_booking()}, render};
}

api_error error_of(change_outcome outcome) {
    switch (outcome) {
    case change_outcome::unknown_link: return make_error(error_code::not_found);
    case change_outcome::taken: return make_error(error_code::slot_taken);
    // The code of a taken time, after which clients choose another one.
    case change_outcome::not_offered: return not_offered(error_code::slot_taken);
    case change_outcome::begun: return make_error(error_code::booking_closed);
    case change_outcome::changed:
    case change_outcome::unchanged: break;
    }
    throw std::logic_error("a change that was made is no error");
}

// How both changes end: the booking as it is now, or why it was not changed.
change_answer answer_change(action_input const& input) {
    return [input](change_outcome outcome, presented_booking const* booking) -> result<http::response> {
        bool const is_done = outcome == change_outcome::changed || outcome == change_outcome::unchanged;
        if (!is_done) return error_of(outcome);
        return booking_answer(*booking, input);
    };
}

} // namespace

result<plan> show_booking(action_input const& input) { return plan_shown(input, booking_answer); }

result<plan> list_free_slots(action_input const& input) {
    auto const link = link_hash(input.params[0]);
    if (!link) return make_error(error_code::not_found);
    auto query = read_slot_query(input.request.query, input.now, input.booking);
    if (!query) return query.error();
    auto const limit = input.booking.slots_shown;
    auto const render = [zone = query->time_zone, limit](auto const& results) -> result<http::response> {
        auto const booking = read_presented_booking(results.at(1));
        if (!booking) return make_error(error_code::not_found);
        return slots_answer(results.at(2), zone, limit, booking->time_gone());
    };
    return database_query{
        {present_link(*link, input.request_id), select_presented_booking(), select_free_slots(query->when, limit + 1)},
        render};
}

result<plan> reschedule(action_input const& input) {
    auto const link = link_hash(input.params[0]);
    if (!link) return make_error(error_code::not_found);
    if (auto refused = http::refuse_body(input.request, "application/json", input.booking.body_limit))
        return std::move(*refused);
    http::json_fields fields(input.request.body);
    auto const slot_start = fields.time("slotStart").value_or(timestamp{});
    auto const time_zone = read_time_zone(fields);
    if (!fields.ok()) return fields.error();
    return plan_move(input, *link, slot_start, time_zone, answer_change(input));
}

result<plan> cancel(action_input const& input) {
    auto const link = link_hash(input.params[0]);
    if (!link) return make_error(error_code::not_found);
    return plan_cancellation(input, *link, answer_change(input));
}

namespace {

// Of the booking that a link opens. The holder of the link gets it back in the event, which is private: calendars are
// shared.
template <class Shown>
mail::calendar_event event_of(Shown const& shown, std::string_view public_url, timestamp starts_at, timestamp ends_at) {
    mail::calendar_event event;
    event.method = mail::calendar_method::publish;
    event.uid = mail::event_uid(shown.calendar_uid, public_url);
    event.sequence = shown.sequence;
    event.stamp = shown.updated_at;
    event.starts_at = starts_at;
    event.ends_at = ends_at;
    return event;
}

http::response calendar_answer(mail::calendar_event const& event) {
    http::response answer;
    answer.content_type = "text/calendar; charset=utf-8; method=PUBLISH";
    answer.body = to_icalendar(event);
    answer.add("Content-Disposition", "attachment; filename=\"interview.ics\"");
    answer.add("Referrer-Policy", "no-referrer");
    forbid_storing(answer);
    return answer;
}

result<http::response> invitation_answer(presented_booking const& shown, action_input const& input) {
    if (!shown.is_confirmed()) return make_error(error_code::not_found);
    auto const token = input.params[0];
    auto event = event_of(shown, input.public_url, *shown.starts_at, *shown.ends_at);
    interview_links links;
    links.join = join_address(input.public_url, token);
    links.manage = std::string(input.public_url) + "/interviews/" + std::string(token);
    describe_interview(event, {shown.organization_name, shown.job_title, shown.stage_name}, links,
                       words_for(shown.language));
    return calendar_answer(event);
}

result<http::response> interviewers_answer(presented_decline const& shown, std::string const& join,
                                           action_input const& input) {
    if (shown.state != "open" && shown.state != "begun") return make_error(error_code::not_found);
    auto const pages = std::string(input.public_url) + "/interviews/";
    auto event = event_of(shown, input.public_url, shown.starts_at, shown.ends_at);
    interview_links links;
    links.join = pages + join + "/join";
    links.decline = pages + std::string(input.params[0]) + "/decline";
    auto const with = candidate_in_mail({}); // the link shows nothing about the candidate
    describe_interview(event, {with, shown.interview.job_title, shown.interview.stage_name}, links,
                       words_for(interviewers_language));
    return calendar_answer(event);
}

} // namespace

result<plan> get_invitation(action_input const& input) { return plan_shown(input, invitation_answer); }

result<plan> get_interviewer_invitation(action_input const& input) {
    auto const link = link_hash(input.params[0]);
    auto const join = http::query_reader(input.request.query).text("join").value_or("");
    if (!link || !link_hash(join)) return make_error(error_code::not_found);
    auto const render = [input, join](auto const& results) -> result<http::response> {
        auto const shown = read_presented_decline(results.at(1));
        if (!shown) return make_error(error_code::not_found);
        return interviewers_answer(*shown, join, input);
    };
    return database_query{{present_link(*link, input.request_id), select_presented_decline()}, render};
}

std::optional<digest> link_hash(std::string_view token) {
    constexpr std::size_t token_size = 43; // 32 random bytes in base64url
    if (token.size() != token_size || !from_base64url(token)) return std::nullopt;
    return sha256(token);
}

namespace {

change_outcome outcome_of_move(std::optional<presented_booking> const& after, bool is_moved, bool is_offered,
                               timestamp slot_start, timestamp now) {
    if (!after) return change_outcome::unknown_link;
    if (is_moved) return change_outcome::changed;
    if (after->is_confirmed() && after->starts_at == slot_start) return change_outcome::unchanged;
    if (after->has_begun(now)) return change_outcome::begun;
    return is_offered ? change_outcome::taken : change_outcome::not_offered;
}

// What a failed update of a booking means; nullopt: an outage or a bug.
std::optional<change_outcome> outcome_of_violation(std::string_view sqlstate, std::string_view constraint) noexcept {
    if (constraint == "bookings_one_at_a_time") return change_outcome::taken;
    if (constraint == "bookings_slot_open") return change_outcome::not_offered;
    if (constraint == "bookings_not_begun") return change_outcome::begun;
    // A deadlock of two concurrent changes: nothing has happened, and choosing again helps.
    if (sqlstate == "40P01") return change_outcome::taken;
    return std::nullopt;
}

// Changes of one booking are limited, whichever of its links makes them: each writes mails. PostgreSQL counts them,
// because only it knows which booking a link opens.
std::vector<database_limit> change_limits(booking_settings const& config) {
    using namespace std::chrono_literals;
    return {{"bookings_changes_per_hour", {booking_changes_limit, {}, config.changes_per_hour, 1h}},
            {"bookings_changes_per_day", {booking_changes_limit, {}, config.changes_per_day, 24h}}};
}

// change: the results of the statements that make it; empty where there were none.
using outcome_finder =
    std::function<change_outcome(std::optional<presented_booking> const& after, std::span<pg::rows const> change)>;

bool is_changed(std::span<pg::rows const> change) { return !change.empty() && change.back().affected() > 0; }

// change: the statements that make it, or none. They stand between those that present the link and that which reads
// the booking afterwards; the last of them affects a row if it changes something.
limited_change plan_change(action_input const& input, digest const& link, std::vector<pg::statement> change,
                           outcome_finder find, change_answer answer) {
    std::vector<pg::statement> statements = {present_link(link, input.request_id)};
    if (!change.empty())
        statements.push_back(limit_changes(input.booking.changes_per_hour, input.booking.changes_per_day));
    auto const size = change.size();
    for (auto& statement : change) statements.push_back(std::move(statement));
    statements.push_back(select_presented_booking());
    auto const render = [find = std::move(find), answer, size](std::vector<pg::rows> const& results) {
        auto const after = read_presented_booking(results.back());
        auto const made = std::span(results).first(results.size() - 1).last(size);
        return answer(find(after, made), after ? &*after : nullptr);
    };
    auto const on_violation = [answer](auto sqlstate, auto constraint) -> std::optional<result<http::response>> {
        auto const outcome = outcome_of_violation(sqlstate, constraint);
        if (!outcome) return std::nullopt;
        return answer(*outcome, nullptr);
    };
    return {{std::move(statements), render}, change_limits(input.booking), on_violation};
}

} // namespace

limited_change plan_move(action_input const& input, digest const& link, timestamp slot_start,
                         std::optional<std::string> const& time_zone, change_answer answer) {
    std::vector<pg::statement> change;
    auto const bookable = bookable_span(input.now, input.booking);
    if (slot_start >= bookable.from && slot_start < bookable.to)
        change = {select_offered(slot_start), lock_presented_booking(), move_booking(slot_start, time_zone)};
    auto const find = [slot_start, now = input.now](auto const& after, auto made) {
        bool const is_offered = !made.empty() && !made.front().empty();
        return outcome_of_move(after, is_changed(made), is_offered, slot_start, now);
    };
    return plan_change(input, link, std::move(change), find, std::move(answer));
}

limited_change plan_cancellation(action_input const& input, digest const& link, change_answer answer) {
    auto const find = [](auto const& after, auto made) {
        if (!after) return change_outcome::unknown_link;
        return is_changed(made) ? change_outcome::changed : change_outcome::unchanged;
    };
    return plan_change(input, link, {cancel_booking()}, find, std::move(answer));
}

} // namespace recruiting::public_api
