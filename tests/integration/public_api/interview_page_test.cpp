// The page of an e-mailed link, as a browser without JavaScript uses it: read, choose another time, cancel.
#include "integration/public_api/visitor.hpp"
#include "support/catch.hpp"

namespace interview_page_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr char const* jo = "jo@example.com";
constexpr char const* form = "application/x-www-form-urlencoded";

struct page_of_jo {
    page_of_jo() : someone(system) {
        auto const interviewer = system.add_interviewer();
        for (int const hours : {30, 31, 32}) system.open_slot(interviewer, hours, "https://meet.example/a?b=1&c=2");
        system.add_candidate(jo);
        system.ask(jo, 30, "Asia/Kathmandu");
        system.work();
        path = "/interviews/" + make_link(system, jo);
    }
    std::string shown(std::string const& query = {}) {
        auto const answer = someone.get(path + query, "Accept: text/html\r\n");
        CHECK(answer.status == 200);
        return answer.body;
    }
    http_answer choose(int in_hours) {
        auto const body = "slotStart=" + percent_encode(format_time(system.at(in_hours)));
        return someone.post(path + "/reschedule", body, {}, form);
    }
    http_answer cancel() { return someone.post(path + "/cancel", "", {}, form); }

    booking_system system;
    visitor someone;
    std::string path;
};

bool has(std::string const& page, std::string const& text) { return page.find(text) != std::string::npos; }

void check_leads_back(page_of_jo const& jos, http_answer const& answer, std::string const& notice) {
    CHECK(answer.status == 303);
    CHECK(answer.header("location") == jos.path + "?notice=" + notice);
    CHECK(answer.header("cache-control") == "no-store");
    CHECK(answer.header("referrer-policy") == "no-referrer");
    CHECK(answer.body.empty());
}

} // namespace

TEST_CASE("the page tells the interview and offers other times", "[public_api][interview_page]") {
    page_of_jo jos;
    auto const answer = jos.someone.get(jos.path, "Accept: text/html\r\n");
    REQUIRE(answer.status == 200);
    CHECK(answer.header("content-type") == "text/html; charset=utf-8");
    CHECK(answer.header("cache-control") == "no-store");
    CHECK(answer.header("referrer-policy") == "no-referrer");
    CHECK(answer.header("x-robots-tag") == "noindex, nofollow");
    CHECK(has(answer.header("content-security-policy"), "default-src 'none'"));
    CHECK(has(answer.body, "<h1>Your interview is booked</h1>"));
    CHECK(has(answer.body, "Asia/Kathmandu, UTC+05:45"));
    CHECK(has(answer.body, "href=\"" + jos.path + "/join\""));
    CHECK(has(answer.body, "Member interviewer1"));
    CHECK_FALSE(has(answer.body, "value=\"" + format_time(jos.system.at(30)) + "\"")); // the time it has
    CHECK(has(answer.body, "value=\"" + format_time(jos.system.at(31)) + "\""));
    CHECK(has(answer.body, "<legend>"));
    CHECK_FALSE(has(answer.body, jo));
    CHECK_FALSE(has(answer.body, "<script>"));
}

TEST_CASE("what has begun is shown, and not changed", "[public_api][interview_page]") {
    page_of_jo jos;
    jos.system.change("UPDATE recruiting.bookings SET starts_at = now() - interval '1 minute'");
    CHECK_FALSE(has(jos.shown(), "<form"));
    check_leads_back(jos, jos.choose(31), "closed");
    check_leads_back(jos, jos.cancel(), "closed");
}

TEST_CASE("the time that a form was refused is not offered again, even if it is free by then",
          "[public_api][interview_page]") {
    page_of_jo jos;
    jos.system.add_candidate("max@example.com");
    jos.system.ask("max@example.com", 31);
    jos.system.work();
    auto const start = format_time(jos.system.at(31));
    check_leads_back(jos, jos.choose(31), "taken&refused=" + start);
    check_leads_back(jos, jos.choose(33), "not-offered&refused=" + format_time(jos.system.at(33)));
    jos.system.change("UPDATE recruiting.bookings SET status = 'canceled' WHERE starts_at = '" + start + "'");
    auto const choice = "value=\"" + start + "\"";
    auto const refused = jos.shown("?notice=taken&refused=" + start);
    CHECK(has(refused, "That time has just been taken."));
    CHECK_FALSE(has(refused, choice));
    CHECK(has(refused, "value=\"" + format_time(jos.system.at(32)) + "\""));
    CHECK(has(jos.shown(), choice));
    CHECK(has(jos.shown("?notice=taken&refused=%00x"), choice));
}

TEST_CASE("who lost a race is offered other times, and the one that was gone not again",
          "[public_api][interview_page]") {
    page_of_jo jos;
    jos.system.add_candidate("max@example.com");
    jos.system.ask("max@example.com", 30);
    jos.system.work();
    jos.cancel(); // what Max asked for is free again
    auto const token = make_link(jos.system, "max@example.com");
    jos.path = "/interviews/" + token;
    auto const page = jos.shown();
    auto const start = format_time(jos.system.at(30));
    CHECK(has(page, "The time you asked for is no longer free."));
    CHECK_FALSE(has(page, "value=\"" + start + "\""));
    CHECK(has(page, "value=\"" + format_time(jos.system.at(31)) + "\""));
    auto const slots = jos.someone.get("manage/" + token + "/slots").body;
    CHECK_FALSE(has(slots, start));
    CHECK(has(slots, format_time(jos.system.at(31))));
    jos.system.change(
        "UPDATE recruiting.bookings SET declined_by = (SELECT id FROM recruiting.memberships LIMIT 1) WHERE "
        "status = 'unplaced'");
    CHECK(has(jos.shown(), "value=\"" + start + "\"")); // another interviewer may be free then
}

TEST_CASE("a link's page with a slash at the end leads to the page", "[public_api][interview_page]") {
    page_of_jo jos;
    auto const answer = jos.someone.get(jos.path + "/?notice=taken");
    CHECK(answer.status == 301);
    CHECK(answer.header("location") == jos.path + "?notice=taken");
    CHECK(answer.header("cache-control") == "no-store");
    CHECK(answer.header("referrer-policy") == "no-referrer");
}

TEST_CASE("every dead link is the same page", "[public_api][interview_page]") {
    page_of_jo jos;
    auto const unknown = visible(jos.someone.get("/interviews/" + std::string(43, 'A')));
    CHECK(has(unknown, " 404 "));
    CHECK(has(unknown, "This link does not work"));
    auto const expired = make_expired_link(jos.system);
    for (auto const& token : {expired, std::string("x"), jos.path.substr(12) + "A"})
        CHECK(visible(jos.someone.get("/interviews/" + token)) == unknown);
    for (std::string const action : {"/reschedule", "/cancel"})
        CHECK(jos.someone.post("/interviews/" + expired + action, "slotStart=2027-01-01T00:00:00Z", {}, form).status ==
              404);
    CHECK(jos.someone.get(jos.path + "/cancel").status == 405);
}

TEST_CASE("texts of others are text on the page", "[public_api][interview_page]") {
    page_of_jo jos;
    jos.system.change("UPDATE recruiting.jobs SET title = '<script>alert(1)</script>\"''&'; "
                      "UPDATE recruiting.organizations SET name = '<img src=x onerror=alert(1)>'; "
                      "UPDATE recruiting.bookings SET time_zone = '\"><b>Nowhere'");
    auto const page = jos.shown("?notice=%3Cscript%3E");
    CHECK_FALSE(has(page, "<script>"));
    CHECK_FALSE(has(page, "<img"));
    CHECK_FALSE(has(page, "Nowhere"));
    CHECK(has(page, "&lt;script&gt;"));
    CHECK(has(page, "UTC, UTC+00:00"));
}

TEST_CASE("the page's links work", "[public_api][interview_page]") {
    page_of_jo jos;
    auto const page = jos.shown();
    CHECK(jos.someone.get(jos.path + "/invite.ics").header("content-type").starts_with("text/calendar"));
    auto const at = page.find("/interviews/times.js");
    REQUIRE(at != std::string::npos);
    auto const script = jos.someone.get(page.substr(at, page.find('"', at) - at));
    CHECK(script.status == 200);
    CHECK(has(script.header("cache-control"), "immutable"));
}

} // namespace interview_page_test
