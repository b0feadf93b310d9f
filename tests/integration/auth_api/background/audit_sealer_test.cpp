// The sealer against PostgreSQL: nothing is passed over, nothing sealed twice, whatever runs beside it or is killed.
#include "audit/event_store.hpp"
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

std::optional<std::int64_t> seal(pg::client& client, std::int64_t most) {
    auto const statement = audit::seal_rows(most);
    return audit::read_sealed(client.run(statement));
}

constexpr auto one_row =
    "INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success) "
    "VALUES ('00000000-0000-0000-0000-00000000000a', now(), $1, 'system', 'late', true)";

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
    CHECK(log.number("SELECT max(sequence) FROM recruiting.audit_log") == 117);
    CHECK(log.number("SELECT min(sequence) FROM recruiting.audit_log") == 1);
}

TEST_CASE("of two instances either seals, and one goes on when the other is gone", "[audit]") {
    audit_log log;
    event_loop loop;
    auto first = std::make_unique<running_sealer>(loop, log.database.auth_url(), 10);
    running_sealer const second(loop, log.database.auth_url(), 10);
    log.insert(100);
    loop.run_until([&] { return log.unsealed() == 0; });
    first.reset();
    log.insert(100);
    loop.run_until([&] { return log.unsealed() == 0; });
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == 200);
}

TEST_CASE("many that seal at once can't fork a chain", "[audit]") {
    audit_log log;
    for (int i = 0; i < 30; ++i) log.insert(20);
    std::atomic<std::int64_t> sealed{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] {
            pg::client client(log.database.auth_url(), "tests");
            while (sealed < 600) sealed += seal(client, 7).value_or(0);
        });
    for (auto& thread : threads) thread.join();
    CHECK(sealed == 600);
    CHECK(log.unsealed() == 0);
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == 600);
}

TEST_CASE("who seals waits for another one, and gives up in time", "[audit]") {
    audit_log log;
    log.insert(3);
    pg::client holder(log.database.auth_url(), "tests");
    pg::transaction open(holder);
    REQUIRE(seal(holder, 10) == 3);
    log.insert(3);
    pg::client other(log.database.auth_url(), "tests");
    CHECK(seal(other, 10) == std::nullopt);
    open.commit();
    CHECK(seal(other, 10) == 3);
    CHECK(log.discrepancies().empty());
}

TEST_CASE("a row whose transaction commits late holds nothing up, and is not passed over", "[audit]") {
    audit_log log;
    event_loop loop;
    running_sealer const sealer(loop, log.database.auth_url(), 10);
    pg::client late(log.database.owner_url(), "tests");
    pg::transaction open(late);
    late.run(one_row, pg::params{}.id(log.organizations[0]));
    log.insert(3);
    loop.run_until([&] { return log.number("SELECT count(*) FROM recruiting.audit_log") == 3; });
    open.commit();
    loop.run_until([&] { return log.number("SELECT count(*) FROM recruiting.audit_log") == 4; });
    CHECK(log.discrepancies().empty());
    CHECK(log.number("SELECT sequence FROM recruiting.audit_log WHERE id = "
                     "'00000000-0000-0000-0000-00000000000a'") == 2);
}

TEST_CASE("what the log refuses is set aside and holds up nobody", "[audit]") {
    audit_log log;
    pg::client services(log.database.auth_url(), "tests");
    auto const append = [&](std::string const& column, std::string const& value, std::string const& count = "1") {
        std::string row = "(gen_random_uuid(), now(), gen_random_uuid(), NULL, NULL, 'system', NULL, NULL, NULL, "
                          "'test', NULL, NULL, NULL, "
                          "NULL, NULL, NULL, true, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)";
        row.replace(row.find(column), column.size(), value);
        services.run("INSERT INTO recruiting.audit_intake (event_count, events) VALUES (" + count + ", ARRAY[ROW" +
                     row + "::recruiting.audit_event])");
    };
    log.insert(3);
    for (auto const* const missing : {"gen_random_uuid()", "now()", "'system'", "'test'", "true"})
        append(missing, "NULL");
    append("'system'", "'stranger'");
    append("now()", "now() - interval '4000 days'"); // retention may have been there
    append("now()", "now() + interval '200 days'");
    append("NULL", "NULL", "-2147483648");
    append("NULL", "NULL", "2147483647");
    services.run("INSERT INTO recruiting.audit_intake (event_count, events) VALUES (7, '{}')");
    log.insert(3);
    std::int64_t sealed = 0;
    for (int i = 0; i < 20; ++i) sealed += seal(services, 4).value();
    CHECK(sealed == 8);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_intake") == 0);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_set_aside") == 8);
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == 8);
}

TEST_CASE("a row of a time without a partition gets one", "[audit]") {
    audit_log log;
    auto const this_month = "to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')";
    log.tamper(std::string("DO $$ BEGIN EXECUTE 'DROP TABLE recruiting.audit_log_' || ") + this_month + "; END $$");
    log.insert(2);
    log.seal_all();
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == 2);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_log") == 2);
}

TEST_CASE("a wrong clock of PostgreSQL sets no row aside, neither its own nor those of others", "[audit]") {
    audit_log log;
    pg::client services(log.database.auth_url(), "tests");
    auto const append = [&](std::string const& occurred_at, std::string const& action, std::string const& clock) {
        services.run(
            "INSERT INTO recruiting.audit_intake (event_count, events) VALUES (1, ARRAY[ROW(gen_random_uuid(), " +
            occurred_at + ", gen_random_uuid(), NULL, NULL, 'system', NULL, NULL, NULL, " + action +
            ", NULL, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
            "NULL)::recruiting.audit_event])");
        log.tamper("UPDATE recruiting.audit_intake SET added_at = " + clock +
                   " WHERE id = (SELECT max(id) FROM recruiting.audit_intake)");
    };
    append("now() + interval '200 days'", "'ahead'", "now() + interval '200 days'");
    append("now() - interval '4000 days'", "'behind'", "now() - interval '4000 days'");
    append("now() + interval '40 days'", "'as by a clock that is behind'", "now()"); // there is a partition
    append("now()", "NULL", "now()");                                                // is set aside
    log.insert(2);
    log.seal_all();
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_log") == 5);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_set_aside") == 1);
    CHECK(log.discrepancies().empty());
}

TEST_CASE("every column of an event comes back as it was sent", "[audit]") {
    audit_log log;
    audit::event sent;
    sent.organization_id = log.organizations[0];
    sent.credential_id = random_id();
    sent.credential_name = "a \"name\", with 'quotes' \\ and {braces}";
    sent.actor_type = "member";
    sent.actor_member_id = random_id();
    sent.actor_email = "ann@example.com";
    sent.actor_role = "admin";
    sent.action = "api.request";
    sent.method = "GET";
    sent.endpoint = "/api/v1/jobs/{jobId}";
    sent.path = "/api/v1/jobs/\xc3\xa9";
    sent.target_type = "job";
    sent.target_id = "7";
    sent.status_code = 404;
    sent.success = false;
    sent.error_code = "not_found";
    sent.required_scope = "jobs:read";
    sent.ip_address = "2001:db8::1";
    sent.user_agent = "a client";
    sent.request_id = "0123456789abcdef";
    sent.session_id = random_id();
    sent.correlation_id = random_id();
    sent.duration_ms = 12;
    log.append({&sent, 1});
    pg::client services(log.database.auth_url(), "tests");
    REQUIRE(seal(services, 10) == 1);
    auto const rows = log.database.owner().run("SELECT " + std::string(audit::stored_event_columns()) +
                                               " FROM recruiting.audit_log l");
    auto const found = audit::read_stored_event(rows[0]);
    CHECK(found.id == sent.id);
    CHECK(format_time_micros(found.occurred_at) == format_time_micros(sent.occurred_at));
    CHECK(found.organization_id == sent.organization_id);
    CHECK(found.credential_id == sent.credential_id);
    CHECK(found.credential_name == sent.credential_name);
    CHECK(found.actor_type == sent.actor_type);
    CHECK(found.actor_member_id == sent.actor_member_id);
    CHECK(found.actor_email == sent.actor_email);
    CHECK(found.actor_role == sent.actor_role);
    CHECK(found.action == sent.action);
    CHECK(found.method == sent.method);
    CHECK(found.endpoint == sent.endpoint);
    CHECK(found.path == sent.path);
    CHECK(found.target_type == sent.target_type);
    CHECK(found.target_id == sent.target_id);
    CHECK(found.status_code == sent.status_code);
    CHECK(found.success == sent.success);
    CHECK(found.error_code == sent.error_code);
    CHECK(found.required_scope == sent.required_scope);
    CHECK(found.ip_address == "2001:db8::1/128");
    CHECK(found.user_agent == sent.user_agent);
    CHECK(found.request_id == sent.request_id);
    CHECK(found.session_id == sent.session_id);
    CHECK(found.correlation_id == sent.correlation_id);
    CHECK(found.duration_ms == sent.duration_ms);
    CHECK(!found.request_count);
    CHECK(log.discrepancies().empty());
}

TEST_CASE("a hash is of UTF-8, whatever the session that seals speaks", "[audit]") {
    audit_log log;
    audit::event sent;
    sent.organization_id = log.organizations[0];
    sent.action = "api.request";
    sent.user_agent = "caf\xc3\xa9";
    log.append({&sent, 1});
    pg::client services(log.database.auth_url(), "tests");
    services.run("SET client_encoding = 'LATIN1'");
    REQUIRE(seal(services, 10) == 1);
    CHECK(log.discrepancies().empty());
}

TEST_CASE("a batch that commits with a lower id while another is sealed is not lost", "[audit]") {
    audit_log log;
    pg::client late(log.database.owner_url(), "tests");
    pg::transaction open(late);
    late.run(one_row, pg::params{}.id(log.organizations[0]));
    log.insert(3);
    pg::client services(log.database.auth_url(), "tests");
    REQUIRE(seal(services, 100) == 3);
    open.commit();
    CHECK(log.unsealed() == 1);
    REQUIRE(seal(services, 100) == 1);
    CHECK(log.discrepancies().empty());
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

} // namespace audit_sealer_test
