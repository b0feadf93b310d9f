// What the page of an e-mailed link says in each state of an interview.
#include "public_api/booking/interview_page.hpp"
#include "support/catch.hpp"
#include "unit/public_api/made_input.hpp"

namespace interview_page_test {
using namespace recruiting;
using namespace recruiting::public_api;

namespace {

timestamp const now = *parse_time("2026-11-23T09:00:00Z");
std::string const token(43, 'A');

presented_booking booked(std::chrono::minutes begins_in) {
    presented_booking out;
    out.status = "confirmed";
    out.starts_at = now + begins_in;
    out.ends_at = *out.starts_at + std::chrono::minutes(30);
    out.time_zone = "Europe/Berlin";
    out.job_title = "Engineer";
    out.organization_name = "Acme";
    out.organization_slug = "acme";
    return out;
}

presented_booking unplaced() {
    auto out = booked(std::chrono::hours(30));
    out.wanted_starts_at = out.starts_at;
    out.starts_at.reset();
    out.ends_at.reset();
    out.status = "unplaced";
    return out;
}

std::string shown(presented_booking const& booking, std::string notice = {}, std::string_view language = "en") {
    return interview_page({booking, {now + std::chrono::hours(40)}, token, notice, now, words_for(language)}).body;
}

bool has(std::string const& page, std::string const& text) { return page.find(text) != std::string::npos; }

} // namespace

TEST_CASE("an interview ahead can be joined, canceled and moved, in this order", "[public_api][interview_page]") {
    auto const page = shown(booked(std::chrono::hours(30)));
    CHECK(has(page, "<h1>Your interview is booked</h1>"));
    auto const cancel = page.find("/cancel\"");
    REQUIRE(cancel != std::string::npos);
    CHECK(page.find("Join the interview") < cancel);
    CHECK(cancel < page.find("/reschedule\""));
    CHECK(has(page, "The time becomes available to others at once."));
}

TEST_CASE("the first link adds to the calendar and, from 15 minutes before, joins", "[public_api][interview_page]") {
    std::string const main = "<a class=\"button main\" href=\"/interviews/" + token;
    std::string const quiet = "<a class=\"button\" href=\"/interviews/" + token;
    auto const ahead = shown(booked(std::chrono::minutes(16)));
    CHECK(has(ahead, "<p class=\"row\">" + main + "/invite.ics\""));
    CHECK(has(ahead, quiet + "/join\""));
    for (auto const begins_in : {15, 0, -29}) {
        auto const soon = shown(booked(std::chrono::minutes(begins_in)));
        CHECK(has(soon, "<p class=\"row\">" + main + "/join\""));
        CHECK(has(soon, quiet + "/invite.ics\""));
    }
    CHECK(has(ahead, "<button type=\"submit\" class=\"move\">"));
    CHECK(has(shown(unplaced()), "<button type=\"submit\" class=\"main\">"));
}

TEST_CASE("an interview that goes on can be joined, one that is over can't", "[public_api][interview_page]") {
    auto const active_run = shown(booked(std::chrono::minutes(-29)));
    CHECK(has(active_run, "<h1>Your interview has begun</h1>"));
    CHECK(has(active_run, "Join the interview"));
    auto const over = shown(booked(std::chrono::minutes(-30)));
    CHECK(has(over, "<h1>Your interview is over</h1>"));
    CHECK_FALSE(has(over, "/join"));
    CHECK_FALSE(has(over, "invite.ics"));
    for (auto const& page : {active_run, over}) {
        CHECK_FALSE(has(page, "<form"));
        CHECK(has(page, "It can no longer be changed here."));
    }
    CHECK_FALSE(has(shown(booked(std::chrono::minutes(-30)), "closed"), "It can no longer be changed here."));
}

TEST_CASE("who has no time yet reads that nothing is booked", "[public_api][interview_page]") {
    auto const page = shown(unplaced());
    CHECK(has(page, "Nothing is booked yet."));
    CHECK(has(page, "You asked for"));
    CHECK(has(page, "Yes, cancel the interview"));
    CHECK_FALSE(has(page, "The time becomes available to others"));
}

TEST_CASE("no mail is promised where none is sent", "[public_api][interview_page]") {
    auto canceled = booked(std::chrono::hours(30));
    canceled.status = "canceled";
    CHECK(has(shown(canceled, "canceled"), "A mail confirms it."));
    auto given_up = unplaced();
    given_up.status = "canceled";
    auto const page = shown(given_up, "canceled");
    CHECK(has(page, "<h1>Your interview is canceled</h1>"));
    CHECK_FALSE(has(page, "A mail confirms it."));
    CHECK(has(page, "Book this time"));
}

TEST_CASE("the page speaks each of the six languages, and none of another", "[public_api][interview_page]") {
    for (auto const& in : all_words()) {
        CAPTURE(in.language);
        auto const page = shown(booked(std::chrono::hours(30)), "booked", in.language);
        CHECK(has(page, "<html lang=\"" + std::string(in.language) + "\">"));
        for (auto const text : {in.interview.booked, in.interview.notice_booked, in.interview.join, in.interview.when,
                                in.interview.cancel_confirm, in.interview.move})
            CHECK(has(page, std::string(text)));
        CHECK(has(page, "&quot;choose_time&quot;:&quot;" + std::string(in.script.choose_time) + "&quot;"));
        CHECK(has(page, "href=\"/interviews/" + token + "/join\""));
        test::made_input asking({}, "/interviews/x", {});
        asking.request.headers.emplace_back("Accept-Language", in.language);
        CHECK(has(dead_link(asking.get()).body, std::string(in.interview.dead_link)));
        if (in.language == "en") continue;
        for (auto const* english : {"Your interview", "Join the", "Tuesday", "Cancel the", "Choose", "for you"})
            CHECK_FALSE(has(page, english));
    }
}

} // namespace interview_page_test
