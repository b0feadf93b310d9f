// deploy/postgresql/after_restore.sql: what proto-docs/backup.md has operators run after restoring a logical dump.
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <fstream>
#include <iterator>

namespace restore_test {
using namespace recruiting;
using namespace recruiting::test;

TEST_CASE("after a restore every record has a transaction number of this server, and keeps its times", "[restore]") {
    test_database database;
    auto& owner = database.owner();
    auto const organization = make_organization(owner, new_slug());
    owner.run("INSERT INTO recruiting.candidates (id, organization_id, name) VALUES (gen_random_uuid(), $1, 'C')",
              pg::params().id(organization.id));
    owner.run(
        "INSERT INTO recruiting.jobs (id, organization_id, title, status) VALUES (gen_random_uuid(), $1, 'J', 'open')",
        pg::params().id(organization.id));
    auto const times = [&] {
        return std::string(
            owner
                .run("SELECT string_agg(t::text, ',' ORDER BY t) FROM (SELECT updated_at AS t FROM "
                     "recruiting.jobs UNION ALL SELECT updated_at FROM recruiting.candidates) AS all_times")
                .text(0, 0));
    };
    auto const to_come = [&] {
        return owner
            .run("SELECT count(*) FROM (SELECT changed_xid FROM recruiting.jobs UNION ALL SELECT changed_xid FROM "
                 "recruiting.candidates UNION ALL SELECT changed_xid FROM recruiting.memberships) AS every "
                 "WHERE changed_xid >= pg_snapshot_xmax(pg_current_snapshot())")
            .integer(0, 0);
    };
    // As a dump of a server that is far ahead.
    owner.script(
        "ALTER TABLE recruiting.jobs DISABLE TRIGGER USER; ALTER TABLE recruiting.candidates DISABLE TRIGGER USER; "
        "ALTER TABLE recruiting.memberships DISABLE TRIGGER USER; "
        "UPDATE recruiting.jobs SET changed_xid = '9000000000'; UPDATE recruiting.candidates SET changed_xid = "
        "'9000000000'; UPDATE recruiting.memberships SET changed_xid = '9000000000'; "
        "ALTER TABLE recruiting.jobs ENABLE TRIGGER USER; ALTER TABLE recruiting.candidates ENABLE TRIGGER USER; "
        "ALTER TABLE recruiting.memberships ENABLE TRIGGER USER");
    REQUIRE(to_come() == 3);
    auto const before = times();
    std::ifstream file(migrations_directory() + "/../postgresql/after_restore.sql");
    owner.script(std::string(std::istreambuf_iterator<char>(file), {}));
    CHECK(to_come() == 0);
    CHECK(times() == before);
    // The triggers are on again.
    CHECK(owner.run("SELECT FROM pg_trigger WHERE tgenabled = 'D'").empty());
}

} // namespace restore_test
