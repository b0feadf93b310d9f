// The booking worker against PostgreSQL (proto-docs/booking.md): match, claim and mails in one transaction, whatever
// else happens meanwhile.
#include "integration/auth_api/background/booking_harness.hpp"
#include "support/catch.hpp"

namespace booking_worker_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

constexpr auto confirmation = "candidate confirmed, interviewer confirmed";

std::string only_booking(booking_system& s, std::string const& column) {
    return s.value("SELECT " + column + " FROM recruiting.bookings");
}

} // namespace

TEST_CASE("a matched candidate's request becomes a booking with its mails, audit row and usage", "[booking_worker]") {
    booking_system s;
    auto const interviewer = s.add_interviewer();
    auto const slot = s.open_slot(interviewer, 48);
    auto const application = s.add_candidate("Ann@Mail.example");
    s.ask("ann@mail.EXAMPLE", 48, "America/New_York");
    s.work();
    CHECK(only_booking(s, "status") == "confirmed");
    CHECK(only_booking(s, "slot_id") == to_dashed_string(slot));
    CHECK(only_booking(s, "application_id") == to_dashed_string(application));
    CHECK(only_booking(s, "membership_id") == to_dashed_string(interviewer));
    CHECK(only_booking(s, "time_zone") == "America/New_York");
    CHECK(s.mails() == confirmation);
    CHECK(s.value("SELECT count(*) FROM recruiting.usage_records u JOIN recruiting.bookings b ON b.id = u.subject_id "
                  "WHERE u.kind = 'booking'") == "1");
    CHECK(s.value("SELECT string_agg(l.action || ' ' || l.target_type || ' ' || l.actor_type || ' ' || l.success, ',') "
                  "FROM audit_rows l JOIN recruiting.bookings b ON l.target_id = replace(b.id::text, '-', '')") ==
          "booking.confirmed booking system true");
}

TEST_CASE("the form that a browser sends matches, and a look-alike matches nobody", "[booking_worker]") {
    booking_system s;
    s.open_slot(s.add_interviewer(), 48);
    s.add_candidate("Kim@köln.example");
    s.add_candidate("ceo@minerva.example");
    for (auto const* other : {"ceo@mİnerva.example", "ceo@mınerva.example", "cеo@minerva.example"}) s.ask(other, 48);
    s.work();
    CHECK(s.mails().empty());
    s.ask("kim@xn--kln-sna.example", 48);
    s.work();
    CHECK(only_booking(s, "status") == "confirmed");
    CHECK(s.value("SELECT c.email FROM recruiting.bookings b JOIN recruiting.candidates c ON c.id = b.candidate_id") ==
          "Kim@köln.example");
}

TEST_CASE("who has no active application on that stage leaves nothing behind", "[booking_worker]") {
    booking_system s;
    s.open_slot(s.add_interviewer(), 48);
    s.add_candidate("rejected@mail.example");
    s.change("UPDATE recruiting.applications SET status = 'rejected'");
    s.add_candidate("withdrawn@mail.example");
    s.change("UPDATE recruiting.applications SET deleted_at = now() WHERE status = 'active'");
    s.add_candidate("erased@mail.example");
    s.change("UPDATE recruiting.candidates SET deleted_at = now() WHERE email = 'erased@mail.example'");
    s.add_candidate("elsewhere@mail.example");
    s.change("INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position) "
             "SELECT gen_random_uuid(), organization_id, job_id, 'Other', 'screen', 2 FROM recruiting.stages; "
             "UPDATE recruiting.applications SET stage_id = (SELECT id FROM recruiting.stages WHERE name = 'Other') "
             "WHERE candidate_id = (SELECT id FROM recruiting.candidates WHERE email = 'elsewhere@mail.example')");
    for (auto const* who : {"rejected", "withdrawn", "erased", "elsewhere", "nobody"})
        s.ask(std::string(who) + "@mail.example", 48);
    s.work();
    CHECK(s.value("SELECT count(*) FROM recruiting.bookings") == "0");
    CHECK(s.mails().empty());
    CHECK(s.value("SELECT count(*) FROM audit_rows WHERE action LIKE 'booking%'") == "0");
}

TEST_CASE("interviewers share the load, two of them take two candidates at one time", "[booking_worker]") {
    booking_system s;
    auto const busy = s.add_interviewer();
    auto const idle = s.add_interviewer();
    s.open_slot(busy, 24);
    s.open_slot(busy, 48);
    s.open_slot(idle, 48);
    for (auto const* who : {"a", "b", "c"}) s.add_candidate(std::string(who) + "@mail.example");
    s.ask("a@mail.example", 24);
    s.work();
    s.ask("b@mail.example", 48);
    s.work();
    CHECK(s.value("SELECT membership_id FROM recruiting.bookings ORDER BY created_at DESC LIMIT 1") ==
          to_dashed_string(idle));
    s.ask("c@mail.example", 48);
    s.work();
    CHECK(s.value("SELECT membership_id FROM recruiting.bookings ORDER BY created_at DESC LIMIT 1") ==
          to_dashed_string(busy));
    CHECK(s.value("SELECT count(*) FROM recruiting.bookings WHERE status = 'confirmed'") == "3");
}

TEST_CASE("a time that has passed, was closed, or whose interviewer left: the candidate gets a link to pick another",
          "[booking_worker]") {
    booking_system s;
    s.add_candidate("ann@mail.example");
    SECTION("passed") {
        s.open_slot(s.add_interviewer(), -1);
        s.ask("ann@mail.example", -1);
    }
    SECTION("closed") {
        s.open_slot(s.add_interviewer(), 48);
        s.ask("ann@mail.example", 48);
        s.change("UPDATE recruiting.interview_slots SET closed_at = now()");
    }
    SECTION("left") {
        auto const interviewer = s.add_interviewer();
        s.open_slot(interviewer, 48);
        s.ask("ann@mail.example", 48);
        s.change("UPDATE recruiting.memberships SET status = 'removed', removed_at = now() WHERE id = '" +
                 to_dashed_string(interviewer) + "'");
    }
    s.work();
    CHECK(only_booking(s, "status") == "unplaced");
    CHECK(only_booking(s, "wanted_starts_at IS NOT NULL AND slot_id IS NULL AND starts_at IS NULL") == "true");
    CHECK(only_booking(s, "time_zone") == "Europe/Berlin");
    CHECK(s.mails() == "candidate slot_taken");
    CHECK(s.value("SELECT string_agg(action, ',') FROM audit_rows WHERE target_type = 'booking'") ==
          "booking.slot_taken");
    CHECK(s.value("SELECT count(*) FROM recruiting.usage_records") == "0");
}

TEST_CASE("asked again: nothing within minutes, a reminder later, and never a move", "[booking_worker]") {
    booking_system s;
    auto const interviewer = s.add_interviewer();
    s.open_slot(interviewer, 48);
    s.open_slot(interviewer, 72);
    s.add_candidate("ann@mail.example");
    for (int i = 0; i < 3; ++i) s.ask("ann@mail.example", 48);
    s.work();
    CHECK(s.mails() == confirmation);
    s.ask("ann@mail.example", 72);
    s.work();
    CHECK(s.mails() == "candidate already_booked, " + std::string(confirmation));
    auth_api::booking::booking_settings forgetful;
    forgetful.repeat_window = 0ms;
    s.ask("ann@mail.example", 48);
    s.work(forgetful);
    CHECK(s.mails() == "candidate already_booked, candidate already_booked, " + std::string(confirmation));
    CHECK(only_booking(s, "sequence || ' ' || (starts_at = now() OR status = 'confirmed')") == "0 true");
    CHECK(s.value("SELECT count(*) FROM recruiting.usage_records") == "1");
    CHECK(s.value("SELECT starts_at FROM recruiting.bookings") ==
          s.value("SELECT min(starts_at) FROM recruiting.interview_slots"));
}

TEST_CASE("who lost a race and asks again much later gets the link again, who canceled may book again",
          "[booking_worker]") {
    booking_system s;
    auto const slot = s.open_slot(s.add_interviewer(), 48);
    s.add_candidate("ann@mail.example");
    s.change("UPDATE recruiting.interview_slots SET closed_at = NULL");
    s.ask("ann@mail.example", 48);
    s.ask("ann@mail.example", 48);
    s.change("UPDATE recruiting.interview_slots SET closed_at = now()");
    s.work();
    CHECK(s.mails() == "candidate slot_taken");
    s.change("UPDATE recruiting.interview_slots SET closed_at = NULL");
    s.ask("ann@mail.example", 48);
    s.change("UPDATE recruiting.interview_slots SET closed_at = now()");
    auth_api::booking::booking_settings forgetful;
    forgetful.repeat_window = 0ms;
    s.work(forgetful);
    CHECK(s.mails() == "candidate slot_taken, candidate slot_taken");
    s.change("UPDATE recruiting.interview_slots SET closed_at = NULL");
    s.ask("ann@mail.example", 48);
    s.work();
    auto const first_event = only_booking(s, "calendar_uid");
    s.change("UPDATE recruiting.bookings SET status = 'canceled'");
    s.ask("ann@mail.example", 48);
    s.work();
    CHECK(only_booking(s, "status || ' ' || slot_id") == "confirmed " + to_dashed_string(slot));
    CHECK(only_booking(s, "calendar_uid") != first_event);                  // another event in calendars
    CHECK(s.value("SELECT count(*) FROM recruiting.usage_records") == "1"); // on the same day
}

TEST_CASE("requests beyond the larger limit over all networks are taken up last and repeat no mail",
          "[booking_worker]") {
    booking_system s;
    auto const interviewer = s.add_interviewer();
    for (int const hours : {48, 72}) s.open_slot(interviewer, hours);
    for (auto const* email : {"ann@mail.example", "bob@mail.example"}) s.add_candidate(email);
    for (int i = 0; i < 20; ++i) s.ask("ann@mail.example", 48);
    s.change("UPDATE recruiting.booking_requests SET excess = true");
    s.ask("bob@mail.example", 48); // later, and served first
    s.work();
    CHECK(s.value("SELECT c.email || ' ' || b.status FROM recruiting.bookings b JOIN recruiting.candidates c ON c.id = "
                  "b.candidate_id WHERE b.status = 'confirmed'") == "bob@mail.example confirmed");
    CHECK(s.mails() == "candidate confirmed, candidate slot_taken, interviewer confirmed");
    auto const ask_in_excess = [&](int hours) {
        s.ask("ann@mail.example", hours);
        s.change("UPDATE recruiting.booking_requests SET excess = true");
        s.work();
    };
    for (int i = 0; i < 5; ++i) ask_in_excess(72); // ann still gets the time that is free
    CHECK(s.mails() == "candidate confirmed, candidate confirmed, candidate slot_taken, interviewer confirmed, "
                       "interviewer confirmed");
    ask_in_excess(48);
    CHECK(s.value("SELECT count(*) FROM recruiting.mail_outbox") == "5");
    CHECK(s.value("SELECT count(*) FROM audit_rows WHERE action LIKE 'booking.%'") == "3");
}

TEST_CASE("an interview meets where its slot says, else in a room of its own", "[booking_worker]") {
    booking_system s;
    auto const interviewer = s.add_interviewer();
    s.open_slot(interviewer, 24, "https://rooms.example/fixed");
    s.open_slot(interviewer, 48);
    s.open_slot(interviewer, 72);
    auth_api::booking::booking_settings settings;
    settings.room_url = "https://meet.example/{room}";
    for (int const hours : {24, 48, 72}) {
        auto const email = std::to_string(hours) + "@mail.example";
        s.add_candidate(email);
        s.ask(email, hours);
    }
    s.work(settings);
    CHECK(s.value("SELECT w.url FROM recruiting.meetings w JOIN recruiting.bookings b ON b.id = w.booking_id "
                  "ORDER BY b.starts_at LIMIT 1") == "https://rooms.example/fixed");
    CHECK(s.value("SELECT count(DISTINCT url) FROM recruiting.meetings "
                  "WHERE url ~ '^https://meet.example/[0-9a-f]{32}$'") == "2");
}

TEST_CASE("a link that places or moves an interview finds a room for it", "[booking_worker]") {
    booking_system s;
    auto const interviewer = s.add_interviewer();
    auto const fixed = s.open_slot(interviewer, 24, "https://rooms.example/fixed");
    auto const bare = s.open_slot(interviewer, 48);
    auto const other = s.open_slot(interviewer, 72);
    auth_api::booking::booking_settings settings;
    settings.room_url = "https://meet.example/{room}";
    for (auto const* email : {"first@mail.example", "late@mail.example"}) {
        s.add_candidate(email);
        s.ask(email, 24);
        s.work(settings);
    }
    auto const place = [&](std::string const& status, uuid const& slot) {
        s.change("UPDATE recruiting.bookings SET status = 'confirmed', slot_id = '" + to_string(slot) +
                 "' WHERE status = '" + status + "' AND slot_id IS DISTINCT FROM '" + to_string(other) + "'");
    };
    place("unplaced", other);
    place("confirmed", bare);
    CHECK(s.value("SELECT count(DISTINCT url) FROM recruiting.meetings "
                  "WHERE url ~ '^https://meet.example/[0-9a-f]{32}$'") == "2");
    CHECK(s.value("SELECT count(*) FROM recruiting.bookings WHERE slot_id = '" + to_string(fixed) + "'") == "0");
}

} // namespace booking_worker_test
