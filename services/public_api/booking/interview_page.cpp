#include "public_api/booking/interview_page.hpp"

#include "public_api/booking/schedule.hpp"
#include "public_api/http/answer.hpp"
#include "public_api/pages/assets.hpp"
#include "zones/zone.hpp"

#include <algorithm>
#include <array>

namespace recruiting::public_api {
namespace {

struct notice_text {
    std::string_view name;
    std::string_view style; // a class of the styles
    std::string_view interview_words::*text;
};
constexpr std::array notices = {
    notice_text{"booked", "notice good", &interview_words::notice_booked},
    notice_text{"unchanged", "notice", &interview_words::notice_unchanged},
    notice_text{"canceled", "notice good", &interview_words::notice_canceled},
    notice_text{"taken", "notice bad", &interview_words::notice_taken},
    notice_text{"not-offered", "notice bad", &interview_words::notice_not_offered},
    notice_text{"closed", "notice bad", &interview_words::notice_closed},
    notice_text{"choose", "notice bad", &interview_words::notice_choose},
};

notice_text const* find_notice(interview_view const& view) noexcept {
    // No mail is sent when a request without a time is given up.
    bool const was_booked = view.booking.starts_at.has_value();
    for (auto const& known : notices)
        if (known.name == view.notice) return known.name == "canceled" && !was_booked ? nullptr : &known;
    return nullptr;
}

// A booking's time zone may have been removed from this machine's database since; UTC is right everywhere.
std::string zone_of(std::string const& zone) { return zones::is_zone(zone) ? zone : std::string("UTC"); }

std::string_view heading_of(interview_view const& view) {
    auto const& booking = view.booking;
    auto const& in = view.in.interview;
    if (booking.status == "canceled") return in.canceled;
    if (booking.status == "unplaced") return in.unplaced;
    if (booking.is_over(view.now)) return in.over;
    return booking.has_begun(view.now) ? in.begun : in.booked;
}

// The notice takes the focus, so that what happened is read out and seen first.
void write_notice(html_writer& html, notice_text const* notice, words const& in) {
    if (notice == nullptr) return;
    html.open("p", {{"class", notice->style}, {"role", "status"}, {"tabindex", "-1"}, {"autofocus", ""}});
    html.text(in.interview.*notice->text).close();
}

void write_facts(html_writer& html, presented_booking const& booking, words const& in) {
    auto const& say = in.interview;
    html.open("dl", {{"class", "facts"}});
    bool const is_placed = booking.status != "unplaced";
    if (auto const when = is_placed ? booking.starts_at : booking.wanted_starts_at)
        write_interview_time(html, is_placed ? say.when : say.asked_for, *when, booking.time_zone, in);
    if (booking.is_confirmed()) {
        write_interview_fact(html, say.duration, describe_length(*booking.ends_at - *booking.starts_at, in));
        if (booking.interviewer_name) write_interview_fact(html, say.with, *booking.interviewer_name);
    }
    write_interview_fact(html, say.job, booking.job_title);
    write_interview_fact(html, say.stage, booking.stage_name);
    html.close();
}

// Joining is the first link from this long before the interview, while the calendar entry is until then.
constexpr auto join_first = std::chrono::minutes(15);

void write_links(html_writer& html, interview_view const& view, std::string const& base) {
    auto const& in = view.in.interview;
    bool const joins = view.now >= *view.booking.starts_at - join_first;
    auto const style = [](bool is_main) { return is_main ? std::string_view("button main") : "button"; };
    auto const join = [&] {
        html.element("a", {{"class", style(joins)}, {"href", base + "/join"}, {"rel", "noopener noreferrer"}}, in.join);
    };
    html.open("p", {{"class", "row"}});
    if (joins) join();
    html.element("a", {{"class", style(!joins)}, {"href", base + "/invite.ics"}}, in.add_to_calendar);
    if (!joins) join();
    html.close();
}

std::string clock_of(timestamp time, std::string const& zone) { return zones::format_local(time, zone).substr(11, 5); }

// Plain radio buttons by day; pages/interview.js makes the widget's choice of day and time of them.
void write_choices(html_writer& html, std::vector<timestamp> const& times, std::string const& zone, words const& in) {
    std::string day;
    html.open("div", {{"class", "times choosing"}});
    html.element("p", {{"class", "quiet"}}, fill(in.interview.times_zone, {{"zone", zones::current_name(zone)}}));
    for (auto const time : times) {
        if (auto next = describe_day(time, zone, in); next != day) {
            if (!day.empty()) html.close().close();
            day = std::move(next);
            html.open("fieldset").element("legend", day).open("div", {{"class", "choice"}});
        }
        html.open("label", {{"class", "chip"}});
        html.empty("input", {{"type", "radio"}, {"name", "slotStart"}, {"value", format_time(time)}, {"required", ""}});
        html.element("span", clock_of(time, zone)).close();
    }
    html.close().close().close();
}

constexpr std::string_view picker_words[] = {"zone", "choose_day", "choose_time", "more_days", "no_time"};

std::string words_of_picker(words const& in) {
    std::vector<named_script_word> used;
    for (auto const& one : script_words_names)
        if (std::ranges::find(picker_words, one.name) != std::end(picker_words)) used.push_back(one);
    return words_as_json(in, used);
}

// No other secret is needed in the forms: a form on another site would need the link itself. The button stays in view.
// Of a booked interview it is a quiet one until a time is chosen.
void write_move_form(html_writer& html, interview_view const& view, std::string const& base) {
    auto const& say = view.in.interview;
    bool const moves = view.booking.is_confirmed();
    html.element("h2", {{"id", "times"}}, moves ? say.other_times : say.times);
    if (view.free.empty()) {
        html.element("p", say.no_times);
        return;
    }
    auto const zone = zone_of(view.booking.time_zone);
    html.open("form", {{"class", "choosing"},
                       {"method", "post"},
                       {"action", base + "/reschedule"},
                       {"aria-labelledby", "times"},
                       {"data-zone", zone},
                       {"data-words", words_of_picker(view.in)}});
    write_choices(html, view.free, zone, view.in);
    html.open("div", {{"class", "keep row"}});
    html.element("button", {{"type", "submit"}, {"class", moves ? "move" : "main"}}, moves ? say.move : say.book);
    html.open("p", {{"class", "chosen small"}, {"role", "status"}}).close();
    html.close().close();
}

void write_cancel_form(html_writer& html, presented_booking const& booking, std::string const& base,
                       interview_words const& in) {
    html.open("details").element("summary", in.cancel);
    html.open("p");
    if (booking.is_confirmed()) html.text(in.cancel_frees).text(" ");
    html.text(in.cancel_keeps).close();
    html.open("form", {{"method", "post"}, {"action", base + "/cancel"}});
    html.element("button", {{"type", "submit"}, {"class", "danger"}}, in.cancel_confirm).close().close();
}

void write_state(html_writer& html, interview_view const& view, std::string const& base) {
    auto const& booking = view.booking;
    auto const& say = view.in.interview;
    if (booking.status == "unplaced") html.element("p", booking.is_declined ? say.declined : say.not_free);
    write_facts(html, booking, view.in);
    if (booking.is_confirmed() && !booking.is_over(view.now)) write_links(html, view, base);
}

// Canceling comes first where there is something to cancel: the list of times can be long.
void write_changes(html_writer& html, interview_view const& view, std::string const& base) {
    auto const& booking = view.booking;
    if (booking.is_confirmed()) write_cancel_form(html, booking, base, view.in.interview);
    write_move_form(html, view, base);
    if (booking.status == "unplaced") write_cancel_form(html, booking, base, view.in.interview);
}

} // namespace

http::response interview_page(interview_view const& view) {
    auto const& booking = view.booking;
    auto const base = "/interviews/" + std::string(view.token);
    auto const* const notice = find_notice(view);
    auto const& say = view.in.interview;
    auto const news = notice == nullptr ? std::string() : std::string(say.*notice->text) + " ";
    auto shown = interview_frame(booking, view.in, news + std::string(heading_of(view)));
    html_writer html(shown.main);
    html.element("h1", heading_of(view));
    write_notice(html, notice, view.in);
    write_state(html, view, base);
    if (!booking.has_begun(view.now)) write_changes(html, view, base);
    else if (notice == nullptr) html.element("p", say.closed);
    return page_answer(shown);
}

http::response dead_link(action_input const& input) {
    auto const& in = requested_words(input.request.header("Accept-Language"));
    page shown;
    shown.language = in.language;
    shown.title = in.interview.dead_link;
    shown.is_private = true;
    html_writer html(shown.main);
    html.element("h1", shown.title);
    html.element("p", in.interview.dead_link_text);
    return page_answer(shown, 404);
}

page interview_frame(presented_interview const& shown, words const& in, std::string title) {
    page frame;
    frame.language = in.language;
    frame.title = std::move(title) + ": " + shown.job_title;
    frame.organization = shown.organization_name;
    frame.home = "/careers/" + shown.organization_slug;
    frame.logo_url = shown.logo_url;
    frame.accent_color = shown.accent_color;
    frame.script = interview_script_address();
    frame.is_private = true;
    return frame;
}

http::response private_redirect(unsigned status, std::string location) {
    auto answer = redirect(status, std::move(location));
    answer.add("Referrer-Policy", "no-referrer");
    forbid_storing(answer);
    return answer;
}

void write_interview_time(html_writer& html, std::string_view name, timestamp time, std::string const& zone,
                          words const& in) {
    html.open("div", {{"class", "wide"}}).element("dt", name).open("dd");
    html.open("time", {{"datetime", format_time(time)}, {"data-zone", zone_of(zone)}});
    auto const [text, zone_text] = describe_moment(time, zone, in);
    html.text(text).close().element("span", {{"class", "small quiet block"}}, zone_text);
    html.close().close();
}

void write_interview_fact(html_writer& html, std::string_view name, std::string_view content) {
    html.open("div").element("dt", name).element("dd", content).close();
}

} // namespace recruiting::public_api
