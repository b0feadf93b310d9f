// An interviewer's link to decline: what it changes in every state of the interview, and that nothing else opens it.
#include "integration/public_api/visitor.hpp"
#include "support/catch.hpp"

#include <thread>

namespace decline_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr char const* jo = "jo@example.com";

// Jo has an interview in 30 hours with the first interviewer, who is free in 31 hours too.
struct booked {
    explicit booked(std::function<void(public_api::settings&)> const& with = {}) : someone(system, with) {
        interviewer = system.add_interviewer();
        for (int const hours : {30, 31}) slots.push_back(system.open_slot(interviewer, hours));
        system.add_candidate(jo);
        system.ask(jo, 30, "Asia/Kathmandu");
        system.work();
        token = decline_token();
        manage = make_link(system, jo);
    }
    /// A link for the interview's interviewer, as the mailer makes them.
    std::string decline_token(std::string const& valid = "2 days") {
        auto made = to_base64url(random_bytes(32));
        system.change("INSERT INTO recruiting.decline_tokens (hash, organization_id, booking_id, membership_id, "
                      "calendar_uid, starts_at, ends_at, expires_at) SELECT '\\x" +
                      to_hex(bytes_of(sha256(made))) +
                      "', organization_id, id, membership_id, calendar_uid, starts_at, ends_at, now() + interval '" +
                      valid + "' FROM recruiting.bookings");
        return made;
    }
    http_answer shown(std::string const& of) { return someone.get("/interviews/" + of + "/decline"); }
    http_answer shown() { return shown(token); }
    http_answer decline(std::string const& of) {
        return someone.post("/interviews/" + of + "/decline", "", {}, "application/x-www-form-urlencoded");
    }
    http_answer decline() { return decline(token); }
    http_answer change(std::string const& action, std::string const& body = {}) {
        return someone.post("manage/" + manage + "/" + action, body);
    }
    http_answer move(int in_hours) {
        return change("reschedule", R"({"slotStart":")" + format_time(system.at(in_hours)) + "\"}");
    }
    std::string state() {
        return system.value("SELECT status || coalesce(' declined by ' || declined_by, '') FROM recruiting.bookings");
    }
    std::string actions() {
        return system.value("SELECT string_agg(action, ', ' ORDER BY action) FROM audit_rows WHERE action ~ "
                            "'^(booking|slot)'");
    }
    std::string open_slots() {
        return system.value("SELECT count(*) FROM recruiting.interview_slots WHERE closed_at IS NULL");
    }

    booking_system system;
    visitor someone;
    uuid interviewer;
    std::vector<uuid> slots;
    std::string token;
    std::string manage;
};

bool has(std::string const& page, std::string const& text) { return page.find(text) != std::string::npos; }

void check_leads_back(booked const& jos, http_answer const& answer, std::string const& notice = {}) {
    CHECK(answer.status == 303);
    CHECK(answer.header("location") == "/interviews/" + jos.token + "/decline" + notice);
    CHECK(answer.header("cache-control") == "no-store");
    CHECK(answer.header("referrer-policy") == "no-referrer");
}

constexpr char const* form = "<form method=\"post\"";

} // namespace

TEST_CASE("declining frees the time, closes the slot, and notifies both", "[public_api][decline]") {
    booked jos;
    // Another stage's slot that overlaps, and another interviewer's at the same time.
    jos.system.change("INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, "
                      "starts_at, ends_at) SELECT gen_random_uuid(), organization_id, job_id, stage_id, membership_id, "
                      "starts_at + interval '15 minutes', ends_at FROM recruiting.interview_slots WHERE id = '" +
                      to_string(jos.slots[0]) + "'");
    auto const answer = jos.decline();
    check_leads_back(jos, answer);
    CHECK(jos.state() ==
          "unplaced declined by " + jos.system.value("SELECT '" + to_string(jos.interviewer) + "'::uuid::text"));
    CHECK(jos.system.value("SELECT wanted_starts_at FROM recruiting.bookings") ==
          jos.system.value("SELECT starts_at FROM recruiting.interview_slots WHERE id = '" + to_string(jos.slots[0]) +
                           "'"));
    CHECK(jos.open_slots() == "1"); // the one in 31 hours
    CHECK(jos.system.mails() == "candidate confirmed, candidate declined, interviewer confirmed, interviewer declined");
    CHECK(jos.system.value("SELECT count(*) FROM recruiting.mail_outbox WHERE kind = 'declined' AND sequence = 1 AND "
                           "starts_at IS NOT NULL AND membership_id = '" +
                           to_string(jos.interviewer) + "'") == "2");
    CHECK(jos.actions() == "booking.confirmed, booking.declined, slot.closed, slot.closed");
    CHECK(jos.system.value("SELECT DISTINCT request_id FROM audit_rows WHERE action IN ('booking.declined', "
                           "'slot.closed')") == answer.header("x-request-id"));
    // The interviewer's time is free for something else.
    jos.system.open_slot(jos.interviewer, 30);
    CHECK(jos.system.value("SELECT count(*) FROM recruiting.bookings WHERE status = 'confirmed'") == "0");
}

TEST_CASE("a candidate who cancels or asks anew after declining leaves nothing of it", "[public_api][decline]") {
    booked jos;
    jos.decline();
    SECTION("canceled") {
        CHECK(jos.change("cancel").status == 200);
        CHECK(jos.state() == "canceled");
    }
    SECTION("another time by request, which is free") {
        jos.system.ask(jo, 31);
        jos.system.work();
        CHECK(jos.state() == "confirmed");
    }
    SECTION("another time by request, which is taken") {
        jos.system.add_candidate("max@example.com");
        jos.system.ask("max@example.com", 31);
        jos.system.work();
        jos.system.ask(jo, 31);
        jos.system.work();
        CHECK(jos.system.value("SELECT count(*) FROM recruiting.bookings WHERE status = 'unplaced' AND declined_by IS "
                               "NULL") == "1");
    }
}

TEST_CASE("a link is worthless once the interview is no longer what it names", "[public_api][decline]") {
    booked jos;
    auto const unchanged = [&](std::string const& heading) {
        auto const before = jos.system.value("SELECT md5(string_agg(b::text, ',')) FROM recruiting.bookings b");
        auto const slots = jos.open_slots();
        check_leads_back(jos, jos.decline());
        auto const shown = jos.shown();
        CAPTURE(shown.body);
        CHECK(has(shown.body, "<h1>" + heading + "</h1>"));
        CHECK_FALSE(has(shown.body, form));
        CHECK(jos.system.value("SELECT md5(string_agg(b::text, ',')) FROM recruiting.bookings b") == before);
        CHECK(jos.open_slots() == slots);
    };
    SECTION("moved") {
        REQUIRE(jos.move(31).status == 200);
        unchanged("This interview has been moved");
        CHECK(jos.move(30).status == 200); // and back: it is again what the link names
        CHECK(has(jos.shown().body, form));
    }
    SECTION("canceled") {
        REQUIRE(jos.change("cancel").status == 200);
        unchanged("Your interview is canceled");
        REQUIRE(jos.move(30).status == 200); // booked anew at the same time: another event
        unchanged("This interview has been moved");
    }
    SECTION("begun") {
        jos.system.change(
            "UPDATE recruiting.bookings SET starts_at = date_trunc('second', now() - interval '1 minute')");
        jos.system.change(
            "UPDATE recruiting.decline_tokens SET starts_at = (SELECT starts_at FROM recruiting.bookings)");
        unchanged("Your interview has begun");
    }
}

TEST_CASE("unknown, expired, mistyped, somebody else's: one 404", "[public_api][decline]") {
    booked jos;
    auto const expired = jos.decline_token("-1 second");
    auto const unknown = to_base64url(random_bytes(32));
    auto const refused = visible(jos.shown(unknown));
    REQUIRE(has(refused, " 404 "));
    auto const refused_change = visible(jos.decline(unknown));
    REQUIRE(has(refused_change, " 404 "));
    auto const is_dead = [&](std::string const& token) {
        CHECK(visible(jos.shown(token)) == refused);
        CHECK(visible(jos.decline(token)) == refused_change);
    };
    // The candidate's tokens decline nothing, and this one opens nothing else.
    for (auto const& token : {expired, jos.token + "A", jos.manage, join_token_of(jos.manage), std::string(43, '*')})
        is_dead(token);
    CHECK(jos.someone.get("manage/" + jos.token).status == 404);
    CHECK(jos.someone.get("/interviews/" + jos.token + "/join").status == 404);
    // No longer a member.
    auto const be = [&](std::string const& status, std::string const& removed_at) {
        jos.system.change("UPDATE recruiting.memberships SET status = '" + status + "', removed_at = " + removed_at +
                          " WHERE id = '" + to_string(jos.interviewer) + "'");
    };
    be("removed", "now()");
    is_dead(jos.token);
    be("active", "NULL");
    CHECK(has(jos.shown().body, form));
    // Another interviewer has the interview.
    auto const other = jos.system.add_interviewer();
    jos.system.open_slot(other, 32);
    REQUIRE(jos.move(32).status == 200);
    is_dead(jos.token);
    CHECK(jos.state() == "confirmed");
}

TEST_CASE("declining uses up nothing of the candidate's changes, and none of them keeps an interviewer from it",
          "[public_api][decline]") {
    booked jos([](public_api::settings& config) { config.booking.changes_per_hour = 1; });
    REQUIRE(jos.move(31).status == 200);
    jos.token = jos.decline_token();
    REQUIRE(jos.move(30).status == 429);
    check_leads_back(jos, jos.decline());
    CHECK(jos.system.value("SELECT status || changes_in_hour FROM recruiting.bookings") == "unplaced1");
}

TEST_CASE("a declining that is killed before its end leaves nothing behind, and can be repeated",
          "[public_api][decline]") {
    booked jos;
    {
        pg::client killed(jos.system.database.public_url(), "tests");
        killed.run("BEGIN");
        killed.run("SELECT set_config('recruiting.booking_token', $1, true)",
                   pg::params().text(to_hex(bytes_of(sha256(jos.token)))));
        REQUIRE(killed.run("SELECT recruiting.decline_interview()").boolean(0, 0));
        pg::client superuser(jos.system.database.superuser_url(), "tests");
        superuser.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                      "AND usename = 'recruiting_public' AND state = 'idle in transaction'");
    }
    CHECK(jos.state() == "confirmed");
    CHECK(jos.open_slots() == "2");
    CHECK(jos.system.mails() == "candidate confirmed, interviewer confirmed");
    CHECK(jos.actions() == "booking.confirmed");
    check_leads_back(jos, jos.decline());
    CHECK(jos.actions() == "booking.confirmed, booking.declined, slot.closed");
}

TEST_CASE("declining and the candidate's change at once: one of them comes first, whole", "[public_api][decline]") {
    for (bool const moves : {true, false}) {
        for (int i = 0; i < 12; ++i) {
            booked jos;
            visitor interviewers(jos.system);
            auto const pause = std::chrono::milliseconds{i % 4};
            std::thread other([&] {
                std::this_thread::sleep_for(pause);
                interviewers.post("/interviews/" + jos.token + "/decline", "", {}, "application/x-www-form-urlencoded");
            });
            auto const answer = moves ? jos.move(31) : jos.change("cancel");
            other.join();
            CAPTURE(answer.status, jos.state(), jos.actions());
            CHECK(answer.status == 200); // before or after: both are possible
            CHECK(jos.state() == (moves ? "confirmed" : "canceled"));
            bool const was_declined = has(jos.actions(), "booking.declined");
            CHECK(jos.open_slots() == (was_declined ? "1" : "2"));
            auto const mails = jos.system.mails();
            CHECK(has(mails, "interviewer declined") == was_declined);
            CHECK(has(mails, "candidate declined") == was_declined);
            CHECK(has(mails, "interviewer canceled") == (!moves && !was_declined));
            CHECK(has(mails, "interviewer rescheduled") == (moves && !was_declined));
        }
    }
}

TEST_CASE("declining and a claim of an overlapping slot at once: the slot is closed or the claim is refused",
          "[public_api][decline]") {
    for (int i = 0; i < 8; ++i) {
        booked jos;
        jos.system.add_candidate("max@example.com");
        jos.system.ask("max@example.com", 30);
        jos.system.work();
        auto const max = make_link(jos.system, "max@example.com");
        visitor interviewers(jos.system);
        std::thread other([&] {
            interviewers.post("/interviews/" + jos.token + "/decline", "", {}, "application/x-www-form-urlencoded");
        });
        auto const answer = jos.someone.post("manage/" + max + "/reschedule",
                                             R"({"slotStart":")" + format_time(jos.system.at(30)) + "\"}");
        other.join();
        CHECK(answer.status == 409);
        CHECK(has(jos.actions(), "booking.declined"));
        CHECK(jos.system.value("SELECT count(*) FROM recruiting.bookings WHERE status = 'confirmed'") == "0");
    }
}

} // namespace decline_test
