#include "public_api/booking/interview_page.hpp"

#include "http/query.hpp"
#include "mail/meeting_url.hpp"
#include "public_api/booking/schedule.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::string_view form_type = "application/x-www-form-urlencoded";

http::response back_to_page(std::string_view token, std::string_view notice, std::optional<timestamp> refused = {}) {
    auto address = "/interviews/" + std::string(token) + "?notice=" + std::string(notice);
    if (refused) address += "&refused=" + format_time(*refused);
    return private_redirect(303, std::move(address));
}

http::response after_change(change_outcome outcome, action_input const& input, std::string_view changed,
                            std::optional<timestamp> wanted = {}) {
    auto const token = input.params[0];
    switch (outcome) {
    case change_outcome::changed: return back_to_page(token, changed);
    case change_outcome::unchanged: return back_to_page(token, "unchanged");
    case change_outcome::taken: return back_to_page(token, "taken", wanted);
    case change_outcome::not_offered: return back_to_page(token, "not-offered", wanted);
    case change_outcome::begun: return back_to_page(token, "closed");
    case change_outcome::unknown_link: break;
    }
    return dead_link(input);
}

// The time chosen in a form as browsers send it; nullopt: none was, or the body is not our form's.
std::optional<timestamp> chosen_start(std::string_view body) {
    http::query_reader form(body);
    auto const text = form.text("slotStart", 40);
    return text && form.ok() ? parse_time(*text) : std::nullopt;
}

// refused: by the form that led here.
std::vector<timestamp> other_times(pg::rows const& free, presented_booking const& booking,
                                   std::optional<timestamp> refused) {
    std::vector<timestamp> times;
    for (auto row : free) {
        auto const start = row.time();
        bool const is_own = booking.is_confirmed() && start == booking.starts_at;
        if (!is_own && start != refused && start != booking.time_gone()) times.push_back(start);
    }
    return times;
}

} // namespace

result<plan> show_interview(action_input const& input) {
    auto const link = link_hash(input.params[0]);
    if (!link) return dead_link(input);
    http::query_reader query(input.request.query);
    auto const notice = query.text("notice").value_or(std::string());
    auto const refused = parse_time(query.text("refused", 40).value_or(std::string()));
    auto const render = [input, notice, refused](auto const& results) -> result<http::response> {
        auto const booking = read_presented_booking(results.at(1));
        if (!booking) return dead_link(input);
        auto const& in = requested_words(input.request.header("Accept-Language"), booking->language);
        auto free = other_times(results.at(2), *booking, refused);
        return interview_page({*booking, std::move(free), input.params[0], notice, input.now, in});
    };
    auto const bookable = bookable_span(input.now, input.booking);
    return database_query{{present_link(*link, input.request_id), select_presented_booking(),
                           select_free_slots(bookable, input.booking.slots_shown)},
                          render};
}

result<plan> reschedule_interview(action_input const& input) {
    auto const link = link_hash(input.params[0]);
    if (!link) return dead_link(input);
    if (auto refused = http::refuse_body(input.request, form_type, input.booking.body_limit))
        return std::move(*refused);
    auto const start = chosen_start(input.request.body);
    if (!start) return back_to_page(input.params[0], "choose");
    return plan_move(input, *link, *start, std::nullopt, [input, start](change_outcome outcome, auto const*) {
        return result<http::response>(after_change(outcome, input, "booked", start));
    });
}

result<plan> cancel_interview(action_input const& input) {
    auto const link = link_hash(input.params[0]);
    if (!link) return dead_link(input);
    return plan_cancellation(input, *link, [input](change_outcome outcome, auto const*) {
        bool const is_done = outcome == change_outcome::changed || outcome == change_outcome::unchanged;
        return result<http::response>(after_change(is_done ? change_outcome::changed : outcome, input, "canceled"));
    });
}

namespace {

// The address comes from the database alone, nothing of it from the request.
http::response lead_to(std::string const& url) {
    auto answer = private_redirect(302, url);
    answer.add("X-Robots-Tag", "noindex, nofollow");
    return answer;
}

std::string_view heading_of(presented_meeting const& meeting, join_state state, timestamp now,
                            interview_words const& in) {
    switch (state) {
    case join_state::canceled: return in.canceled;
    case join_state::unplaced: return in.unplaced;
    case join_state::over: return in.over;
    case join_state::early:
    case join_state::open:
    case join_state::not_set: break;
    }
    return *meeting.starts_at <= now ? in.begun : in.booked;
}

// Why the link leads nowhere now; "": the heading has said it.
std::string reason_of(presented_meeting const& meeting, join_state state, booking_settings const& config,
                      words const& in) {
    switch (state) {
    case join_state::early: {
        auto const opens = describe_time(*meeting.starts_at - config.join_before, meeting.time_zone, in);
        return fill(in.interview.join_opens, {{"time", opens}});
    }
    case join_state::not_set: return fill(in.interview.join_not_set, {{"organization", meeting.organization_name}});
    case join_state::canceled: return std::string(in.interview.join_canceled);
    case join_state::unplaced: return std::string(in.interview.not_free);
    case join_state::open:
    case join_state::over: break;
    }
    return {};
}

http::response waiting_page(presented_meeting const& meeting, join_state state, action_input const& input) {
    auto const& in = requested_words(input.request.header("Accept-Language"), meeting.language);
    auto const heading = heading_of(meeting, state, input.now, in.interview);
    auto shown = interview_frame(meeting, in, std::string(heading));
    html_writer html(shown.main);
    html.element("h1", heading);
    if (meeting.moved && meeting.status == "confirmed")
        html.element("p", {{"class", "notice"}, {"role", "status"}}, in.interview.join_moved);
    auto const reason = reason_of(meeting, state, input.booking, in);
    if (!reason.empty()) html.element("p", reason);
    html.open("dl", {{"class", "facts"}});
    if (meeting.starts_at) write_interview_time(html, in.interview.when, *meeting.starts_at, meeting.time_zone, in);
    write_interview_fact(html, in.interview.job, meeting.job_title);
    write_interview_fact(html, in.interview.stage, meeting.stage_name);
    html.close();
    return page_answer(shown);
}

} // namespace

join_state state_of(presented_meeting const& meeting, timestamp now, booking_settings const& config) {
    if (meeting.status == "canceled") return join_state::canceled;
    if (meeting.status != "confirmed") return join_state::unplaced;
    if (now < *meeting.starts_at - config.join_before) return join_state::early;
    if (now >= *meeting.ends_at + config.join_after) return join_state::over;
    return mail::meeting_url_problem(meeting.url) ? join_state::not_set : join_state::open;
}

result<plan> join_interview(action_input const& input) {
    auto const link = link_hash(input.params[0]);
    if (!link) return dead_link(input);
    auto const render = [input](auto const& results) -> result<http::response> {
        auto const meeting = read_presented_meeting(results.at(1));
        if (!meeting) return dead_link(input);
        auto const state = state_of(*meeting, input.now, input.booking);
        if (state == join_state::open) return lead_to(meeting->url);
        return waiting_page(*meeting, state, input);
    };
    return database_query{{present_link(*link, input.request_id), select_presented_meeting()}, render};
}

} // namespace recruiting::public_api
