// Sessions of the agent are kept for a time after their last run; then they are deleted with their runs, messages and
// Idempotency-Keys.
#include "integration/auth_api/agent/system.hpp"
#include "integration/auth_api/background/audit_harness.hpp"
#include "support/catch.hpp"

#include <future>

namespace retention_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

// As if what has happened in this session had happened so long ago.
void age(agent_system& system, std::string const& session_id, std::string const& by) {
    auto& owner = system.database.owner();
    owner.script("ALTER TABLE recruiting.agent_sessions DISABLE TRIGGER USER");
    owner.run("UPDATE recruiting.agent_sessions SET created_at = created_at - $2::interval, "
              "updated_at = updated_at - $2::interval, last_run_at = last_run_at - $2::interval WHERE id = $1::uuid",
              pg::params{}.text(session_id).text(by));
    owner.script("ALTER TABLE recruiting.agent_sessions ENABLE TRIGGER USER");
    owner.run("UPDATE recruiting.agent_runs SET started_at = started_at - $2::interval, "
              "finished_at = finished_at - $2::interval WHERE session_id = $1::uuid",
              pg::params{}.text(session_id).text(by));
}

std::int64_t drop(agent_system& system, std::string const& older_than, std::int64_t most = 100) {
    pg::client services(system.database.auth_url(), "tests");
    return services
        .run("SELECT recruiting.drop_agent_sessions($1::interval, $2::bigint)",
             pg::params{}.text(older_than).integer(most))
        .integer(0, 0);
}

std::string rows(agent_system& system) {
    return system.value("SELECT (SELECT count(*) FROM recruiting.agent_sessions) || ' ' || "
                        "(SELECT count(*) FROM recruiting.agent_runs) || ' ' || "
                        "(SELECT count(*) > 0 FROM recruiting.agent_messages)");
}

} // namespace

TEST_CASE("with a run its Idempotency-Key ends: the same request runs anew", "[agent][retention]") {
    agent_system system;
    auto const first = system.invoke(*system.first, "How many open jobs are there?", "one");
    REQUIRE(first.state == "completed");
    age(system, first.session_id, "31 days");
    CHECK(system.invoke(*system.first, "How many open jobs are there?", "one").replay);
    delete_expired_until(system.database, [&] { return rows(system) == "0 0 false"; });
    auto const again = system.invoke(*system.first, "How many open jobs are there?", "one");
    CHECK_FALSE(again.replay);
    CHECK(again.state == "completed");
    CHECK(again.session_id != first.session_id);
    CHECK(system.session(*system.first, first.session_id).status == 404);
    // What was used is billed all the same, and what was done stays in the audit log.
    CHECK(system.value("SELECT count(*) FROM recruiting.usage_records WHERE kind = 'agent_run'") == "2");
    CHECK(system.value("SELECT count(*) > 1 FROM audit_rows WHERE action = 'agent.run_completed'") == "true");
}

TEST_CASE("a session is kept whole while it is used, and while a run goes on", "[agent][retention]") {
    agent_system system;
    auto const kept = system.invoke(*system.first, "Hello", "one");
    age(system, kept.session_id, "300 days"); // the instances of the test keep 400
    REQUIRE(system.resume(kept.session_id, "And now?").state == "completed");
    CHECK(drop(system, "30 days") == 0);
    CHECK(rows(system) == "1 2 true");
    CHECK(system.invoke(*system.first, "Hello", "one").replay); // its first run too

    age(system, kept.session_id, "60 days");
    {
        held_model model(system.model);
        auto running = std::async(std::launch::async, [&] { return system.resume(kept.session_id, "Once more"); });
        REQUIRE(eventually([&] {
            return system.value("SELECT count(*) FROM recruiting.agent_runs WHERE status = 'in_progress'") == "1";
        }));
        CHECK(drop(system, "30 days") == 0);
        model.release();
        CHECK(running.get().state == "completed");
    }
    age(system, kept.session_id, "31 days");
    CHECK(drop(system, "30 days") == 1);
    CHECK(rows(system) == "0 0 false");
    CHECK(system.resume(kept.session_id, "Still there?").status == 404);
}

TEST_CASE("sessions past retention are deleted in batches, whatever their organization", "[agent][retention]") {
    agent_system system;
    for (int i = 0; i < 5; ++i) {
        auto const one = system.invoke(*system.first, "Hello", "key " + std::to_string(i));
        if (i < 4) age(system, one.session_id, "31 days");
    }
    CHECK(drop(system, "30 days", 3) == 3);
    CHECK(drop(system, "30 days", 3) == 1);
    CHECK(drop(system, "30 days", 3) == 0);
    CHECK(rows(system) == "1 1 true");
}

TEST_CASE("an auth-api that was taken over deletes no session of today", "[agent][retention][roles]") {
    agent_system system;
    REQUIRE(system.invoke(*system.first, "Hello").state == "completed");
    for (auto const* const interval :
         {"0 seconds", "23 hours", "1 day", "29 days", "-1 day", "-2400 months 72001 days"}) {
        CAPTURE(interval);
        CHECK_THROWS_AS(drop(system, interval), pg::query_error);
    }
    pg::client services(system.database.auth_url(), "tests");
    for (auto const* const table : {"agent_messages", "agent_runs", "agent_sessions"})
        CHECK_THROWS_AS(services.run("DELETE FROM recruiting." + std::string(table)), pg::query_error);
    CHECK(rows(system) == "1 1 true");
}

TEST_CASE("retention of sessions looks at no organization", "[agent][retention]") {
    agent_system system;
    auto const old = system.invoke(*system.first, "Hello", "one");
    age(system, old.session_id, "31 days");
    pg::client superuser(system.database.superuser_url(), "tests");
    pg::transaction const whole(superuser);
    CHECK(superuser.run("SELECT recruiting.drop_agent_sessions('30 days', 100)").integer(0, 0) == 1);
    auto const scans = superuser.run(
        "SELECT sum(pg_stat_get_xact_numscans(c.oid))::bigint FROM pg_class c "
        "WHERE c.oid = 'recruiting.organizations'::regclass "
        "OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'recruiting.organizations'::regclass)");
    CHECK(scans.integer(0, 0) == 0);
}

} // namespace retention_test
