// Booking requests under failures: of their process, of their statements, and of what was true a moment ago.
#include "auth_api/background/booking/store.hpp"
#include "integration/auth_api/background/booking_harness.hpp"
#include "support/catch.hpp"

namespace booking_leases_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;
namespace booking = recruiting::auth_api::booking;

namespace {

// One segment as a transaction of its own, as the pipeline runs it.
std::vector<pg::rows> run(pg::client& database, std::vector<pg::statement> const& segment) {
    pg::transaction all(database);
    std::vector<pg::rows> answer;
    for (auto const& one : segment) answer.push_back(database.run(one));
    all.commit();
    return answer;
}

struct taken_up {
    pg::client worker;
    booking::request asked;

    explicit taken_up(booking_system& s) : worker(s.database.auth_url(), "tests") {
        auto const batch = booking::read_leased(run(worker, booking::lease_requests({})));
        REQUIRE(batch.requests.size() == 1);
        asked = batch.requests[0];
    }
    booking::decision decide() {
        auto const known = booking::read_facts(run(worker, booking::select_facts(asked)));
        REQUIRE(known);
        return booking::decide(asked, *known, 10min);
    }
    bool write(booking::decision const& what) {
        return booking::read_written(run(worker, booking::write_decision(asked, what, {})));
    }
};

constexpr auto bookings = "SELECT count(*) FROM recruiting.bookings";

} // namespace

TEST_CASE("a request whose worker died is taken up when its lease has run out, not before", "[booking_worker]") {
    booking_system s;
    s.open_slot(s.add_interviewer(), 48);
    s.add_candidate("ann@mail.example");
    s.ask("ann@mail.example", 48);
    taken_up died(s);
    pg::client other(s.database.auth_url(), "tests");
    CHECK(booking::read_leased(run(other, booking::lease_requests({}))).size() == 0);
    s.change("UPDATE recruiting.booking_requests SET leased_until = now()");
    s.work();
    CHECK(s.value(bookings) == "1");
    CHECK(booking::read_facts(run(died.worker, booking::select_facts(died.asked))) == std::nullopt);
}

TEST_CASE("a lease that the server gave before its clock was set back holds nothing up", "[booking_worker]") {
    booking_system s;
    s.open_slot(s.add_interviewer(), 48);
    s.add_candidate("ann@mail.example");
    s.ask("ann@mail.example", 48);
    taken_up died(s);
    s.change("UPDATE recruiting.booking_requests SET leased_until = now() + interval '58 minutes'");
    s.work();
    CHECK(s.value(bookings) == "1");
    CHECK(booking::read_facts(run(died.worker, booking::select_facts(died.asked))) == std::nullopt);
}

TEST_CASE("a worker that comes back after its lease writes nothing", "[booking_worker]") {
    booking_system s;
    s.open_slot(s.add_interviewer(), 48);
    s.add_candidate("ann@mail.example");
    s.ask("ann@mail.example", 48);
    taken_up late(s);
    auto const what = late.decide();
    REQUIRE(what.act == booking::act::confirm);
    s.change("UPDATE recruiting.booking_requests SET leased_until = now()");
    taken_up quick(s);
    CHECK_FALSE(late.write(what));
    CHECK(s.value(bookings) == "0");
    CHECK(s.waiting() == "1");
    CHECK(quick.write(quick.decide()));
    CHECK_FALSE(late.write(what));
    CHECK_FALSE(quick.write(what));
    CHECK(s.value(bookings) == "1");
    CHECK(s.mails() == "candidate confirmed, interviewer confirmed");
}

TEST_CASE("a booking that changed after it was looked at is looked at again", "[booking_worker]") {
    booking_system s;
    auto const interviewer = s.add_interviewer();
    s.open_slot(interviewer, 48);
    s.open_slot(interviewer, 72);
    s.add_candidate("ann@mail.example");
    s.ask("ann@mail.example", 48);
    s.work();
    s.ask("ann@mail.example", 72);
    taken_up asked(s);
    auto const reminder = asked.decide();
    REQUIRE(reminder.act == booking::act::remind);
    s.change("UPDATE recruiting.bookings SET status = 'canceled'"); // by the link, meanwhile
    CHECK_FALSE(asked.write(reminder));
    CHECK(s.waiting() == "1");
    auto const again = asked.decide();
    CHECK(again.act == booking::act::confirm);
    CHECK(asked.write(again));
    CHECK(s.value("SELECT count(*) FROM recruiting.mail_outbox WHERE kind = 'already_booked'") == "0");
}

TEST_CASE("a slot taken or closed after it was looked at is a violation, and nothing is written", "[booking_worker]") {
    booking_system s;
    s.open_slot(s.add_interviewer(), 48);
    s.add_candidate("ann@mail.example");
    s.ask("ann@mail.example", 48);
    taken_up asked(s);
    auto const what = asked.decide();
    REQUIRE(what.act == booking::act::confirm);
    std::string state, constraint;
    auto const try_writing = [&] {
        try {
            static_cast<void>(asked.write(what));
        } catch (pg::query_error const& error) {
            state = error.sqlstate();
            constraint = error.constraint();
        }
    };
    SECTION("closed") {
        s.change("UPDATE recruiting.interview_slots SET closed_at = now()");
        try_writing();
        CHECK(state == pg::check_violation);
        CHECK(constraint == "bookings_slot_open");
    }
    SECTION("taken") {
        s.add_candidate("bob@mail.example");
        s.ask("bob@mail.example", 48);
        taken_up quicker(s);
        CHECK(quicker.write(quicker.decide()));
        try_writing();
        CHECK(state == pg::exclusion_violation);
        CHECK(constraint == "bookings_one_at_a_time");
    }
    CHECK(s.waiting() == "1");
    s.change("UPDATE recruiting.booking_requests SET leased_until = now()");
    s.work();
    CHECK(s.value("SELECT count(*) FROM recruiting.bookings WHERE status = 'unplaced'") == "1");
}

TEST_CASE("a request that always fails blocks no other, and is set aside in the end", "[booking_worker]") {
    booking_system s;
    auto const interviewer = s.add_interviewer();
    for (int const hours : {24, 48, 72}) s.open_slot(interviewer, hours);
    s.add_candidate("poison@mail.example");
    s.add_candidate("ann@mail.example");
    s.change("CREATE FUNCTION public.poisonous() RETURNS trigger LANGUAGE plpgsql AS "
             "$$ BEGIN RAISE 'poison' USING ERRCODE = 'XX001'; END $$; "
             "CREATE TRIGGER aa_poison BEFORE INSERT ON recruiting.bookings FOR EACH ROW WHEN (NEW.candidate_id = '" +
             s.value("SELECT id FROM recruiting.candidates WHERE email LIKE 'poison%'") +
             "') EXECUTE FUNCTION public.poisonous()");
    s.ask("poison@mail.example", 24);
    s.ask("ann@mail.example", 48);
    booking::booking_settings settings;
    settings.interval = 20ms;
    settings.lease = 300ms;
    settings.attempts = 3;
    settings.batch = 1;
    event_loop loop;
    running_booking_worker worker(loop, s.database.auth_url(), settings);
    auto const tells = [&](std::string const& line) { return worker.metrics.render().find(line) != std::string::npos; };
    loop.run_until([&] { return tells("recruiting_booking_requests_dead_lettered_total 1"); });
    loop.run_until([&] { return tells("outcome=\"confirmed\"} 1"); });
    CHECK(tells("recruiting_booking_failures_total 3"));
    CHECK(s.value(bookings) == "1");
    CHECK(s.value("SELECT email || ' ' || leased_until FROM recruiting.booking_requests") ==
          "poison@mail.example infinity");
}

TEST_CASE("a booking held by its link's holder delays that request alone", "[booking_worker]") {
    booking_system s;
    auto const interviewer = s.add_interviewer();
    s.open_slot(interviewer, 48);
    s.open_slot(interviewer, 72);
    s.add_candidate("ann@mail.example");
    s.add_candidate("bob@mail.example");
    s.ask("ann@mail.example", 48);
    s.work();
    s.ask("ann@mail.example", 72);
    s.ask("bob@mail.example", 72);
    booking::booking_settings settings;
    settings.interval = 20ms;
    settings.lease = 200ms;
    pg::client holder(s.database.owner_url(), "tests");
    event_loop loop;
    {
        pg::transaction holding(holder);
        holder.run("SELECT FROM recruiting.bookings FOR UPDATE");
        running_booking_worker worker(loop, s.database.auth_url(), settings);
        loop.run_until([&] { return s.value(bookings) == "2"; });
        CHECK(s.waiting() == "1");
    }
    s.change("UPDATE recruiting.booking_requests SET leased_until = now()");
    s.work();
    CHECK(s.value("SELECT count(*) FROM recruiting.mail_outbox WHERE kind = 'already_booked'") == "1");
}

} // namespace booking_leases_test
