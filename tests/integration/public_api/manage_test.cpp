// What the holder of an e-mailed link sees and changes, and that nobody else does.
#include "integration/public_api/visitor.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>

namespace manage_test {
using namespace recruiting;
using namespace recruiting::test;
namespace json = boost::json;

namespace {

constexpr char const* jo = "jo@example.com";

// Jo has an interview in 30 hours; 31 and 32 hours from now somebody is free.
struct booked {
    explicit booked(std::function<void(public_api::settings&)> with = {},
                    std::string const& url = "https://meet.example/room")
        : settings(std::move(with)) {
        interviewer = system.add_interviewer();
        for (int const hours : {30, 31, 32}) system.open_slot(interviewer, hours, url);
        system.add_candidate(jo);
        system.ask(jo, 30, "Europe/Berlin");
        system.work();
        token = make_link(system, jo);
    }
    json::object data(http_answer const& answer) {
        INFO(answer.body);
        REQUIRE(answer.status == 200);
        return json::parse(answer.body).at("data").as_object();
    }
    json::object shown() { return data(someone().get("manage/" + token)); }
    http_answer move(int in_hours) {
        return someone().post("manage/" + token + "/reschedule",
                              R"({"slotStart":")" + format_time(system.at(in_hours)) + "\"}");
    }
    http_answer cancel() { return someone().post("manage/" + token + "/cancel", ""); }
    visitor& someone() {
        if (!visitor_) visitor_.emplace(system, settings);
        return *visitor_;
    }

    std::function<void(public_api::settings&)> settings;
    booking_system system;
    uuid interviewer;
    std::string token;

private:
    std::optional<visitor> visitor_;
};

std::string text(json::value const& value) { return std::string(std::string_view(value.as_string())); }
std::string code(http_answer const& answer) { return text(json::parse(answer.body).at("error").at("code")); }

} // namespace

TEST_CASE("a link shows its interview, and no candidate", "[public_api][manage]") {
    booked jos;
    auto const answer = jos.someone().get("manage/" + jos.token);
    auto const shown = jos.data(answer);
    CHECK(text(shown.at("status")) == "confirmed");
    CHECK(text(shown.at("startsAt")) == format_time(jos.system.at(30)));
    CHECK(text(shown.at("endsAt")) == format_time(jos.system.at(30) + std::chrono::minutes{45}));
    CHECK(text(shown.at("timeZone")) == "Europe/Berlin");
    CHECK(text(shown.at("joinUrl")) == "http://127.0.0.1:8080/interviews/" + join_token_of(jos.token) + "/join");
    CHECK(text(shown.at("interviewer")) == "Member interviewer1");
    CHECK(text(shown.at("job").at("id")) == to_string(jos.system.job));
    CHECK(text(shown.at("stage").at("name")) == "Interview");
    CHECK(text(shown.at("organization").at("slug")) == jos.system.slug);
    CHECK(shown.at("changeable").as_bool());
    CHECK(text(shown.at("pageUrl")) == "http://127.0.0.1:8080/interviews/" + jos.token);
    CHECK(answer.header("cache-control") == "no-store");
    CHECK(answer.body.find("Candidate") == std::string::npos);
    CHECK(answer.body.find(jo) == std::string::npos);
}

TEST_CASE("an unknown, an expired and a mistyped link are one 404", "[public_api][manage]") {
    booked jos;
    auto const expired = make_expired_link(jos.system);
    auto const unknown = to_base64url(random_bytes(32));
    auto const body = R"({"slotStart":")" + format_time(jos.system.at(31)) + "\"}";
    auto& someone = jos.someone();
    for (std::string const path : {"", "/slots", "/invite.ics"}) {
        auto const refused = visible(someone.get("manage/" + unknown + path));
        CHECK(refused.find(" 404 ") != std::string::npos);
        for (auto const& token : {expired, jos.token + "A", jos.token.substr(1), std::string(43, '*')})
            CHECK(visible(someone.get("manage/" + token + path)) == refused);
    }
    for (std::string const path : {"/reschedule", "/cancel"}) {
        auto const refused = visible(someone.post("manage/" + unknown + path, body));
        CHECK(refused.find(" 404 ") != std::string::npos);
        CHECK(visible(someone.post("manage/" + expired + path, body)) == refused);
        CHECK(visible(someone.post("manage/x" + path, body)) == refused);
    }
    CHECK(text(jos.shown().at("startsAt")) == format_time(jos.system.at(30)));
}

TEST_CASE("a time with year 0000 or without UTC is 400, whatever the link", "[public_api][manage]") {
    booked jos;
    for (auto const& token : {jos.token, to_base64url(random_bytes(32))}) {
        for (std::string const start : {"0000-01-01T00:00:00Z", "0000-12-31T23:59:59.999Z", "2026-11-23T13:00+01:00"}) {
            auto const answer =
                jos.someone().post("manage/" + token + "/reschedule", R"({"slotStart":")" + start + "\"}");
            CHECK(answer.status == 400);
            auto const error = json::parse(answer.body).at("error");
            CHECK(text(error.at("details").at(0).at("field")) == "slotStart");
            CHECK(text(error.at("details").at(0).at("reason")) == "invalid");
        }
    }
    CHECK(text(jos.shown().at("startsAt")) == format_time(jos.system.at(30)));
}

TEST_CASE("a link shows when somebody is free", "[public_api][manage]") {
    booked jos;
    jos.system.add_candidate("max@example.com");
    jos.system.ask("max@example.com", 31);
    jos.system.work();
    jos.system.open_slot(jos.interviewer, 24 * 31);
    auto const starts = json::parse(jos.someone().get("manage/" + jos.token + "/slots").body).at("data").as_array();
    REQUIRE(starts.size() == 2); // the own time is among them; the one of Max and the far one are not
    CHECK(text(starts[0].at("slotStart")) == format_time(jos.system.at(30)));
    CHECK(text(starts[1].at("slotStart")) == format_time(jos.system.at(32)));
    CHECK(json::parse(jos.someone().slots().body).at("data").as_array().size() == 3); // the published schedule stays
}

TEST_CASE("a time that is taken, closed or none is 409", "[public_api][manage]") {
    booked jos;
    jos.system.add_candidate("max@example.com");
    jos.system.ask("max@example.com", 31);
    jos.system.work();
    jos.system.change("UPDATE recruiting.interview_slots SET closed_at = now() WHERE starts_at = '" +
                      format_time(jos.system.at(32)) + "'");
    jos.system.open_slot(jos.interviewer, 1);
    jos.system.open_slot(jos.interviewer, 24 * 31);
    for (int const hours : {31, 32, 33, 1, 24 * 31}) {
        INFO(hours);
        auto const answer = jos.move(hours);
        CHECK(answer.status == 409);
        CHECK(code(answer) == "slot_taken");
        auto const error = json::parse(answer.body).at("error");
        bool const is_offered = hours == 31;
        CHECK((text(error.at("message")) == "That time has just been taken. Choose another.") == is_offered);
        CHECK(error.at("details").as_array().empty() == is_offered);
    }
    CHECK(text(jos.shown().at("startsAt")) == format_time(jos.system.at(30)));
}

TEST_CASE("two who choose the same time at once: one gets it, and nobody both", "[public_api][manage]") {
    booked jos;
    jos.system.add_candidate("max@example.com");
    jos.system.ask("max@example.com", 31);
    jos.system.work();
    auto const maxs = make_link(jos.system, "max@example.com");
    auto const body = R"({"slotStart":")" + format_time(jos.system.at(32)) + "\"}";
    visitor max(jos.system);
    auto const request = [&](std::string const& token) {
        return "POST /api/public/v1/scheduling/manage/" + token +
               "/reschedule HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + body;
    };
    jos.someone().client.send(request(jos.token));
    max.client.send(request(maxs));
    auto const one = jos.someone().client.receive().status;
    auto const other = max.client.receive().status;
    CHECK(one + other == 200 + 409);
    CHECK(jos.system.value("SELECT count(*) FROM recruiting.bookings WHERE starts_at = '" +
                           format_time(jos.system.at(32)) + "'") == "1");
}

TEST_CASE("a choice that is sent twice at once moves the interview once", "[public_api][manage]") {
    booked jos;
    for (int i = 0; i < 7; ++i) jos.system.open_slot(jos.system.add_interviewer(), 32); // the second might take another
    auto const body = R"({"slotStart":")" + format_time(jos.system.at(32)) + "\"}";
    auto const request = "POST /api/public/v1/scheduling/manage/" + jos.token +
                         "/reschedule HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " +
                         std::to_string(body.size()) + "\r\n\r\n" + body;
    visitor again(jos.system);
    pg::transaction held(jos.system.database.owner());
    jos.system.change("SELECT FROM recruiting.bookings FOR UPDATE");
    jos.someone().client.send(request);
    again.client.send(request);
    pg::client watcher(jos.system.database.superuser_url(), "tests");
    REQUIRE(eventually([&] {
        return watcher
                   .run("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "
                        "wait_event_type = 'Lock'")
                   .integer(0, 0) == 2;
    }));
    held.commit();
    CHECK(jos.someone().client.receive().status == 200);
    CHECK(again.client.receive().status == 200);
    CHECK(jos.system.value("SELECT sequence FROM recruiting.bookings") == "1");
    CHECK(jos.system.value("SELECT count(*) FROM recruiting.mail_outbox WHERE kind = 'rescheduled' AND audience = "
                           "'candidate'") == "1");
}

TEST_CASE("a booking that somebody holds is not waited for long: 503, and nothing is changed", "[public_api][manage]") {
    booked jos;
    jos.system.open_slot(jos.system.add_interviewer(), 32);
    pg::transaction held(jos.system.database.owner());
    jos.system.change("SELECT FROM recruiting.bookings FOR UPDATE");
    auto const refused = jos.move(32);
    held.commit();
    CHECK(refused.status == 503);
    CHECK_FALSE(refused.header("retry-after").empty());
    CHECK(jos.system.value("SELECT sequence FROM recruiting.bookings") == "0");
    CHECK(text(jos.data(jos.move(32)).at("status")) == "confirmed");
}

TEST_CASE("who lost a race picks another time", "[public_api][manage]") {
    booked jos;
    jos.system.add_candidate("max@example.com");
    jos.system.ask("max@example.com", 30);
    jos.system.work();
    jos.token = make_link(jos.system, "max@example.com");
    auto const shown = jos.shown();
    CHECK(text(shown.at("status")) == "unplaced");
    CHECK(shown.at("startsAt").is_null());
    CHECK(text(shown.at("wantedStartsAt")) == format_time(jos.system.at(30)));
    CHECK(code(jos.move(30)) == "slot_taken");
    CHECK(text(jos.data(jos.move(31)).at("status")) == "confirmed");
}

TEST_CASE("a link books no new interview for whom no request would", "[public_api][manage]") {
    booked jos;
    jos.system.change("INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position) SELECT "
                      "gen_random_uuid(), organization_id, job_id, 'Offer', 'offer', 9 FROM recruiting.stages");
    jos.system.change(
        "UPDATE recruiting.applications SET stage_id = (SELECT id FROM recruiting.stages s WHERE s.name = "
        "'Offer')");
    CHECK(text(jos.data(jos.move(31)).at("status")) == "confirmed"); // the interview is still to come
    CHECK(jos.cancel().status == 200);
    auto const free = [&] {
        return json::parse(jos.someone().get("manage/" + jos.token + "/slots").body).at("data").as_array().size();
    };
    CHECK(free() == 0);
    CHECK(code(jos.move(31)) == "slot_taken");
    jos.system.change("UPDATE recruiting.applications SET stage_id = (SELECT stage_id FROM recruiting.bookings)");
    CHECK(free() == 3);
    jos.system.change("UPDATE recruiting.applications SET status = 'rejected', rejected_at = now()");
    CHECK(free() == 0);
    CHECK(code(jos.move(31)) == "slot_taken");
    CHECK(text(jos.shown().at("status")) == "canceled");
}

TEST_CASE("what has begun is not changed through a link", "[public_api][manage]") {
    booked jos;
    jos.system.change("UPDATE recruiting.bookings SET starts_at = now() - interval '1 minute'");
    CHECK_FALSE(jos.shown().at("changeable").as_bool());
    for (auto const& answer : {jos.move(31), jos.move(33), jos.cancel()}) {
        CHECK(answer.status == 409);
        CHECK(code(answer) == "booking_closed");
    }
}

TEST_CASE("a booking is changed at most 20 times an hour and 40 a day", "[public_api][manage]") {
    booked jos;
    pg::client clock(jos.system.database.superuser_url(), "tests"); // the trigger counts its updates not
    auto const an_hour_later = [&] {
        clock.script("UPDATE recruiting.bookings SET changes_hour = changes_hour - interval '1 hour'");
    };
    auto const change = [&](int i) { return i % 2 == 0 ? jos.move(31) : jos.move(32); };
    for (int hour = 0; hour < 2; ++hour) {
        for (int i = 0; i < 20; ++i) REQUIRE(change(i).status == 200);
        auto const refused = change(20);
        REQUIRE(refused.status == 429);
        CHECK(refused.header("ratelimit-policy") ==
              (hour == 0 ? R"("booking_changes";q=20;w=3600)" : R"("booking_changes";q=40;w=86400)"));
        CHECK(std::stoi(refused.header("retry-after")) <= (hour == 0 ? 3600 : 86'400));
        an_hour_later();
    }
    CHECK(change(20).status == 429);
    clock.script("UPDATE recruiting.bookings SET changes_day = changes_day - interval '1 day'");
    CHECK(change(20).status == 200);
}

TEST_CASE("all links of one booking are one credential: an older one works as long as the latest",
          "[public_api][manage]") {
    booked jos;
    jos.system.change("UPDATE recruiting.booking_tokens SET expires_at = now() - interval '1 second'");
    CHECK(jos.someone().get("manage/" + jos.token).status == 404);
    auto const later = make_link(jos.system, jo, "1 day");
    CHECK(visible(jos.someone().get("manage/" + later + "/slots")) ==
          visible(jos.someone().get("manage/" + jos.token + "/slots")));
    CHECK(jos.move(31).status == 200); // through the older one
    CHECK(jos.someone().get("/interviews/" + join_token_of(jos.token) + "/join").status == 200);
    jos.system.change("UPDATE recruiting.booking_tokens SET expires_at = now() - interval '1 second'");
    for (auto const& token : {jos.token, later}) CHECK(jos.someone().get("manage/" + token).status == 404);
    CHECK(jos.someone().get("/interviews/" + join_token_of(jos.token) + "/join").status == 404);
}

TEST_CASE("the interview comes as a calendar's event", "[public_api][manage]") {
    booked jos;
    auto const answer = jos.someone().get("manage/" + jos.token + "/invite.ics");
    REQUIRE(answer.status == 200);
    CHECK(answer.header("content-type") == "text/calendar; charset=utf-8; method=PUBLISH");
    CHECK(answer.header("cache-control") == "no-store");
    CHECK(answer.body.starts_with("BEGIN:VCALENDAR\r\n"));
    auto const uid = jos.system.value("SELECT replace(calendar_uid::text, '-', '') FROM recruiting.bookings");
    CHECK(answer.body.find(uid) != std::string::npos);
    // The reader's own link is in it, so it is private: calendars are shared.
    CHECK(answer.body.find("\r\nCLASS:PRIVATE\r\n") != std::string::npos);
    std::string unfolded = answer.body;
    for (auto at = unfolded.find("\r\n "); at != unfolded.npos; at = unfolded.find("\r\n ", at)) unfolded.erase(at, 3);
    CHECK(unfolded.find("\\nMove or cancel: http://127.0.0.1:8080/interviews/" + jos.token + "\r\n") !=
          std::string::npos);
    CHECK(unfolded.find("\r\nURL:http://127.0.0.1:8080/interviews/" + join_token_of(jos.token) + "/join\r\n") !=
          std::string::npos);
}

TEST_CASE("GET changes nothing, and a token is in no metric", "[public_api][manage]") {
    booked jos;
    auto const row = "SELECT md5(string_agg(b::text, ',')) FROM recruiting.bookings b";
    auto const before = jos.system.value(row);
    for (std::string const path : {"", "/slots", "/invite.ics"}) jos.someone().get("manage/" + jos.token + path);
    for (std::string const path : {"/reschedule", "/cancel"})
        CHECK(jos.someone().get("manage/" + jos.token + path).status == 405);
    CHECK(jos.system.value(row) == before);
    auto const metrics = jos.someone().harness.metrics();
    CHECK(metrics.find(jos.token) == std::string::npos);
    CHECK(metrics.find("/scheduling/manage/{token}/slots\",status=\"200\"} 1") != std::string::npos);
}

} // namespace manage_test
