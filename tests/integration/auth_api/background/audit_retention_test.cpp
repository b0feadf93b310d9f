// Retention drops whole months, and what is left can still be verified.
#include "auth_api/background/tasks.hpp"
#include "integration/auth_api/background/audit_harness.hpp"
#include "support/catch.hpp"

namespace audit_retention_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

using discrepancies = std::vector<std::string>;

constexpr auto make_month =
    "CREATE TABLE recruiting.audit_log_@ PARTITION OF recruiting.audit_log FOR VALUES FROM ('%') TO ('&')";

// Months of 2025 beside the ones of now.
struct old_log : audit_log {
    old_log() {
        for (int month = 1; month <= 3; ++month) {
            std::string sql = make_month;
            auto const replace = [&](char what, std::string const& by) {
                for (auto at = sql.find(what); at != std::string::npos; at = sql.find(what)) sql.replace(at, 1, by);
            };
            replace('@', "2025_0" + std::to_string(month));
            replace('%', "2025-0" + std::to_string(month) + "-01T00:00:00Z");
            replace('&', "2025-0" + std::to_string(month + 1) + "-01T00:00:00Z");
            tamper(sql);
        }
    }
    static timestamp at(std::string const& text) { return *parse_time(text); }

    std::int64_t drop(std::string const& older_than) {
        pg::client services(database.auth_url(), "tests");
        return services.run("SELECT recruiting.drop_audit_partitions($1::interval)", pg::params{}.text(older_than))
            .integer(0, 0);
    }
    // Also: how often that looked into an index or table of a partition that stays.
    std::pair<std::int64_t, std::int64_t> drop_counting_scans(std::string const& older_than) {
        pg::client superuser(database.superuser_url(), "tests");
        pg::transaction whole(superuser);
        auto const dropped =
            superuser.run("SELECT recruiting.drop_audit_partitions($1::interval)", pg::params{}.text(older_than))
                .integer(0, 0);
        auto const scans = superuser.run(
            "SELECT coalesce(sum(pg_stat_get_xact_numscans(c.oid)), 0)::bigint FROM pg_class c "
            "WHERE c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'recruiting.audit_log'::regclass "
            "UNION ALL SELECT indexrelid FROM pg_inherits JOIN pg_index ON indrelid = inhrelid "
            "WHERE inhparent = 'recruiting.audit_log'::regclass)");
        whole.commit();
        return {dropped, scans.integer(0, 0)};
    }
    std::string days_since(std::string const& day) {
        return std::to_string(number("SELECT (CURRENT_DATE - '" + day + "')::bigint")) + " days";
    }
};

} // namespace

TEST_CASE("retention keeps at least 30 days", "[audit]") {
    old_log log;
    CHECK_THROWS_AS(log.drop("29 days 23 hours"), pg::query_error);
}

TEST_CASE("retention waits for the sealer", "[audit]") {
    old_log log;
    log.insert(3, old_log::at("2025-01-15T12:00:00Z"));
    CHECK_THROWS_AS(log.drop("60 days"), pg::query_error);
    log.seal_all();
    CHECK(log.drop("60 days") == 3);
}

TEST_CASE("after retention the chain is verified from its new start", "[audit]") {
    old_log log;
    log.organizations.resize(1);
    log.insert(5, old_log::at("2025-01-10T12:00:00Z"));
    log.insert(2, old_log::at("2025-02-01T00:00:00Z")); // 6, 7: at the turn of the month rows of both months mix
    log.insert(1, old_log::at("2025-01-31T23:59:59Z")); // 8
    log.insert(2, old_log::at("2025-02-01T00:00:01Z")); // 9, 10
    log.insert(2);
    log.seal_all();
    auto const organization = log.organizations[0];
    auto const first_hash = log.database.owner().run("SELECT hash FROM recruiting.audit_log WHERE sequence = 3");
    std::pair<uuid, audit::kept_head> old_head{organization, {{3, {}}, old_log::at("2025-01-10T12:00:00Z")}};
    std::ranges::copy(first_hash.bytes(0, 0), old_head.second.end.hash.begin());
    std::pair<uuid, audit::kept_head> const last_head{organization, log.head(organization)};

    REQUIRE(log.drop(log.days_since("2025-02-10")) == 1);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_log") == 6);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_seals_kept") == 1);
    CHECK(log.discrepancies({}, {old_head, last_head}).empty());
    CHECK(log.counts.sealed == 7);

    SECTION("the chain goes on, and the next month goes too") {
        log.insert(3);
        log.seal_all();
        CHECK(log.discrepancies({}, {old_head, last_head}).empty());
        REQUIRE(log.drop(log.days_since("2025-03-10")) == 1);
        CHECK(log.discrepancies({}, {old_head, last_head}).empty());
        REQUIRE(log.drop("60 days") == 1);
        CHECK(log.number("SELECT count(*) FROM recruiting.audit_seals_kept") == 0);
        CHECK(log.discrepancies({}, {old_head, last_head}).empty());
        CHECK(log.counts.sealed == 5);
    }
    SECTION("a row removed after the start is found") {
        log.tamper("DELETE FROM recruiting.audit_log WHERE sequence = 6");
        CHECK(log.discrepancies() == discrepancies{"removed 6"});
    }
    SECTION("a start moved on by hand is found by a head kept elsewhere") {
        log.tamper("UPDATE recruiting.audit_chain_starts s SET sequence = e.sequence, hash = e.hash "
                   "FROM recruiting.audit_log e WHERE e.sequence = 12; DELETE FROM recruiting.audit_log; "
                   "DELETE FROM recruiting.audit_seals_kept");
        CHECK(log.discrepancies({}, {last_head}) == discrepancies{"removed 12"});
    }
    SECTION("a start is not believed while older rows are left") {
        log.tamper("UPDATE recruiting.audit_chain_starts SET dropped_before = '2025-03-01T00:00:00Z'");
        auto const found = log.discrepancies();
        REQUIRE(!found.empty());
        CHECK(found.front() == "removed 1-5");
    }
}

TEST_CASE("a partition is dropped without a look into others, unless its rows are mixed with theirs", "[audit]") {
    old_log log;
    log.insert(9, old_log::at("2025-01-10T12:00:00Z"));
    bool const is_mixed = GENERATE(false, true);
    if (is_mixed) {
        log.insert(1, old_log::at("2025-02-01T00:00:00Z"));
        log.insert(2, old_log::at("2025-01-31T23:59:59Z"));
        log.insert(3, old_log::at("2025-01-31T23:59:59Z"));
    }
    log.insert(6, old_log::at("2025-02-10T12:00:00Z"));
    log.insert(3);
    log.seal_all();
    auto const [dropped, scans] = log.drop_counting_scans(log.days_since("2025-02-10"));
    CHECK(dropped == 1);
    CHECK((scans > 0) == is_mixed);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_seals_kept") == (is_mixed ? 1 : 0));
    CHECK(log.discrepancies().empty());
    REQUIRE(log.drop("60 days") == 2);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_seals_kept") == 0);
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == 3);
}

TEST_CASE("a chain of which everything is past retention goes on where it was", "[audit]") {
    old_log log;
    log.insert(9, old_log::at("2025-01-10T12:00:00Z"));
    log.seal_all();
    REQUIRE(log.drop("60 days") == 3);
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.organizations == 3);
    log.insert(3);
    log.seal_all();
    CHECK(log.discrepancies().empty());
    CHECK(log.number("SELECT min(sequence) FROM recruiting.audit_log") == 4);
}

TEST_CASE("the partition worker makes the months ahead and drops the old ones", "[audit]") {
    old_log log;
    log.tamper("DO $$ DECLARE t regclass; BEGIN FOR t IN SELECT inhrelid::regclass FROM pg_inherits i "
               "WHERE inhparent = 'recruiting.audit_log'::regclass "
               "AND inhrelid::regclass::text BETWEEN inhparent::regclass::text || '_2025_99' AND "
               "inhparent::regclass::text || '_9' "
               "LOOP EXECUTE 'DROP TABLE ' || t; END LOOP; END $$");
    auto const months = [&] { return log.number("SELECT count(*) FROM recruiting.audit_partitions()"); };
    REQUIRE(months() == 3);
    event_loop loop;
    pg::pipeline connection(loop.context, loop.clock, workers_connection(log.database.auth_url()));
    auto const worker =
        auth_api::keep_audit_partitions(loop.context, connection, {std::chrono::hours{60 * 24}, {}, {}});
    loop.run_until([&] {
        return months() == 5 && log.number("SELECT count(*) FROM pg_tables WHERE tablename = "
                                           "'audit_log_2025_01'") == 0;
    });
    log.insert(1);
    log.seal_all();
    CHECK(log.discrepancies().empty());
}

} // namespace audit_retention_test
