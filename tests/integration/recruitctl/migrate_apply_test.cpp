// recruitctl migrate against PostgreSQL.
#include "directory/organizations.hpp"
#include "mail/address.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/address_forms.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

namespace migrate_apply_test {
using namespace recruiting;
using namespace recruiting::recruitctl;
using recruiting::test::migrated;
using recruiting::test::test_database;

namespace {

std::vector<migration> project_files() { return read_migrations(test::migrations_directory()); }

migration made_up(int number, std::string sql) {
    return {number, "000" + std::to_string(number) + "_made_up.sql", std::move(sql),
            "checksum of " + std::to_string(number)};
}

std::vector<migration> with_one_more(std::string sql) {
    auto files = project_files();
    files.push_back(made_up(static_cast<int>(files.size()) + 1, std::move(sql)));
    return files;
}

std::int64_t count(pg::client& database, std::string const& from) {
    return database.run("SELECT count(*) FROM " + from).integer(0, 0);
}

} // namespace

TEST_CASE("migrate applies every file once", "[migrate]") {
    test_database database(migrated::no);
    auto const files = project_files();
    for (auto const& line : migration_status(database.owner(), files)) REQUIRE(line.state == migration_state::pending);
    std::vector<std::string> told;
    auto const listener = [&](migration const& one, std::chrono::milliseconds) { told.push_back(one.name); };
    REQUIRE(apply_migrations(database.owner(), files, listener) == static_cast<int>(files.size()));
    REQUIRE(told.size() == files.size());
    REQUIRE(apply_migrations(database.owner(), files, listener) == 0);
    REQUIRE(told.size() == files.size());
    for (auto const& line : migration_status(database.owner(), files)) {
        REQUIRE(line.state == migration_state::applied);
        REQUIRE(line.applied_at.has_value());
    }
}

TEST_CASE("migrate makes the audit log's partitions of this month and the months ahead", "[migrate]") {
    test_database database;
    auto const partitions = [&] { return count(database.owner(), "recruiting.audit_partitions('audit_log')"); };
    auto const before = partitions();
    REQUIRE(before >= 4);
    auto const newest = database.owner().run("SELECT max(partition) FROM recruiting.audit_partitions('audit_log')");
    database.owner().script("DROP TABLE recruiting." + std::string(newest.text(0, 0)));
    REQUIRE(apply_migrations(database.owner(), project_files()) == 0);
    REQUIRE(partitions() == before);
}

TEST_CASE("a superuser's migrations can be continued by the owner role", "[migrate]") {
    test_database database(migrated::no);
    pg::client superuser(database.superuser_url());
    REQUIRE(apply_migrations(superuser, project_files()) > 0);
    REQUIRE(apply_migrations(database.owner(), with_one_more("CREATE TABLE recruiting.one_more (id int)")) == 1);
}

TEST_CASE("a migration that fails is rolled back, and told with its line", "[migrate]") {
    test_database database;
    auto const wrong = with_one_more("CREATE TABLE recruiting.left_over (id int);\n\nSELECT * FROM nowhere;\n");
    try {
        apply_migrations(database.owner(), wrong);
        FAIL("it was applied");
    } catch (failure const& error) {
        REQUIRE(std::string(error.what()).find("_made_up.sql failed and was rolled back") != std::string::npos);
        REQUIRE(std::string(error.what()).find("line 3") != std::string::npos);
    }
    REQUIRE(count(database.owner(), "pg_class WHERE relname = 'left_over'") == 0);
    REQUIRE(apply_migrations(database.owner(), with_one_more("SELECT 1")) == 1);
}

TEST_CASE("changed, skipped and unknown migrations are refused, and nothing is applied", "[migrate]") {
    test_database database;
    auto const applied = count(database.owner(), "recruiting.schema_migrations");
    auto changed = with_one_more("SELECT 1");
    changed[1].checksum = "another";
    REQUIRE_THROWS_AS(apply_migrations(database.owner(), changed), failure);
    auto newer = project_files();
    newer.pop_back();
    REQUIRE_THROWS_AS(apply_migrations(database.owner(), newer), failure);
    REQUIRE(count(database.owner(), "recruiting.schema_migrations") == applied);
    database.owner().script("DELETE FROM recruiting.schema_migrations WHERE number = 2");
    REQUIRE_THROWS_AS(apply_migrations(database.owner(), project_files()), failure);
}

TEST_CASE("several migrates at once apply every file once", "[migrate]") {
    test_database database(migrated::no);
    auto const files = project_files();
    std::vector<int> counts(4);
    std::vector<std::thread> threads;
    for (auto& counted : counts)
        threads.emplace_back([&] {
            pg::client client(database.owner_url());
            counted = apply_migrations(client, files);
        });
    for (auto& thread : threads) thread.join();
    std::sort(counts.begin(), counts.end());
    REQUIRE(counts == std::vector<int>{0, 0, 0, static_cast<int>(files.size())});
}

TEST_CASE("the command: --status, --json, a database that is away", "[migrate]") {
    test_database database(migrated::no);
    settings environment{{"RECRUITING_DATABASE_URL", database.owner_url()},
                         {"RECRUITING_MIGRATIONS_DIR", test::migrations_directory()}};
    std::ostringstream out;
    std::ostringstream err;
    auto const call = [&](std::vector<std::string> const& arguments) {
        out.str("");
        return run(all_commands(), arguments, environment, out, err);
    };
    REQUIRE(call({"migrate", "--status", "--json"}) == done);
    REQUIRE(boost::json::parse(out.str()).at("migrations").at(0).at("state") == "pending");
    REQUIRE(call({"migrate", "--json"}) == done);
    auto const answer = boost::json::parse(out.str());
    REQUIRE(answer.at("applied").as_array().size() == project_files().size());
    REQUIRE(call({"migrate"}) == done);
    REQUIRE(out.str().starts_with("up to date at 00"));
    environment["RECRUITING_DATABASE_URL"] = "postgresql://nobody@127.0.0.1:1/none";
    REQUIRE(call({"migrate", "--wait", "100ms"}) == database_unavailable);
    REQUIRE(call({"migrate", "--wait", "soon"}) == usage);
}

TEST_CASE("migrate reports joined members whose organization gave them another name", "[migrate]") {
    test_database database(migrated::no);
    auto& owner = database.owner();
    auto const files = project_files();
    auto const at = std::ranges::find_if(
        files, [](migration const& one) { return one.name.find("names_its_members") != one.name.npos; });
    REQUIRE(at != files.end());
    REQUIRE(apply_migrations(owner, {files.begin(), at}) > 0);
    owner.script(R"sql(
INSERT INTO recruiting.organizations (id, slug, name)
SELECT md5(slug)::uuid, slug, slug FROM unnest(ARRAY['here', 'frozen']) AS slug;
INSERT INTO recruiting.users (id, email, name)
SELECT md5(name)::uuid, name || '@old.example', 'theirs' FROM unnest(ARRAY['joined', 'invited', 'same', 'none']) AS name;
INSERT INTO recruiting.memberships (id, organization_id, user_id, role, status, invitation_open, invited_name)
SELECT md5(u.email || o.slug)::uuid, o.id, u.id, 'viewer', 'active', u.email ~ 'invited',
       CASE WHEN u.email ~ 'same' THEN 'theirs' WHEN u.email !~ 'none' THEN 'ours' END
FROM recruiting.users u, recruiting.organizations o;
INSERT INTO recruiting.frozen_organizations (organization_id) VALUES (md5('frozen')::uuid);
CREATE TABLE before AS SELECT id, changed_xid FROM recruiting.memberships)sql");
    REQUIRE(apply_migrations(owner, files) > 0);
    auto const reported = owner.run("SELECT m.email, o.slug FROM recruiting.memberships m JOIN before b USING (id) "
                                    "JOIN recruiting.organizations o ON o.id = m.organization_id "
                                    "WHERE m.changed_xid <> b.changed_xid");
    REQUIRE(reported.size() == 1);
    CHECK(reported.text(0, 0) == "joined@old.example");
    CHECK(reported.text(0, 1) == "here");
}

TEST_CASE("migrate computes canonical addresses, and two people with one stop nothing", "[migrate]") {
    test_database database(migrated::no);
    auto& owner = database.owner();
    auto const files = project_files();
    auto const at = std::ranges::find(files, canonical_addresses_migration, &migration::number);
    REQUIRE(at != files.end());
    REQUIRE(apply_migrations(owner, {files.begin(), at}) > 0);
    owner.script(R"sql(
INSERT INTO recruiting.organizations (id, slug, name)
SELECT md5(slug)::uuid, slug, slug FROM unnest(ARRAY['one', 'two', 'frozen']) AS slug;
INSERT INTO recruiting.users (id, email, name, created_at)
SELECT md5(email)::uuid, email, 'N', now() + n * interval '1 second'
FROM unnest(ARRAY['Ann@Old.example', 'kim@köln.example', 'kim@xn--kln-sna.example', 'ſam@old.example',
                  'ceo@mİnerva.example']) WITH ORDINALITY AS u (email, n);
INSERT INTO recruiting.memberships (id, organization_id, user_id, role)
SELECT md5(u.email || 'm')::uuid, md5(CASE WHEN u.email ~ 'xn--' THEN 'two' ELSE 'one' END)::uuid, u.id, 'viewer'
FROM recruiting.users u;
INSERT INTO recruiting.candidates (id, organization_id, name, email)
SELECT gen_random_uuid(), md5(slug)::uuid, 'C', email
FROM unnest(ARRAY['one', 'frozen']) AS slug, unnest(ARRAY['Jo@mail.example', 'jo@köln.example', 'ſam@old.example']) AS email;
INSERT INTO recruiting.frozen_organizations (organization_id) VALUES (md5('frozen')::uuid);
CREATE TABLE before AS SELECT id, changed_xid FROM recruiting.candidates
    UNION ALL SELECT id, changed_xid FROM recruiting.memberships)sql");
    REQUIRE(apply_migrations(owner, files) > 0);
    auto const value = [&](std::string const& sql) { return std::string(owner.run(sql).text(0, 0)); };
    CHECK(value("SELECT string_agg(m.email || ' ' || coalesce(u.email_key, '-'), ', ' ORDER BY u.created_at) "
                "FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id") ==
          "Ann@Old.example ann@old.example, kim@köln.example kim@xn--kln-sna.example, kim@xn--kln-sna.example -, "
          "ſam@old.example -, ceo@mİnerva.example -"); // lower() took it for ceo@minerva.example
    CHECK(value("SELECT string_agg(DISTINCT c.email || ' ' || coalesce(c.email_key, '-'), ', ') FROM "
                "recruiting.candidates c") ==
          "Jo@mail.example jo@mail.example, jo@köln.example jo@xn--kln-sna.example, ſam@old.example -");
    // Nothing is reported as changed, and what is stored is what was stored.
    CHECK(value("SELECT count(*)::text FROM before b JOIN (SELECT id, changed_xid FROM recruiting.candidates "
                "UNION ALL SELECT id, changed_xid FROM recruiting.memberships) AS now USING (id) "
                "WHERE now.changed_xid <> b.changed_xid") == "0");
    auto const undecided = select_undecided_people(owner);
    REQUIRE(undecided.size() == 3);
    CHECK(undecided[0].email == "ceo@mİnerva.example");
    CHECK(undecided[1].email == "ſam@old.example");
    CHECK((undecided[0].holder.empty() && undecided[1].holder.empty()));
    CHECK(undecided[2].organization == "two");
    CHECK(undecided[2].holder == "one: kim@köln.example");
    // What doctor advises.
    CHECK(directory::remove_member(owner, "two", "kim@xn--kln-sna.example").has_value());
    directory::new_member again;
    again.email = "kim@xn--kln-sna.example";
    CHECK(directory::add_member(owner, "two", again).has_value());
    for (auto const* address : {"ſam@old.example", "ceo@mİnerva.example"})
        CHECK(directory::remove_member(owner, "one", address).has_value());
    CHECK(select_undecided_people(owner).empty());
}

} // namespace migrate_apply_test
