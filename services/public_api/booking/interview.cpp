#include "public_api/booking/interview.hpp"

#include "http/message.hpp"
#include "http/query.hpp"
#include "public_api/booking/change.hpp"
#include "public_api/booking/interview_page.hpp"
#include "public_api/booking/link.hpp"
#include "public_api/booking/slot_json.hpp"
#include "public_api/booking/slot_query.hpp"
#include "public_api/booking/slot_start.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::string_view form_type = "application/x-www-form-urlencoded";

http::response back_to_page(std::string_view token, std::string_view notice) {
    http::response answer;
    answer.status = 303;
    answer.content_type.clear();
    answer.add("Location", "/interviews/" + std::string(token) + "?notice=" + std::string(notice));
    answer.add("Referrer-Policy", "no-referrer");
    forbid_storing(answer);
    return answer;
}

http::response after_change(change_outcome outcome, call const& from, std::string_view changed) {
    auto const token = from.params[0];
    switch (outcome) {
    case change_outcome::changed: return back_to_page(token, changed);
    case change_outcome::unchanged: return back_to_page(token, "unchanged");
    case change_outcome::taken: return back_to_page(token, "taken");
    case change_outcome::begun: return back_to_page(token, "closed");
    case change_outcome::unknown_link: break;
    }
    return dead_link(from);
}

auto violation_page(call const& from) {
    return [from](std::string_view sqlstate, std::string_view constraint) -> std::optional<result<http::response>> {
        auto const outcome = outcome_of_violation(sqlstate, constraint);
        if (!outcome) return std::nullopt;
        return result<http::response>(after_change(*outcome, from, {}));
    };
}

// What a browser sends of the form; nullopt: nothing was chosen, or it is not ours.
std::optional<timestamp> chosen_start(std::string_view body) {
    http::query_reader form(body);
    auto const text = form.text("slotStart", 40);
    return text && form.ok() ? parse_time(*text) : std::nullopt;
}

std::vector<timestamp> other_times(pg::rows const& free, presented_booking const& booking) {
    std::vector<timestamp> times;
    for (int row = 0; row < free.size(); ++row) {
        auto const start = free.time(row, slot_column::starts_at);
        if (!booking.is_confirmed() || start != booking.starts_at) times.push_back(start);
    }
    return times;
}

} // namespace

result<plan> show_interview(call const& from) {
    auto const link = link_hash(from.params[0]);
    if (!link) return answered(dead_link(from));
    auto const notice = http::query_reader(from.request.query).text("notice").value_or(std::string());
    plan out;
    out.segment = look_at_booking(*link, from.request_id);
    out.segment.push_back(select_free_slots(bookable_span(from.now, from.config), from.config.slots_shown));
    out.render = [from, notice](std::vector<pg::rows> const& results) -> result<http::response> {
        auto const booking = read_presented_booking(results.at(1));
        if (!booking) return dead_link(from);
        auto const& in = words_asked_for(from.request.header("Accept-Language"), booking->language);
        return interview_page({*booking, other_times(results.at(2), *booking), from.params[0], notice, from.now, in});
    };
    return out;
}

result<plan> reschedule_interview(call const& from) {
    auto const link = link_hash(from.params[0]);
    if (!link) return answered(dead_link(from));
    if (auto refused = http::refuse_body(from.request, form_type, from.config.booking_body_limit))
        return std::move(*refused);
    auto const start = chosen_start(from.request.body);
    if (!start) return answered(back_to_page(from.params[0], "choose"));
    plan out;
    out.database_limits = change_limits(from.config);
    out.segment = move_segment(from, *link, *start, std::nullopt);
    out.render = [from, start](std::vector<pg::rows> const& results) -> result<http::response> {
        auto const change = read_changed_booking(results);
        auto const outcome = outcome_of_move(change.after, change.touched, *start, from.now);
        return after_change(outcome, from, "booked");
    };
    out.on_violation = violation_page(from);
    return out;
}

result<plan> cancel_interview(call const& from) {
    auto const link = link_hash(from.params[0]);
    if (!link) return answered(dead_link(from));
    plan out;
    out.database_limits = change_limits(from.config);
    out.segment = cancel_segment(from, *link);
    out.render = [from](std::vector<pg::rows> const& results) -> result<http::response> {
        auto const change = read_changed_booking(results);
        auto const outcome = outcome_of_cancellation(change.after, change.touched);
        return after_change(change.after ? change_outcome::changed : outcome, from, "canceled");
    };
    out.on_violation = violation_page(from);
    return out;
}

} // namespace recruiting::public_api
