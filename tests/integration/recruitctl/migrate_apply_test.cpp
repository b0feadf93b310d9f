// recruitctl migrate against PostgreSQL.
#include "recruitctl/command.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <boost/json.hpp>

#include <algorithm>
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
    for (auto const& line : compare(files, select_applied(database.owner())))
        REQUIRE(line.state == migration_state::pending);
    std::vector<std::string> told;
    auto const listener = [&](migration const& one, std::chrono::milliseconds) { told.push_back(one.name); };
    REQUIRE(apply_migrations(database.owner(), files, listener) == static_cast<int>(files.size()));
    REQUIRE(told.size() == files.size());
    REQUIRE(apply_migrations(database.owner(), files, listener) == 0);
    REQUIRE(told.size() == files.size());
    for (auto const& line : compare(files, select_applied(database.owner()))) {
        REQUIRE(line.state == migration_state::applied);
        REQUIRE(line.applied_at.has_value());
    }
}

TEST_CASE("migrate refuses a database of another encoding than UTF-8, and leaves it as it is", "[migrate]") {
    test_database neighbour(migrated::no);
    test_database database(migrated::no);
    pg::client superuser(neighbour.superuser_url(), "tests");
    superuser.script("DROP DATABASE " + database.name());
    superuser.script("CREATE DATABASE " + database.name() +
                     " OWNER recruiting_owner ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0");
    std::ostringstream out;
    std::ostringstream err;
    settings const environment{{"RECRUITING_DATABASE_URL", database.owner_url()},
                               {"RECRUITING_MIGRATIONS_DIR", test::migrations_directory()}};
    CHECK(run(all_commands(), {"migrate"}, environment, out, err) == 1);
    CHECK(err.str().find("encoding is SQL_ASCII and must be UTF8") != std::string::npos);
    CHECK_FALSE(database.owner().run("SELECT to_regnamespace('recruiting') IS NOT NULL").boolean(0, 0));
}

TEST_CASE("migrate makes the audit log's partitions of this month and the months ahead", "[migrate]") {
    test_database database;
    auto const partitions = [&] { return count(database.owner(), "recruiting.audit_partitions()"); };
    auto const before = partitions();
    REQUIRE(before >= 4);
    auto const newest = database.owner().run("SELECT max(partition) FROM recruiting.audit_partitions()");
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

TEST_CASE("changed and unknown migrations are refused, and nothing is applied", "[migrate]") {
    test_database database;
    auto const applied = count(database.owner(), "recruiting.schema_migrations");
    auto changed = with_one_more("SELECT 1");
    changed[1].checksum = "another";
    REQUIRE_THROWS_AS(apply_migrations(database.owner(), changed), failure);
    auto newer = project_files();
    newer.pop_back();
    REQUIRE_THROWS_AS(apply_migrations(database.owner(), newer), failure);
    REQUIRE(count(database.owner(), "recruiting.schema_migrations") == applied);
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

TEST_CASE("a database of an unreleased version has to be made again, and is not changed", "[migrate]") {
    test_database database;
    auto& owner = database.owner();
    owner.script(
        "UPDATE recruiting.schema_migrations SET name = '0003_recruiting.sql', checksum = 'x' WHERE number = 3;"
        "INSERT INTO recruiting.schema_migrations (number, name, checksum) "
        "VALUES (58, '0058_compromised_auth_api.sql', 'x')");
    settings const environment{{"RECRUITING_DATABASE_URL", database.owner_url()},
                               {"RECRUITING_MIGRATIONS_DIR", test::migrations_directory()}};
    std::ostringstream out;
    std::ostringstream err;
    auto const contents = [&] {
        auto const found =
            owner.run("SELECT string_agg(concat(number, name, checksum, applied_at), ' ' ORDER BY number) "
                      "FROM recruiting.schema_migrations");
        return std::string(found.text(0, 0));
    };
    auto const before = contents();
    CHECK(run(all_commands(), {"migrate"}, environment, out, err) == failed);
    CHECK(err.str() ==
          "recruitctl migrate: nothing was applied: this database was made by an unreleased version and has to be made "
          "again (scripts/down --erase deletes a developer's)\n");
    CHECK(out.str().empty());
    CHECK(contents() == before);
}

} // namespace migrate_apply_test
