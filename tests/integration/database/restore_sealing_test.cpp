// Sealing after a database was restored from a dump (pg_dump, pg_restore): it goes on, with what waited in the dump.
#include "integration/auth_api/background/audit_harness.hpp"
#include "integration/database/restore_dump.hpp"
#include "support/catch.hpp"

namespace restore_sealing_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

std::unique_ptr<audit_log> restored(audit_log& from) {
    auto copy = std::make_unique<audit_log>(migrated::no);
    copy->organizations = from.organizations;
    dump(from.database).restore_into(copy->database);
    return copy;
}

void check_all_sealed(audit_log& log, std::int64_t rows) {
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.sealed == rows);
    CHECK(log.counts.unsealed == 0);
    CHECK(log.number("SELECT count(*) FROM recruiting.audit_log") == rows);
}

} // namespace

TEST_CASE("after pg_dump and restore sealing goes on, also over itself", "[restore][audit]") {
    audit_log source;
    source.insert(30);
    source.seal_all();
    source.insert(5); // in the intake when the dump is made
    auto const first = restored(source);
    first->insert(7);
    CHECK(first->discrepancies().empty());
    CHECK(first->counts.unsealed == 12);
    first->seal_all(10);
    check_all_sealed(*first, 42);

    dump const of_first(first->database);
    first->insert(1); // lost with the restore
    first->seal_all();
    of_first.restore_over(first->database);
    first->insert(4);
    first->seal_all(10);
    check_all_sealed(*first, 46);
}

TEST_CASE("after a restore retention goes on too", "[restore][audit]") {
    audit_log log;
    log.tamper("CREATE TABLE recruiting.audit_log_2025_01 PARTITION OF recruiting.audit_log "
               "FOR VALUES FROM ('2025-01-01T00:00:00Z') TO ('2025-02-01T00:00:00Z')");
    log.insert(3, *parse_time("2025-01-15T12:00:00Z"));
    log.seal_all();
    log.insert(3, *parse_time("2025-01-15T13:00:00Z")); // not sealed in the dump
    auto const copy = restored(log);
    CHECK_THROWS_AS(copy->number("SELECT recruiting.drop_audit_partitions('60 days')"), pg::query_error);
    copy->insert(3);
    copy->seal_all(10);
    CHECK(copy->number("SELECT recruiting.drop_audit_partitions('60 days')") == 1);
    CHECK(copy->discrepancies() == std::vector<std::string>{});
}

} // namespace restore_sealing_test
