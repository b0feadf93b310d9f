// Audit partitions per day: days take the place of empty months ahead, months that have begun stay, and retention
// and chains know both.
#include "auth_api/background/tasks.hpp"
#include "integration/auth_api/background/audit_harness.hpp"
#include "support/catch.hpp"

#include <future>

namespace audit_partitions_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct partitioned_log : audit_log {
    void make(std::string const& by_day) {
        pg::client services(database.auth_url(), "tests");
        services.run("SELECT recruiting.make_audit_partitions($1::boolean)", pg::params{}.text(by_day));
    }
    std::int64_t drop(std::string const& older_than) {
        pg::client services(database.auth_url(), "tests");
        return services.run("SELECT recruiting.drop_audit_partitions($1::interval)", pg::params{}.text(older_than))
            .integer(0, 0);
    }
    std::int64_t count(std::string const& length) {
        return number("SELECT count(*) FROM recruiting.audit_partitions() WHERE ends_at - starts_at " +
                      std::string(length == "day" ? "< " : "> ") + "interval '2 days'");
    }
    /// Moments without a partition, or with two, from now on for so many days.
    std::int64_t holes(int days) {
        return number("SELECT count(*) FROM generate_series(now(), now() + interval '" + std::to_string(days) +
                      " days', interval '6 hours') AS t WHERE 1 <> (SELECT count(*) FROM "
                      "recruiting.audit_partitions() "
                      "WHERE starts_at <= t AND ends_at > t)");
    }
    void old_partition(std::string const& suffix, std::string const& from, std::string const& to) {
        tamper("CREATE TABLE recruiting.audit_log_" + suffix + " PARTITION OF recruiting.audit_log FOR VALUES FROM ('" +
               from + "T00:00:00Z') TO ('" + to + "T00:00:00Z')");
    }
    std::string days_since(std::string const& day) {
        return std::to_string(number("SELECT (CURRENT_DATE - '" + day + "')::bigint")) + " days";
    }
};

} // namespace

TEST_CASE("daily partitions take the place of empty months ahead, and no moment has two or none", "[audit]") {
    partitioned_log log;
    REQUIRE(log.count("day") == 0);
    log.insert(3);
    log.seal_all();
    log.make("true");
    CHECK(log.holes(31) == 0);
    CHECK(log.count("day") > 0);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_partitions() WHERE starts_at > now() "
                     "AND ends_at - starts_at > interval '2 days'") == 0);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_log") == 3);
    auto const days = log.count("day");
    log.make("true");
    CHECK(log.count("day") == days); // again makes nothing

    SECTION("recruitctl migrate goes on with days") {
        log.database.owner().run("SELECT recruiting.ensure_audit_partitions()");
        CHECK(log.count("day") == days);
    }
    SECTION("back to months: days stay, and months follow the month that has some") {
        log.make("false");
        CHECK(log.holes(90) == 0);
        CHECK(log.number("SELECT count(*) FROM recruiting.audit_partitions() "
                         "WHERE starts_at > now() + interval '32 days' "
                         "AND ends_at - starts_at > interval '2 days'") > 0);
    }
}

TEST_CASE("a month ahead that holds rows is kept when partitions become daily", "[audit]") {
    partitioned_log log;
    log.tamper(
        "INSERT INTO recruiting.audit_intake (event_count, events) SELECT 1, ARRAY[ROW(gen_random_uuid(), now() + "
        "interval '40 days', "
        "gen_random_uuid(), NULL, NULL, 'system', NULL, NULL, NULL, 'test', NULL, NULL, NULL, NULL, NULL, NULL, true, "
        "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)::recruiting.audit_event]"); // of a clock that is wrong
    log.seal_all();
    log.make("true");
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_log") == 1);
    CHECK(log.holes(31) == 0);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_partitions() WHERE starts_at > now() "
                     "AND ends_at - starts_at > interval '2 days'") == 1);
}

TEST_CASE("rows on their way into a month ahead while partitions become daily are not dropped with it", "[audit]") {
    partitioned_log log;
    pg::client writer(log.database.owner_url(), "tests");
    log.insert(1);
    log.seal_all();
    writer.script(
        "BEGIN; INSERT INTO recruiting.audit_log SELECT (jsonb_populate_record(l, jsonb_build_object("
        "'id', gen_random_uuid(), 'occurred_at', now() + interval '40 days'))).* FROM recruiting.audit_log l");
    auto making = std::async(std::launch::async, [&] { log.make("true"); });
    auto const waits = [&] {
        return log.number("SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock' AND "
                          "relation = 'recruiting.audit_log'::regclass") > 0;
    };
    while (!waits() && making.wait_for(std::chrono::milliseconds{5}) != std::future_status::ready) {
    }
    SECTION("they commit while it waits") { writer.script("COMMIT"); }
    SECTION("they don't: it leaves the month to the next call, and requests wait for half a second only") {
        making.wait();
        CHECK(log.holes(31) == 0);
        writer.script("COMMIT");
    }
    making.get();
    log.make("true");
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_log") == 2);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_partitions() WHERE starts_at > now() "
                     "AND ends_at - starts_at > interval '2 days'") == 1);
    CHECK(log.holes(31) == 0);
}

TEST_CASE("partitions have what the log's own policies and indexes ask for, however they were made", "[audit]") {
    partitioned_log log;
    log.make("true");
    CHECK(log.number("SELECT count(*) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
                     "WHERE i.inhparent = 'recruiting.audit_log'::regclass "
                     "AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND c.relowner = 'recruiting_owner'::regrole "
                     "AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid))") == 0);
    CHECK(log.number("SELECT count(DISTINCT n) FROM (SELECT count(*) AS n FROM pg_inherits i JOIN pg_index x "
                     "ON x.indrelid = i.inhrelid WHERE i.inhparent = 'recruiting.audit_log'::regclass "
                     "GROUP BY i.inhrelid) AS per_partition") == 1);
}

TEST_CASE("retention drops days to the day, and months among them, and the chain is verified", "[audit]") {
    partitioned_log log;
    log.organizations.resize(1);
    log.old_partition("2025_01", "2025-01-01", "2025-02-01");
    log.old_partition("2025_02_01", "2025-02-01", "2025-02-02");
    log.old_partition("2025_02_02", "2025-02-02", "2025-02-03");
    log.insert(3, *parse_time("2025-01-15T12:00:00Z"));
    log.insert(2, *parse_time("2025-02-01T12:00:00Z"));
    log.insert(2, *parse_time("2025-02-02T12:00:00Z"));
    log.insert(1);
    log.seal_all();
    CHECK(log.drop(log.days_since("2025-02-01")) == 1);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_log") == 5);
    CHECK(log.discrepancies().empty());
    CHECK(log.drop(log.days_since("2025-02-02")) == 1);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_log") == 3);
    CHECK(log.discrepancies().empty());
    log.insert(2);
    log.seal_all();
    CHECK(log.drop("60 days") == 1);
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == 3);
}

TEST_CASE("the partition worker makes days where it is told to", "[audit]") {
    partitioned_log log;
    event_loop loop;
    pg::pipeline connection(loop.context, loop.clock, workers_connection(log.database.auth_url()));
    auto const worker = auth_api::keep_audit_partitions(loop.context, connection, {.daily = true});
    loop.run_until([&] { return log.count("day") > 0; });
    CHECK(log.holes(31) == 0);
}

} // namespace audit_partitions_test
