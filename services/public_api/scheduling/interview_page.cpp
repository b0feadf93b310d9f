#include "public_api/scheduling/interview_page.hpp"

#include "public_api/pages/html_writer.hpp"
#include "public_api/pages/page.hpp"
#include "public_api/scheduling/interview_script.hpp"
#include "zones/zone.hpp"

#include <array>

namespace recruiting::public_api {
namespace {

struct notice_text {
    std::string_view name;
    std::string_view look; // a class of the styles
    std::string_view text;
};
constexpr std::array notices = {
    notice_text{"booked", "notice good",
                "Your interview is booked for the time below. A mail with the details is on its way."},
    notice_text{"unchanged", "notice", "That is the time your interview already has. Nothing was changed."},
    notice_text{"canceled", "notice good", "Your interview is canceled. A mail confirms it."},
    notice_text{"taken", "notice bad", "That time has just been taken. Please choose another."},
    notice_text{"closed", "notice bad", "The interview has begun: it can't be changed here any more."},
    notice_text{"choose", "notice bad", "Please choose one of the times."},
};

notice_text const* find_notice(interview_view const& view) noexcept {
    // Nobody is told by mail that what never had a time is given up.
    bool const was_booked = view.booking.starts_at.has_value();
    for (auto const& known : notices)
        if (known.name == view.notice) return known.name == "canceled" && !was_booked ? nullptr : &known;
    return nullptr;
}

// What was written into the booking is known no more to this machine: UTC is right everywhere.
std::string zone_of(presented_booking const& booking) {
    return zones::is_zone(booking.time_zone) ? booking.time_zone : std::string("UTC");
}

std::string heading_of(interview_view const& view) {
    auto const& booking = view.booking;
    if (booking.status == "canceled") return "Your interview is canceled";
    if (booking.status == "unplaced") return "Please choose another time";
    if (booking.is_over(view.now)) return "Your interview is over";
    return booking.has_begun(view.now) ? "Your interview has begun" : "Your interview is booked";
}

// Takes the focus, so that what happened is read out and seen first.
void write_notice(html_writer& html, notice_text const* notice) {
    if (notice == nullptr) return;
    html.open("p", {{"class", notice->look}, {"role", "status"}, {"tabindex", "-1"}, {"autofocus", ""}});
    html.text(notice->text).close();
}

void write_time(html_writer& html, timestamp time, std::string const& zone) {
    html.open("time", {{"datetime", format_time(time)}, {"data-zone", zone}});
    html.text(zones::describe(time, zone)).close();
}

void write_fact(html_writer& html, std::string_view name, std::string_view content) {
    html.open("div").element("dt", name).element("dd", content).close();
}

void write_facts(html_writer& html, presented_booking const& booking) {
    auto const zone = zone_of(booking);
    html.open("dl", {{"class", "facts"}});
    bool const is_placed = booking.status != "unplaced";
    if (auto const when = is_placed ? booking.starts_at : booking.wanted_starts_at) {
        html.open("div", {{"class", "wide"}}).element("dt", is_placed ? "When" : "You asked for").open("dd");
        write_time(html, *when, zone);
        html.close().close();
    }
    if (booking.is_confirmed()) {
        auto const length = std::chrono::floor<std::chrono::minutes>(*booking.ends_at - *booking.starts_at);
        write_fact(html, "Length", std::to_string(length.count()) + " minutes");
        if (booking.interviewer_name) write_fact(html, "With", *booking.interviewer_name);
    }
    write_fact(html, "Job", booking.job_title);
    write_fact(html, "Stage", booking.stage_name);
    html.close();
}

bool is_web_address(std::string_view url) noexcept { return url.starts_with("https://") || url.starts_with("http://"); }

void write_links(html_writer& html, presented_booking const& booking, std::string const& base) {
    html.open("p", {{"class", "row"}});
    if (booking.join_url && is_web_address(*booking.join_url))
        html.element("a", {{"class", "button"}, {"href", *booking.join_url}, {"rel", "noopener noreferrer"}},
                     "Join the interview");
    html.element("a", {{"class", "button quiet"}, {"href", base + "/invite.ics"}}, "Add to calendar").close();
    if (!booking.join_url) html.element("p", "Your interviewer will send you the address to join at.");
}

std::string day_of(timestamp time, std::string const& zone) {
    auto const text = zones::describe(time, zone); // "Tuesday, 24 November 2026, 10:00 (…)"
    return text.substr(0, text.rfind(", ", text.find(" (")));
}

std::string clock_of(timestamp time, std::string const& zone) { return zones::format_local(time, zone).substr(11, 5); }

void write_choice(html_writer& html, timestamp time, std::string const& zone) {
    auto const value = format_time(time);
    html.open("label").empty("input", {{"type", "radio"}, {"name", "slotStart"}, {"value", value}, {"required", ""}});
    html.text(" ").open("time", {{"datetime", value}, {"data-zone", zone}, {"data-short", ""}});
    html.text(clock_of(time, zone)).close().close();
}

void write_choices(html_writer& html, std::vector<timestamp> const& times, std::string const& zone) {
    std::string day;
    for (auto const time : times) {
        if (auto next = day_of(time, zone); next != day) {
            if (!day.empty()) html.close().close();
            day = std::move(next);
            html.open("fieldset").element("legend", day).open("div", {{"class", "choices"}});
        }
        write_choice(html, time, zone);
    }
    html.close().close();
}

// No other secret is needed in the forms: whoever could send one from another site would need the link itself.
void write_move_form(html_writer& html, interview_view const& view, std::string const& base) {
    auto const zone = zone_of(view.booking);
    bool const moves = view.booking.is_confirmed();
    html.element("h2", {{"id", "times"}}, moves ? "Choose another time" : "Choose a time");
    if (view.free.empty()) {
        html.element("p", "No other time is free at the moment. Please come back later.");
        return;
    }
    html.element("p", {{"class", "soft"}}, "Times are those of " + zone + ".");
    html.open("form", {{"method", "post"}, {"action", base + "/reschedule"}, {"aria-labelledby", "times"}});
    write_choices(html, view.free, zone);
    html.element("button", {{"type", "submit"}}, moves ? "Move the interview" : "Book this time").close();
}

void write_cancel_form(html_writer& html, presented_booking const& booking, std::string const& base) {
    html.open("details").element("summary", "Cancel the interview");
    std::string const given = booking.is_confirmed() ? "The time is given to others at once. " : "";
    html.element("p", given + "With this link you can still choose another time later.");
    html.open("form", {{"method", "post"}, {"action", base + "/cancel"}});
    html.element("button", {{"type", "submit"}, {"class", "danger"}}, "Yes, cancel the interview").close().close();
}

void write_state(html_writer& html, interview_view const& view, std::string const& base) {
    auto const& booking = view.booking;
    if (booking.status == "unplaced")
        html.element("p", "The time you asked for is not free any more. Nothing is booked yet.");
    write_facts(html, booking);
    if (booking.is_confirmed() && !booking.is_over(view.now)) write_links(html, booking, base);
}

// Canceling comes first where there is something to cancel: the list of times can be long.
void write_changes(html_writer& html, interview_view const& view, std::string const& base) {
    auto const& booking = view.booking;
    if (booking.is_confirmed()) write_cancel_form(html, booking, base);
    write_move_form(html, view, base);
    if (booking.status == "unplaced") write_cancel_form(html, booking, base);
}

} // namespace

http::response interview_page(interview_view const& view) {
    auto const& booking = view.booking;
    auto const base = "/interviews/" + std::string(view.token);
    page shown;
    auto const* const notice = find_notice(view);
    shown.title = (notice != nullptr ? std::string(notice->text) + " " : std::string()) + heading_of(view) + ": " +
                  booking.job_title;
    shown.organization = booking.organization_name;
    shown.home = "/careers/" + booking.organization_slug;
    shown.logo_url = booking.logo_url;
    shown.script = interview_script_address();
    shown.is_private = true;
    html_writer html(shown.main);
    html.element("h1", heading_of(view));
    write_notice(html, notice);
    write_state(html, view, base);
    if (!booking.has_begun(view.now)) write_changes(html, view, base);
    else if (notice == nullptr) html.element("p", "It can't be changed here any more.");
    return page_answer(shown);
}

http::response dead_link_page() {
    page shown;
    shown.title = "This link does not work";
    shown.is_private = true;
    html_writer html(shown.main);
    html.element("h1", shown.title);
    html.element("p", "It may be incomplete, or it has expired. Please open the link of the latest mail about your "
                      "interview, whole.");
    return page_answer(shown, 404);
}

} // namespace recruiting::public_api
