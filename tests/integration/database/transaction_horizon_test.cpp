// What sealing and syncs wait for (decision 0078): transactions of this database, never of another one of the server;
// and no row is missed, whatever commits when.
#include "integration/auth_api/background/audit_harness.hpp"
#include "integration/auth_api/sync_copies.hpp"
#include "support/catch.hpp"
#include "support/directory.hpp"

#include <atomic>
#include <random>
#include <thread>

namespace transaction_horizon_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr auto take_number = "SELECT pg_current_xact_id()::text";

/// A transaction that writes, left open in a database.
struct open_transaction {
    explicit open_transaction(std::string const& url) : client(url, "somebody else's nightly job"), open(client) {
        client.run(take_number);
    }
    pg::client client;
    pg::transaction open;
};

std::string horizon(pg::client& client) {
    return std::string(client.run("SELECT recruiting.transaction_horizon()::text").text(0, 0));
}

bool says(running_sealer& sealer, std::string const& line) {
    return sealer.metrics.render().find(line + '\n') != std::string::npos;
}

} // namespace

TEST_CASE("a long transaction in another database of the server stalls no sync", "[horizon][audit][sync]") {
    test_database other(migrated::no);
    audit_log log;
    auto const slug = new_slug();
    make_organization(log.database.owner(), slug);
    auto const secret = make_key(log.database.owner(), slug, "admin@" + slug + ".example", {"*"}).secret;
    auth_api_harness const service{log.database.auth_url()};
    sync_copy members(service, secret, "/members", 10);
    open_transaction const long_one(other.superuser_url());
    CHECK(members.catch_up(log.database.owner()).size() == 1);
    make_member(log.database.owner(), slug, "new@" + slug + ".example", role::viewer);
    CHECK(members.catch_up(log.database.owner()).size() == 1);
    CHECK(members.catch_up(log.database.owner()).empty());
}

TEST_CASE("a prepared transaction of another database holds nothing back either", "[horizon]") {
    test_database other(migrated::no);
    test_database database;
    pg::client there(other.superuser_url(), "tests");
    if (there.run("SELECT current_setting('max_prepared_transactions')::int").integer(0, 0) == 0) {
        WARN("the server allows no prepared transactions: not tried");
        return;
    }
    there.script("BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'horizon'");
    auto const number = there.run("SELECT transaction::text::bigint FROM pg_prepared_xacts WHERE gid = 'horizon'");
    database.owner().run(take_number); // one after it has ended
    pg::client auth(database.auth_url(), "tests");
    CHECK(std::stoll(horizon(auth)) > number.integer(0, 0));
    there.script("ROLLBACK PREPARED 'horizon'");
}

TEST_CASE("a transaction of this database holds the horizon back, one of another does not", "[horizon]") {
    test_database other(migrated::no);
    test_database database;
    pg::client auth(database.auth_url(), "tests");
    open_transaction const elsewhere(other.superuser_url());
    auto const number = [](open_transaction& of) { return std::string(of.client.run(take_number).text(0, 0)); };
    open_transaction here(database.owner_url());
    auto const mine = number(here);
    database.owner().run(take_number);
    CHECK(horizon(auth) == mine);
    open_transaction const later(database.owner_url());
    CHECK(horizon(auth) == mine);
    here.open.commit();
    CHECK(std::stoll(horizon(auth)) > std::stoll(mine));
}

TEST_CASE("a caller that has written has not ended itself", "[horizon]") {
    test_database database;
    pg::client auth(database.auth_url(), "tests");
    pg::transaction const open(auth);
    auto const mine = std::string(auth.run(take_number).text(0, 0));
    database.owner().run(take_number);
    CHECK(std::stoll(horizon(auth)) <= std::stoll(mine));
}

TEST_CASE("a metric says whether PostgreSQL tells which server it is, and hide_statistics.sql of this version lets it",
          "[horizon][audit]") {
    audit_log log;
    event_loop loop;
    pg::client superuser(log.database.superuser_url(), "tests");
    running_sealer sealer(loop, log.database.auth_url(), 10);
    loop.run_until([&] { return says(sealer, "recruiting_postgres_server_line_known 1"); });
    auto const* const hidden =
        GENERATE("pg_control_system()", "pg_current_wal_insert_lsn()", "pg_walfile_name(pg_lsn)");
    CAPTURE(hidden);
    superuser.script("REVOKE EXECUTE ON FUNCTION " + std::string(hidden) + " FROM PUBLIC");
    loop.run_until([&] { return says(sealer, "recruiting_postgres_server_line_known 0"); });
    log.insert(3);
    loop.run_until([&] { return log.unsealed() == 0; }); // nothing raises
    log.database.apply("hide_statistics.sql");
    loop.run_until([&] { return says(sealer, "recruiting_postgres_server_line_known 1"); });
}

TEST_CASE("where PostgreSQL hides whose a transaction is, the horizon is of every database, and a metric says so",
          "[horizon][audit]") {
    test_database other(migrated::no);
    audit_log log;
    event_loop loop;
    pg::client superuser(log.database.superuser_url(), "tests");
    pg::client auth(log.database.auth_url(), "tests");
    running_sealer sealer(loop, log.database.auth_url(), 10);
    loop.run_until([&] { return says(sealer, "recruiting_postgres_own_transactions_only 1"); });
    superuser.script("REVOKE EXECUTE ON FUNCTION pg_stat_get_activity(integer) FROM PUBLIC");
    loop.run_until([&] { return says(sealer, "recruiting_postgres_own_transactions_only 0"); });
    open_transaction long_one(other.superuser_url());
    auto const number = std::stoll(std::string(long_one.client.run(take_number).text(0, 0)));
    superuser.run(take_number);
    CHECK(std::stoll(horizon(auth)) == number);
    log.insert(5);
    loop.run_until([&] { return log.unsealed() == 0; }); // sealing waits for nobody
    log.database.apply("hide_statistics.sql");
    loop.run_until([&] { return says(sealer, "recruiting_postgres_own_transactions_only 1"); });
    CHECK(std::stoll(horizon(auth)) > number);
}

TEST_CASE("no row is passed over while transactions of several databases commit as they like", "[horizon][audit]") {
    audit_log log;
    test_database other(migrated::no);
    std::atomic<bool> done{false};
    std::atomic<int> inserted{0};
    auto const write = [&](unsigned seed) {
        std::mt19937 random(seed);
        pg::client client(log.database.auth_url(), "tests");
        while (!done) {
            pg::transaction open(client);
            client.run(
                "INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success) "
                "VALUES (gen_random_uuid(), now(), $1, 'system', 'tried', true)",
                pg::params{}.id(log.organizations[seed % 3]));
            if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::milliseconds{random() % 20});
            if (random() % 8 == 0) continue; // rolled back
            open.commit();
            ++inserted;
        }
    };
    // Sessions come and go, so that a place among PostgreSQL's sessions belongs to one database and then to another.
    auto const disturb = [&](unsigned seed) {
        std::mt19937 random(seed);
        while (!done) {
            pg::client client(random() % 2 == 0 ? other.superuser_url() : log.database.owner_url(), "tests");
            for (int i = 0; i < 3; ++i) {
                pg::transaction const open(client);
                client.run(take_number);
                std::this_thread::sleep_for(std::chrono::milliseconds{random() % 10});
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 3; ++seed) threads.emplace_back(write, seed);
    for (unsigned seed = 10; seed < 13; ++seed) threads.emplace_back(disturb, seed);
    {
        event_loop loop;
        running_sealer sealer(loop, log.database.auth_url(), 20);
        loop.run_until([&] { return inserted > 2'000; });
        done = true;
        for (auto& thread : threads) thread.join();
        loop.run_until([&] { return log.unsealed() == 0; });
    }
    CHECK(log.discrepancies().empty()); // a row behind the sealer would be "added"
    CHECK(log.counts.sealed == inserted);
}

} // namespace transaction_horizon_test
