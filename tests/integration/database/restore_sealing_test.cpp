// Sealing after a database was restored from a dump (pg_dump, pg_restore): it goes on, whatever the new server's
// transaction numbers are beside the dump's. A dump with numbers far ahead stands for one of a server that is far
// ahead.
#include "integration/auth_api/background/audit_harness.hpp"
#include "integration/database/restore_dump.hpp"
#include "recruitctl/commands/restore.hpp"
#include "support/catch.hpp"

namespace restore_sealing_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr auto far_ahead = "UPDATE recruiting.audit_log SET inserted_xid = (inserted_xid::text::bigint + "
                           "900000000000)::text::xid8; "
                           "UPDATE recruiting.audit_sealer SET inserted_xid = (inserted_xid::text::bigint + "
                           "900000000000)::text::xid8";

/// 30 sealed rows and 5 that were not sealed yet when the dump was made.
struct dumped_log {
    dumped_log() {
        log.insert(30);
        log.seal_all();
        log.insert(5);
    }
    [[nodiscard]] std::unique_ptr<audit_log> restored() const {
        auto copy = std::make_unique<audit_log>(migrated::no);
        copy->organizations = log.organizations;
        dump(log.database).restore_into(copy->database);
        return copy;
    }
    audit_log log;
};

void check_all_sealed(audit_log& log, std::int64_t rows) {
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == rows);
    CHECK(log.counts.unsealed == 0);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_log") == rows);
}

} // namespace

TEST_CASE("after pg_dump and restore into a server whose transaction numbers are past the dump's, sealing goes on",
          "[restore][audit]") {
    dumped_log const source;
    auto const copy = source.restored();
    copy->insert(7);
    CHECK(copy->discrepancies().empty()); // nothing counts as passed over before the sealer has run
    copy->seal_all(10);
    check_all_sealed(*copy, 42);
    copy->insert(3);
    copy->seal_all(10);
    check_all_sealed(*copy, 45);
}

TEST_CASE("after pg_dump and restore into a server whose transaction numbers are behind the dump's, sealing goes on",
          "[restore][audit]") {
    dumped_log source;
    source.log.tamper(far_ahead);
    auto const copy = source.restored();
    copy->insert(7);
    copy->seal_all(10); // the dump's unsealed rows too, though this server has not reached their numbers
    check_all_sealed(*copy, 42);
    copy->insert(3);
    copy->seal_all(10);
    check_all_sealed(*copy, 45);
}

TEST_CASE(
    "rows written after a restore and before the sealer ran are sealed, though their numbers are below its position",
    "[restore][audit]") {
    dumped_log source;
    source.log.tamper("UPDATE recruiting.audit_sealer SET inserted_xid = "
                      "(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 2000)::text::xid8");
    auto const copy = source.restored();
    copy->insert(7);
    auto& owner = copy->database.owner();
    while (
        owner
            .run("SELECT recruiting.sealer_was_restored() AND inserted_xid >= pg_snapshot_xmax(pg_current_snapshot()) "
                 "FROM recruiting.audit_sealer")
            .boolean(0, 0))
        owner.run("SELECT pg_current_xact_id()");
    copy->seal_all(10);
    check_all_sealed(*copy, 42);
}

TEST_CASE("a database restored twice, and one restored over itself, go on as well", "[restore][audit]") {
    dumped_log source;
    source.log.tamper(far_ahead);
    auto const first = source.restored();
    first->insert(7);
    first->seal_all();
    audit_log second(migrated::no);
    second.organizations = first->organizations;
    dump const of_first(first->database);
    of_first.restore_into(second.database);
    second.insert(2);
    second.seal_all(10);
    check_all_sealed(second, 44);

    first->insert(1); // lost with the restore
    first->seal_all();
    of_first.restore_over(first->database);
    first->insert(4);
    first->seal_all(10);
    check_all_sealed(*first, 46);
}

TEST_CASE("after a restore retention goes on too", "[restore][audit]") {
    audit_log log;
    for (std::string const table : {"audit_log", "audit_seals"})
        log.tamper("CREATE TABLE recruiting." + table + "_2025_01 PARTITION OF recruiting." + table +
                   " FOR VALUES FROM ('2025-01-01T00:00:00Z') TO ('2025-02-01T00:00:00Z')");
    log.insert(3, *parse_time("2025-01-15T12:00:00Z"));
    log.seal_all();
    log.insert(3, *parse_time("2025-01-15T13:00:00Z")); // not sealed in the dump
    log.tamper(far_ahead);
    audit_log copy(migrated::no);
    copy.organizations = log.organizations;
    dump(log.database).restore_into(copy.database);
    CHECK_THROWS_AS(copy.number("SELECT recruiting.drop_audit_partitions('60 days')"), pg::query_error);
    copy.insert(3);
    copy.seal_all(10);
    CHECK(copy.number("SELECT recruiting.drop_audit_partitions('60 days')") == 1);
    CHECK(copy.discrepancies() == std::vector<std::string>{});
}

TEST_CASE("a sealer that a restore had stopped goes on with this version", "[restore][audit]") {
    dumped_log source;
    source.log.tamper(far_ahead);
    auto const copy = source.restored();
    // As the version before left it: it began again without seeing the seals, and has renumbered nothing.
    copy->tamper("UPDATE recruiting.audit_sealer SET inserted_xid = '0', audit_id = '" + std::string(32, '0') +
                 "', database_oid = NULL, table_oid = NULL, system_identifier = NULL");
    copy->seal_all(10);
    check_all_sealed(*copy, 35);
}

TEST_CASE("without a restore the sealer is not restarted, whoever asks", "[restore][audit]") {
    audit_log log;
    log.insert(3);
    log.seal_all();
    auto const position = [&] {
        return std::string(log.database.owner().run("SELECT s::text FROM recruiting.audit_sealer s").text(0, 0));
    };
    auto const before = position();
    pg::client auth(log.database.auth_url(), "tests");
    CHECK(auth.run("SELECT recruiting.restart_sealer()").is_null(0, 0));
    CHECK(position() == before);
}

} // namespace restore_sealing_test
