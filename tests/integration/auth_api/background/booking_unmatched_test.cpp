// Booking requests that matched nobody, as the worker keeps them for recruiters: bounded, and for nobody else.
#include "auth_api/background/booking/store.hpp"
#include "integration/auth_api/background/booking_harness.hpp"
#include "pg/error.hpp"
#include "support/catch.hpp"

namespace booking_unmatched_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

std::string kept(booking_system& s) {
    return s.value("SELECT coalesce(string_agg(email || ' ' || requests, ', ' ORDER BY email), '') FROM "
                   "recruiting.unmatched_booking_requests");
}

} // namespace

TEST_CASE("a request that matched nobody is kept, once an address and stage, with how often it came",
          "[booking_worker]") {
    booking_system s;
    s.open_slot(s.add_interviewer(), 48);
    s.open_slot(s.add_interviewer(), 72);
    s.add_candidate("ann@mail.example");
    s.ask("ann@mail.example", 48);
    s.ask("Ann@mail.exmaple", 48, "Europe/Berlin");
    s.work();
    s.ask("ann@mail.exmaple", 72);
    s.ask("bob@mail.example", 72);
    s.work();
    CHECK(kept(s) == "ann@mail.exmaple 2, bob@mail.example 1");
    CHECK(
        s.value(
            "SELECT bool_and(starts_at = (SELECT max(starts_at) FROM recruiting.interview_slots) AND time_zone IS NULL "
            "AND job_id = (SELECT id FROM recruiting.jobs) AND stage_id = (SELECT id FROM recruiting.stages) AND "
            "first_received_at <= last_received_at) FROM recruiting.unmatched_booking_requests") == "true");
    CHECK(s.value("SELECT count(*) FROM recruiting.bookings") == "1"); // matched requests go as before
    CHECK(s.mails() == "candidate confirmed, interviewer confirmed");  // and strangers get no mail
    CHECK(s.value("SELECT count(*) FROM audit_rows WHERE action LIKE 'booking.%'") == "1");
}

TEST_CASE("of an organization the newest are kept, also while two workers write them", "[booking_worker]") {
    booking_system s;
    s.open_slot(s.add_interviewer(), 48);
    auth_api::booking::booking_settings settings;
    settings.most_unmatched = 3;
    for (int i = 0; i < 5; ++i) {
        s.ask("person" + std::to_string(i) + "@mail.example", 48);
        s.work(settings);
    }
    CHECK(kept(s) == "person2@mail.example 1, person3@mail.example 1, person4@mail.example 1");
    s.ask("person2@mail.example", 48);
    s.work(settings);
    s.ask("person5@mail.example", 48);
    s.work(settings);
    CHECK(kept(s) == "person2@mail.example 2, person4@mail.example 1, person5@mail.example 1");
    for (int i = 0; i < 40; ++i) s.ask("flood" + std::to_string(i % 20) + "@mail.example", 48);
    s.work(settings, 2);
    CHECK(s.value("SELECT count(*) FROM recruiting.unmatched_booking_requests") == "3");
    CHECK(s.waiting() == "0");
    settings.most_unmatched = 0;
    s.change("DELETE FROM recruiting.unmatched_booking_requests");
    s.ask("person6@mail.example", 48);
    s.work(settings);
    CHECK(kept(s).empty());
}

TEST_CASE("what matched nobody is deleted when its retention is over", "[booking_worker]") {
    booking_system s;
    s.open_slot(s.add_interviewer(), 48);
    for (auto const* email : {"old@mail.example", "new@mail.example"}) s.ask(email, 48);
    s.work();
    s.change("UPDATE recruiting.unmatched_booking_requests SET last_received_at = now() - interval '31 days' "
             "WHERE email LIKE 'old%'");
    delete_expired_until(s.database, [&] { return kept(s) == "new@mail.example 1"; });
}

TEST_CASE("recruiting_public learns nothing of what matched", "[booking_worker]") {
    booking_system s;
    pg::client visitor(s.database.public_url(), "tests");
    for (auto const* sql :
         {"SELECT FROM recruiting.unmatched_booking_requests", "DELETE FROM recruiting.unmatched_booking_requests",
          "SELECT recruiting.interview_times(gen_random_uuid(), now(), now())",
          "SELECT recruiting.interviewer_times(gen_random_uuid(), now(), now())",
          "SELECT recruiting.change_stage_booking(gen_random_uuid(), true, 30)"}) {
        INFO(sql);
        CHECK_THROWS_AS(visitor.run(sql), pg::query_error);
    }
}

} // namespace booking_unmatched_test
