#include "public_api/booking/manage.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "http/json_writer.hpp"
#include "http/message.hpp"
#include "public_api/booking/booking_store.hpp"
#include "public_api/booking/schedule.hpp"
#include "public_api/limits/window.hpp"
#include "words/describe.hpp"
#include "zones/zone.hpp"

#include <stdexcept>

namespace recruiting::public_api {
namespace {

void write_when(http::json_writer& json, presented_booking const& shown) {
    json.field("startsAt", shown.starts_at).field("endsAt", shown.ends_at);
    json.field("wantedStartsAt", shown.wanted_starts_at).field("timeZone", shown.time_zone);
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

// token: the link's, of which the addresses are made.
http::response booking_answer(presented_booking const& shown, std::string_view public_url, std::string_view token,
                              timestamp now) {
    http::response answer;
    auto const api = std::string(public_url) + "/api/public/v1/scheduling/manage/" + std::string(token);
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object().field("status", shown.status);
    write_when(json, shown);
    json.key("joinUrl");
    if (shown.is_confirmed() && shown.has_join_link) json.value(join_address(public_url, token));
    else json.null();
    json.field("interviewer", shown.is_confirmed() ? shown.interviewer_name : std::nullopt);
    write_what(json, shown);
    json.field("changeable", !shown.has_begun(now)).field("updatedAt", shown.updated_at);
    json.field("pageUrl", std::string(public_url) + "/interviews/" + std::string(token));
    json.field("slotsUrl", api + "/slots");
    json.key("calendarUrl");
    if (shown.is_confirmed()) json.value(api + "/invite.ics");
    else json.null();
    json.close_object().close_object();
    forbid_storing(answer);
    return answer;
}

// How both changes end: the booking as it is now, or why it was not changed.
result<http::response> changed_answer(change_outcome outcome, changed_booking const& change, call const& from) {
    bool const is_done = outcome == change_outcome::changed || outcome == change_outcome::unchanged;
    if (!is_done) return error_of(outcome);
    return booking_answer(*change.after, from.public_url, from.params[0], from.now);
}

std::optional<result<http::response>> violation_answer(std::string_view sqlstate, std::string_view constraint) {
    auto const outcome = outcome_of_violation(sqlstate, constraint);
    if (!outcome) return std::nullopt;
    return result<http::response>(error_of(*outcome));
}

} // namespace

result<plan> show_booking(call const& from) {
    auto const link = link_hash(from.params[0]);
    if (!link) return make_error(error_code::not_found);
    plan out;
    out.segment = select_booking_by_link(*link, from.request_id);
    out.render = [from](std::vector<pg::rows> const& results) -> result<http::response> {
        auto const shown = read_presented_booking(results.at(1));
        if (!shown) return make_error(error_code::not_found);
        return booking_answer(*shown, from.public_url, from.params[0], from.now);
    };
    return out;
}

result<plan> list_free_slots(call const& from) {
    auto const link = link_hash(from.params[0]);
    if (!link) return make_error(error_code::not_found);
    auto query = read_slot_query(from.request.query, from.now, from.booking);
    if (!query) return query.error();
    plan out;
    out.segment = select_booking_by_link(*link, from.request_id);
    out.segment.push_back(select_free_slots(query->when, from.booking.slots_shown));
    out.render = [zone = std::move(query->time_zone)](std::vector<pg::rows> const& results) -> result<http::response> {
        if (results.at(1).empty()) return make_error(error_code::not_found);
        return slots_answer(results.at(2), zone);
    };
    return out;
}

result<plan> reschedule(call const& from) {
    auto const link = link_hash(from.params[0]);
    if (!link) return make_error(error_code::not_found);
    if (auto refused = http::refuse_body(from.request, "application/json", from.booking.body_limit))
        return std::move(*refused);
    http::json_fields fields(from.request.body);
    auto const slot_start = read_slot_start(fields);
    auto const time_zone = read_time_zone(fields);
    if (!fields.ok()) return invalid_request(fields.take_problems());
    plan out;
    out.database_limits = change_limits(from.booking);
    out.segment = move_segment(from, *link, slot_start, time_zone);
    out.render = [from, slot_start](std::vector<pg::rows> const& results) {
        auto const change = read_changed_booking(results);
        return changed_answer(outcome_of_move(change.after, change.touched, slot_start, from.now), change, from);
    };
    out.on_violation = violation_answer;
    return out;
}

result<plan> cancel(call const& from) {
    auto const link = link_hash(from.params[0]);
    if (!link) return make_error(error_code::not_found);
    plan out;
    out.database_limits = change_limits(from.booking);
    out.segment = cancel_segment(from, *link);
    out.render = [from](std::vector<pg::rows> const& results) {
        auto const change = read_changed_booking(results);
        return changed_answer(outcome_of_cancellation(change.after, change.touched), change, from);
    };
    out.on_violation = violation_answer;
    return out;
}

namespace {

// Calendars are shared: it names no link that changes the interview, only the one that joins it.
mail::calendar_event event_of(presented_booking const& shown, std::string_view public_url, std::string_view token) {
    mail::calendar_event event;
    event.method = mail::calendar_method::publish;
    event.uid = mail::event_uid(shown.calendar_uid, public_url);
    event.sequence = shown.sequence;
    event.stamp = shown.updated_at;
    event.starts_at = *shown.starts_at;
    event.ends_at = *shown.ends_at;
    auto const join_link = shown.has_join_link ? join_address(public_url, token) : std::string();
    describe_interview(event, {shown.organization_name, shown.job_title, shown.stage_name}, join_link,
                       words_for(shown.language));
    return event;
}

} // namespace

result<plan> get_invitation(call const& from) {
    auto const link = link_hash(from.params[0]);
    if (!link) return make_error(error_code::not_found);
    plan out;
    out.segment = select_booking_by_link(*link, from.request_id);
    out.render = [from](std::vector<pg::rows> const& results) -> result<http::response> {
        auto const shown = read_presented_booking(results.at(1));
        if (!shown || !shown->is_confirmed()) return make_error(error_code::not_found);
        http::response answer;
        answer.content_type = "text/calendar; charset=utf-8; method=PUBLISH";
        answer.body = to_icalendar(event_of(*shown, from.public_url, from.params[0]));
        answer.add("Content-Disposition", "attachment; filename=\"interview.ics\"");
        answer.add("Referrer-Policy", "no-referrer");
        forbid_storing(answer);
        return answer;
    };
    return out;
}

std::optional<digest> link_hash(std::string_view token) {
    constexpr std::size_t token_size = 43; // 32 random bytes in base64url
    if (token.size() != token_size || !from_base64url(token)) return std::nullopt;
    return sha256(token);
}

std::string join_address(std::string_view public_url, std::string_view token) {
    return std::string(public_url) + "/interviews/" + join_token_of(token) + "/join";
}

change_outcome outcome_of_move(std::optional<presented_booking> const& after, bool moved, timestamp slot_start,
                               timestamp now) {
    if (!after) return change_outcome::unknown_link;
    if (moved) return change_outcome::changed;
    if (after->is_confirmed() && after->starts_at == slot_start) return change_outcome::unchanged;
    return after->has_begun(now) ? change_outcome::begun : change_outcome::taken;
}

change_outcome outcome_of_cancellation(std::optional<presented_booking> const& after, bool canceled) {
    if (!after) return change_outcome::unknown_link;
    return canceled ? change_outcome::changed : change_outcome::unchanged;
}

std::optional<change_outcome> outcome_of_violation(std::string_view sqlstate, std::string_view constraint) noexcept {
    if (constraint == "bookings_one_at_a_time" || constraint == "bookings_slot_open") return change_outcome::taken;
    if (constraint == "bookings_not_begun") return change_outcome::begun;
    // A deadlock of two concurrent changes: nothing has happened, and choosing again helps.
    if (sqlstate == "40P01") return change_outcome::taken;
    return std::nullopt;
}

api_error error_of(change_outcome outcome) {
    switch (outcome) {
    case change_outcome::unknown_link: return make_error(error_code::not_found);
    case change_outcome::taken: return make_error(error_code::slot_taken);
    case change_outcome::begun: return make_error(error_code::booking_closed);
    case change_outcome::changed:
    case change_outcome::unchanged: break;
    }
    throw std::logic_error("a change that was made is no error");
}

std::vector<database_limit> change_limits(booking_settings const& config) {
    using namespace std::chrono_literals;
    return {{"bookings_changes_per_hour", {booking_changes_limit, {}, config.changes_per_hour, 1h}},
            {"bookings_changes_per_day", {booking_changes_limit, {}, config.changes_per_day, 24h}}};
}

std::vector<pg::statement> move_segment(call const& from, digest const& link, timestamp slot_start,
                                        std::optional<std::string> const& time_zone) {
    std::vector<pg::statement> segment;
    segment.push_back(present_link(link, from.request_id));
    auto const bookable = bookable_span(from.now, from.booking);
    if (slot_start >= bookable.from && slot_start < bookable.to) {
        segment.push_back(limit_changes(from.booking.changes_per_hour, from.booking.changes_per_day));
        segment.push_back(lock_presented_booking());
        segment.push_back(move_booking(slot_start, time_zone));
    }
    segment.push_back(select_presented_booking());
    return segment;
}

std::vector<pg::statement> cancel_segment(call const& from, digest const& link) {
    std::vector<pg::statement> segment;
    segment.push_back(present_link(link, from.request_id));
    segment.push_back(limit_changes(from.booking.changes_per_hour, from.booking.changes_per_day));
    segment.push_back(cancel_booking());
    segment.push_back(select_presented_booking());
    return segment;
}

// The change, if there is one, is the last statement but one; the first presents the link.
changed_booking read_changed_booking(std::vector<pg::rows> const& results) {
    return {read_presented_booking(results.back()), results.size() > 2 && results[results.size() - 2].affected() > 0};
}

} // namespace recruiting::public_api
