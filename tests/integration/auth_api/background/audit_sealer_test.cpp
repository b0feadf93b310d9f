// The sealer against PostgreSQL: nothing is passed over, nothing sealed twice, whatever runs beside it or is killed.
#include "audit/seal_store.hpp"
#include "integration/auth_api/background/audit_harness.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <csignal>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace audit_sealer_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

// What the sealer does, without the election: as if two processes both believed to be elected.
void seal_unelected(std::string const& url, int rows, std::atomic<int>& written, std::atomic<int>& outrun) {
    pg::client client(url, "tests");
    auto const run = [&](pg::statement const& s) { return client.run(s.sql, s.params); };
    while (written < rows) {
        pg::transaction reading(client);
        run(audit::as_sealer());
        auto const state = audit::read_sealer_state(run(audit::elect_sealer()));
        auto const batch = audit::seal_unsealed(run(audit::select_unsealed(state.position, 7)));
        reading.commit();
        if (batch.rows == 0) continue; // sealed meanwhile, or an older transaction is still running
        try {
            pg::transaction writing(client);
            run(audit::as_sealer());
            bool const mine = run(audit::write_seals(batch.sealed, state.position, batch.last)).boolean(0, 0);
            writing.commit();
            (mine ? written : outrun) += batch.rows;
        } catch (pg::query_error const& error) { // an organization's first head was put in by the other
            CHECK(error.sqlstate() == pg::unique_violation);
            ++outrun;
        }
    }
}

} // namespace

TEST_CASE("rows are sealed over several rounds, each organization with its own sequence", "[audit]") {
    audit_log log;
    log.insert(250);
    log.seal_all(40);
    CHECK(log.discrepancies().empty());
    log.insert(50);
    log.insert(50);
    log.seal_all(1);
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == 350);
    CHECK(log.counts.organizations == 3);
    CHECK(log.number("SELECT max(sequence) FROM recruiting.audit_seals") == 117);
    CHECK(log.number("SELECT min(sequence) FROM recruiting.audit_seals") == 1);
}

TEST_CASE("of two sealers one is elected, and the other takes over when it is gone", "[audit]") {
    audit_log log;
    event_loop loop;
    auto first = std::make_unique<running_sealer>(loop, log.database.auth_url(), 10);
    log.insert(100);
    loop.run_until([&] { return log.unsealed() == 0; });
    running_sealer second(loop, log.database.auth_url(), 10);
    log.insert(100);
    loop.run_until([&] { return log.unsealed() == 0; });
    CHECK(second.metrics.render().find("recruiting_audit_rows_sealed_total 0") != std::string::npos);
    first.reset();
    log.insert(100);
    loop.run_until([&] { return log.unsealed() == 0; });
    loop.run_until(
        [&] { return second.metrics.render().find("recruiting_audit_rows_sealed_total 100") != std::string::npos; });
    CHECK(log.discrepancies().empty());
}

TEST_CASE("two sealers that both believe to be elected can't fork a chain", "[audit]") {
    audit_log log;
    for (int i = 0; i < 30; ++i) log.insert(20);
    std::atomic<int> written{0};
    std::atomic<int> outrun{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] { seal_unelected(log.database.auth_url(), 600, written, outrun); });
    for (auto& thread : threads) thread.join();
    CHECK(written == 600);
    CHECK(log.unsealed() == 0);
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == 600);
    INFO("rows that another thread had sealed already: " << outrun);
}

TEST_CASE("a row whose transaction commits late is not passed over", "[audit]") {
    audit_log log;
    event_loop loop;
    running_sealer sealer(loop, log.database.auth_url(), 10);
    log.insert(3);
    loop.run_until([&] { return log.unsealed() == 0; });

    pg::client late(log.database.owner_url(), "tests");
    pg::transaction open(late);
    late.run("INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success) "
             "VALUES ('00000000-0000-0000-0000-00000000000a', now(), $1, 'system', 'late', true)",
             pg::params{}.id(log.organizations[0]));
    log.insert(3); // these have ended, but must wait for the one above
    loop.run_until(
        [&] { return sealer.metrics.render().find("recruiting_audit_unsealed_age_seconds 1") != std::string::npos; });
    CHECK(log.unsealed() == 3);
    open.commit();
    loop.run_until([&] { return log.unsealed() == 0; });
    CHECK(log.discrepancies().empty());
    CHECK(log.number("SELECT sequence FROM recruiting.audit_seals "
                     "WHERE audit_id = '00000000-0000-0000-0000-00000000000a'") == 2);
}

TEST_CASE("connections cut at any instant leave right chains", "[audit]") {
    audit_log log;
    event_loop loop;
    running_sealer sealer(loop, log.database.auth_url(), 3);
    pg::client superuser(log.database.superuser_url(), "tests");
    for (int i = 0; i < 20; ++i) {
        log.insert(30);
        for (int turn = 0; turn < 5 + i; ++turn) loop.context.run_one_for(std::chrono::milliseconds{5});
        superuser.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                      "WHERE application_name = 'auth-api workers' AND datname = current_database()");
    }
    loop.run_until([&] { return log.unsealed() == 0; });
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == 600);
}

TEST_CASE("kill -9 at any instant leaves right chains", "[audit]") {
    audit_log log;
    std::mt19937 random(20260131); // NOLINT: the same instants each run, as far as the machine allows
    for (int i = 0; i < 12; ++i) {
        log.insert(60);
        auto const child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            event_loop loop;
            running_sealer sealer(loop, log.database.auth_url(), 2);
            loop.context.run();
            ::_exit(0);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{10 + random() % 60});
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
    }
    CHECK(log.discrepancies().empty());
    log.seal_all();
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == 720);
}

TEST_CASE("after a restore into a new server sealing goes on", "[audit]") {
    audit_log log;
    log.insert(10);
    log.seal_all();
    // As a dump brings it: transaction numbers that this server has not reached.
    log.tamper("UPDATE recruiting.audit_log SET inserted_xid = '999999999999';"
               "UPDATE recruiting.audit_sealer SET inserted_xid = '999999999999', "
               "audit_id = (SELECT max(id::text)::uuid FROM recruiting.audit_log)");
    log.insert(10);
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.unsealed == 10);
    log.seal_all();
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == 20);
}

} // namespace audit_sealer_test
