#include "public_api/booking/manage.hpp"

#include "http/message.hpp"
#include "public_api/booking/change.hpp"
#include "public_api/booking/link.hpp"
#include "public_api/booking/manage_json.hpp"
#include "public_api/booking/slot_json.hpp"
#include "public_api/booking/slot_query.hpp"
#include "public_api/booking/slot_start.hpp"

namespace recruiting::public_api {
namespace {

// How both changes end: the booking as it is now, or why it was not changed.
result<http::response> changed_answer(change_outcome outcome, changed_booking const& change, call const& from) {
    bool const is_done = outcome == change_outcome::changed || outcome == change_outcome::unchanged;
    if (!is_done) return error_of(outcome);
    return booking_answer(*change.after, from.config.public_url, from.params[0], from.now);
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
    out.segment = look_at_booking(*link, from.request_id);
    out.render = [from](std::vector<pg::rows> const& results) -> result<http::response> {
        auto const shown = read_presented_booking(results.at(1));
        if (!shown) return make_error(error_code::not_found);
        return booking_answer(*shown, from.config.public_url, from.params[0], from.now);
    };
    return out;
}

result<plan> list_free_slots(call const& from) {
    auto const link = link_hash(from.params[0]);
    if (!link) return make_error(error_code::not_found);
    auto query = read_slot_query(from.request.query, from.now, from.config);
    if (!query) return query.error();
    plan out;
    out.segment = look_at_booking(*link, from.request_id);
    out.segment.push_back(select_free_slots(query->when, from.config.slots_shown));
    out.render = [zone = std::move(query->time_zone)](std::vector<pg::rows> const& results) -> result<http::response> {
        if (results.at(1).empty()) return make_error(error_code::not_found);
        return slots_answer(results.at(2), zone);
    };
    return out;
}

result<plan> reschedule(call const& from) {
    auto const link = link_hash(from.params[0]);
    if (!link) return make_error(error_code::not_found);
    if (auto refused = http::refuse_body(from.request, "application/json", from.config.booking_body_limit))
        return std::move(*refused);
    http::json_fields fields(from.request.body);
    auto const slot_start = read_slot_start(fields);
    auto const time_zone = read_time_zone(fields);
    if (!fields.ok()) return invalid_request(fields.take_problems());
    plan out;
    out.database_limits = change_limits(from.config);
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
    out.database_limits = change_limits(from.config);
    out.segment = cancel_segment(from, *link);
    out.render = [from](std::vector<pg::rows> const& results) {
        auto const change = read_changed_booking(results);
        return changed_answer(outcome_of_cancellation(change.after, change.touched), change, from);
    };
    out.on_violation = violation_answer;
    return out;
}

} // namespace recruiting::public_api
