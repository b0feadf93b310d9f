// What is deleted by age, in one table of statements (background/retention/retention.cpp).
#include "integration/auth_api/background/booking_harness.hpp"
#include "integration/auth_api/console/changes.hpp"
#include "integration/support/planner.hpp"
#include "support/catch.hpp"

namespace expired_records_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr std::chrono::hours month{30 * 24};

} // namespace

TEST_CASE("what has expired is found by index, however much there is", "[plans][retention]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    for (auto const& one : auth_api::expired_records_of({month, month, month})) {
        INFO(one.kind);
        plans.set("worker", one.worker);
        check_plan(plans, auth_api::delete_batch(one), order::from_index);
    }
}

TEST_CASE("sessions of the console, sign-in links and counts are deleted when they have expired", "[console]") {
    test_database database;
    console_changes people(database);
    auto const ended = people.join("ended", role::recruiter);
    people.owner.run("UPDATE recruiting.console_sessions SET idle_expires_at = now() WHERE hash = $1",
                     pg::params{}.bytes(bytes_of(ended)));
    people.owner.script("INSERT INTO recruiting.sign_in_counts (subject, hour, requests) "
                        "SELECT sha256(convert_to(h::text, 'UTF8')), date_bin('1 hour', now() - h * interval '1 hour', "
                        "'epoch'::timestamptz), 1 FROM generate_series(0, 9) h");
    people.owner.script("INSERT INTO recruiting.sign_in_tokens (hash, user_id, email_key, expires_at) "
                        "SELECT sha256(convert_to(n::text, 'UTF8')), id, email_key, now() + n * interval '1 hour' "
                        "FROM recruiting.users, generate_series(-1, 1, 2) n WHERE email_key LIKE 'admin@%'");
    delete_expired_until(database, [&] {
        auto const left = people.owner.run("SELECT (SELECT count(*) FROM recruiting.console_sessions) || ' ' || "
                                           "(SELECT count(*) FROM recruiting.sign_in_tokens) || ' ' || "
                                           "(SELECT count(*) <= 3 FROM recruiting.sign_in_counts)");
        return left.text(0, 0) == "1 1 true";
    });
}

TEST_CASE("a statement that PostgreSQL refuses keeps no other from being run", "[retention]") {
    booking_system s;
    s.open_slot(s.add_interviewer(), 48);
    s.ask("old@mail.example", 48);
    s.work();
    s.change("UPDATE recruiting.unmatched_booking_requests SET last_received_at = now() - interval '31 days'");
    event_loop loop;
    pg::pipeline connection(loop.context, loop.clock, workers_connection(s.database.auth_url()));
    std::chrono::milliseconds const refused{1}; // below the floor of agent sessions, which come first
    auto const running = auth_api::start_retention(loop.context, connection, {refused, month, month});
    loop.run_until([&] { return s.value("SELECT count(*) FROM recruiting.unmatched_booking_requests") == "0"; });
}

} // namespace expired_records_test
