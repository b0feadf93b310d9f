// GET /interviews/{token}/join (proto-docs/booking.md): where it leads, when, and what it says else.
#include "crypto/digest.hpp"
#include "integration/auth_api/background/mail_harness.hpp"
#include "integration/public_api/visitor.hpp"
#include "mail/meeting_url.hpp"
#include "support/catch.hpp"
#include "words/words.hpp"

namespace join_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr char const* jo = "jo@example.com";
constexpr char const* other_host = "https://evil.example";

bool has(std::string const& page, std::string_view text) { return page.find(text) != std::string::npos; }

struct joining {
    joining() : someone(system) {
        interviewer = system.add_interviewer();
        slot = system.open_slot(interviewer, 30);
        system.add_candidate(jo);
        system.ask(jo, 30, "Asia/Kathmandu", "de");
        system.work();
        token = make_link(system, jo);
    }
    http_answer join(std::string const& lines = {}, std::string const& query = {}) {
        return someone.get("/interviews/" + join_token_of(token) + "/join" + query, lines);
    }
    std::string words_shown(std::string const& lines = {}) {
        auto const answer = join(lines);
        CHECK(answer.status == 200);
        CHECK(answer.header("location").empty());
        CHECK(answer.header("cache-control") == "no-store");
        CHECK(answer.header("referrer-policy") == "no-referrer");
        return answer.body;
    }
    std::string led_to() {
        auto const answer = join();
        CHECK(answer.status == 302);
        CHECK(answer.header("cache-control") == "no-store");
        CHECK(answer.header("referrer-policy") == "no-referrer");
        CHECK(answer.body.empty());
        return answer.header("location");
    }
    void set(std::string const& table, std::string const& assignment) {
        system.change("UPDATE recruiting." + table + " SET " + assignment);
    }
    // It is ten minutes before the interview from here on.
    void begin_soon() {
        set("bookings", "starts_at = now() + interval '10 minutes', ends_at = now() + interval '55 minutes'");
    }

    booking_system system;
    visitor someone;
    uuid interviewer, slot;
    std::string token;
};

} // namespace

TEST_CASE("a canceled booking's join link says so, and a moved one's leads to the current time", "[public_api][join]") {
    joining jos;
    auto const later = jos.system.open_slot(jos.interviewer, 60, "https://slots.example/later");
    CHECK_FALSE(has(jos.words_shown(), words_for("de").interview.join_moved));
    jos.set("bookings", "slot_id = '" + to_string(later) + "'");
    auto const page = jos.words_shown("Accept-Language: en\r\n");
    CHECK(has(page, "The interview has been moved."));
    CHECK(has(page, "datetime=\"" + format_time(jos.system.at(60)) + "\""));
    jos.begin_soon();
    CHECK(jos.led_to() == "https://slots.example/later");
    jos.set("bookings", "status = 'canceled'");
    auto const canceled = jos.words_shown("Accept-Language: en\r\n");
    CHECK(has(canceled, "<h1>Your interview is canceled</h1>"));
    CHECK(has(canceled, "There is no meeting to join."));
    CHECK_FALSE(has(canceled, "slots.example"));
}

TEST_CASE("after the interview the join link says that it is over", "[public_api][join]") {
    joining jos;
    jos.set("interview_slots", "join_url = 'https://slots.example/a'");
    jos.set("bookings", "starts_at = now() - interval '3 hours', ends_at = now() - interval '2 hours'");
    CHECK(has(jos.words_shown("Accept-Language: fr\r\n"), "Votre entretien est terminé"));
}

TEST_CASE("a link that joins manages nothing", "[public_api][join]") {
    joining jos;
    auto const joins = join_token_of(jos.token);
    for (std::string const rest : {"", "/invite.ics"})
        CHECK(jos.someone.get("/interviews/" + joins + rest).status == 404);
    CHECK(jos.someone.post("/interviews/" + joins + "/cancel", "", {}, "application/x-www-form-urlencoded").status ==
          404);
    CHECK(jos.someone.get("manage/" + joins).status == 404);
    CHECK(jos.someone.post("manage/" + joins + "/cancel", "").status == 404);
    CHECK(jos.someone.post("/interviews/" + joins + "/join", "", {}, "application/x-www-form-urlencoded").status ==
          405);
    CHECK(jos.system.value("SELECT status FROM recruiting.bookings") == "confirmed");
}

TEST_CASE("following the join link changes nothing, and nothing of the request decides where it leads",
          "[public_api][join]") {
    joining jos;
    jos.set("interview_slots", "join_url = 'https://slots.example/a'");
    jos.begin_soon();
    auto const state = [&] {
        return jos.system.value(
            "SELECT (SELECT string_agg(b::text, ';') FROM recruiting.bookings b) || (SELECT "
            "string_agg(t::text, ';' ORDER BY t::text) FROM recruiting.booking_tokens t) || (SELECT "
            "count(*) FROM audit_rows) || (SELECT count(*) FROM recruiting.mail_outbox)");
    };
    auto const before = state();
    auto const query = std::string("?url=") + other_host + "&next=//evil.example&notice=" + other_host;
    auto const answer =
        jos.join("X-Forwarded-Host: evil.example\r\nReferer: " + std::string(other_host) + "/\r\n", query);
    CHECK(answer.header("location") == "https://slots.example/a");
    CHECK_FALSE(has(visible(jos.join({}, query)), "evil"));
    CHECK(state() == before);
}

TEST_CASE("the database takes no address that no join link may lead to", "[public_api][join]") {
    joining jos;
    CHECK_THROWS_AS(jos.set("interview_slots", "join_url = E'https://slots.example/a\\r\\nSet-Cookie: a=b'"),
                    pg::query_error);
    for (auto const* bad : {"javascript:alert(1)", "http://meet.example/", "https://meet.example/a b", "ftp://x"})
        for (std::string const table :
             {"interview_slots SET join_url", "memberships SET join_url", "organizations SET room_url"})
            CHECK_THROWS_AS(jos.system.change("UPDATE recruiting." + table + " = '" + bad + "{room}'"),
                            pg::query_error);
}

TEST_CASE("the join link of an interviewer ends when the interview is another's or they leave the organization",
          "[public_api][join]") {
    mail_system s;
    s.book(ann, 48, "https://meet.example/first");
    s.send();
    auto const candidates = s.mails_to(ann).at(0).join_token();
    auto const first = s.mails_to(s.interviewer_email).at(0).join_token();
    visitor someone(s.booking);
    auto const status_of = [&](std::string const& token) {
        return someone.get("/interviews/" + token + "/join").status;
    };
    REQUIRE(status_of(first) == 200);

    auto const other = s.booking.add_interviewer();
    auto const slot = s.booking.open_slot(other, 72, "https://meet.example/second");
    s.booking.change("UPDATE recruiting.bookings SET slot_id = '" + to_string(slot) + "'");
    s.send();
    auto const second = s.mails_to("interviewer2@" + s.booking.slug + ".example").at(0).join_token();
    auto const dead = visible(someone.get("/interviews/" + std::string(43, 'A') + "/join"));
    CHECK(visible(someone.get("/interviews/" + first + "/join")) == dead);
    CHECK(status_of(second) == 200);
    CHECK(status_of(candidates) == 200);

    s.booking.change("UPDATE recruiting.memberships SET status = 'removed', removed_at = now() WHERE id = '" +
                     to_string(other) + "'");
    CHECK(visible(someone.get("/interviews/" + second + "/join")) == dead);
    CHECK(status_of(candidates) == 200);
    s.booking.change("UPDATE recruiting.memberships SET status = 'active', removed_at = NULL WHERE id = '" +
                     to_string(other) + "'");
    s.cancel(ann);
    auto const canceled = someone.get("/interviews/" + second + "/join", "Accept-Language: en\r\n");
    CHECK(has(canceled.body, "<h1>Your interview is canceled</h1>"));
}

} // namespace join_test
