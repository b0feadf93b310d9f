// Each service checks the schema's version at its start and while it runs: too old, it waits unready and says so.
#include "auth_api/settings.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/public_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "pg/schema_store.hpp"
#include "public_api/settings.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <future>

namespace schema_version_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

int const newest = pg::newest_migration();

std::vector<recruitctl::migration> all_migrations() { return recruitctl::read_migrations(migrations_directory()); }

std::string readyz(std::uint16_t port) {
    http_client client(port);
    auto const answer = client.get("/readyz");
    return std::to_string(answer.status) + ' ' + answer.body;
}

bool says(std::uint16_t admin_port, std::string const& words) {
    return eventually([&] {
        try {
            auto const answer = readyz(admin_port);
            return answer.starts_with("503 ") && answer.find(words) != std::string::npos;
        } catch (std::exception const&) {
            return false; // it does not listen yet
        }
    });
}

std::string too_old(int version) {
    return "schema is at " + std::to_string(version) + ", needs " + std::to_string(newest) + ": run recruitctl migrate";
}

void set_version(test_database& database, int version) {
    auto const files = all_migrations();
    database.owner().run("DELETE FROM recruiting.schema_migrations WHERE number > $1", pg::params{}.integer(version));
    for (auto const& one : files)
        if (one.number <= version)
            database.owner().run(
                "INSERT INTO recruiting.schema_migrations (number, name, checksum) VALUES ($1, $2, $3) "
                "ON CONFLICT DO NOTHING",
                pg::params{}.integer(one.number).text(one.name).text(one.checksum));
}

} // namespace

TEST_CASE("the needed version is the newest migration's number", "[schema]") {
    REQUIRE(newest == all_migrations().back().number);
}

TEST_CASE(
    "the authenticated API starts with a schema too old, waits unready, says so in words, and becomes ready by itself",
    "[schema]") {
    test_database database;
    set_version(database, newest - 1);
    std::promise<std::uint16_t> port;
    auto starting = std::async(std::launch::async, [&] {
        return std::make_unique<auth_api_harness>(
            database.auth_url(), true, [&](auth_api::settings& config) { port.set_value(config.admin_listen.port); });
    });
    CHECK(says(port.get_future().get(), too_old(newest - 1)));
    set_version(database, newest);
    auto const api = starting.get(); // throws unless it becomes ready
    CHECK(api->ready());
}

TEST_CASE("without any schema both APIs are unready, say so in words, and become ready once it is there", "[schema]") {
    test_database database(migrated::no);
    std::promise<std::uint16_t> port;
    auto starting = std::async(std::launch::async, [&] {
        return std::make_unique<auth_api_harness>(
            database.auth_url(), true, [&](auth_api::settings& config) { port.set_value(config.admin_listen.port); });
    });
    public_api_harness const published(database.public_url(), false);
    auto const missing = "schema is missing, needs " + std::to_string(newest) + ": run recruitctl migrate";
    CHECK(says(port.get_future().get(), missing));
    CHECK(says(published.admin_port(), missing));
    recruitctl::apply_migrations(database.owner(), all_migrations());
    auto const api = starting.get();
    CHECK(api->ready());
    CHECK(eventually([&] { return readyz(published.admin_port()).starts_with("200 "); }));
}

TEST_CASE("while it runs the authenticated API notices a schema too old: 503, never 500, until it is migrated",
          "[schema]") {
    test_database database;
    auto const slug = new_slug();
    make_organization(database.owner(), slug);
    auto const key = make_key(database.owner(), slug, "admin@" + slug + ".example", {"*"});
    std::uint16_t port = 0;
    auth_api_harness const api(database.auth_url(), false,
                               [&](auth_api::settings& config) { port = config.admin_listen.port; });
    REQUIRE(api.get("/jobs", key.secret).status == 200);

    // Restored from an older dump under its connections: a column that its statements name is not there.
    set_version(database, newest - 1);
    database.owner().script("ALTER TABLE recruiting.jobs RENAME COLUMN record TO record_of_later");
    auto const answer = api.get("/jobs", key.secret);
    CHECK(answer.status == 503);
    CHECK(answer.body.find("service_unavailable") != std::string::npos);
    CHECK_FALSE(answer.header("retry-after").empty());
    CHECK(says(port, too_old(newest - 1)));
    CHECK(api.get("/me", key.secret).status == 503);

    database.owner().script("ALTER TABLE recruiting.jobs RENAME COLUMN record_of_later TO record");
    set_version(database, newest);
    CHECK(eventually([&] { return api.ready(); }));
    CHECK(api.get("/jobs", key.secret).status == 200);
}

TEST_CASE("a schema newer than the program is fine", "[schema]") {
    test_database database;
    database.owner().run(
        "INSERT INTO recruiting.schema_migrations (number, name, checksum) VALUES (900, '0900_new.sql', 'x')");
    auth_api_harness const api(database.auth_url());
    CHECK(api.ready());
    public_api_harness const published(database.public_url());
    CHECK(eventually([&] { return readyz(published.admin_port()).starts_with("200 "); }));
}

TEST_CASE("the public API starts with a schema too old, waits unready, says so in words, and becomes ready by itself",
          "[schema]") {
    test_database database;
    set_version(database, newest - 1);
    public_api_harness const api(database.public_url(), false);
    CHECK(says(api.admin_port(), too_old(newest - 1)));
    http_client client(api.port());
    auto const answer = client.get("/api/public/v1/organizations/acme/jobs");
    CHECK(answer.status == 503);
    CHECK(answer.body.find("service_unavailable") != std::string::npos);
    set_version(database, newest);
    CHECK(eventually([&] { return readyz(api.admin_port()).starts_with("200 "); }));
    CHECK(eventually([&] { return api.snapshots() > 0; }));
}

TEST_CASE("while it runs the public API notices a schema too old", "[schema]") {
    test_database database;
    public_api_harness const api(database.public_url());
    set_version(database, newest - 1);
    // Asked for every few seconds; a connection that is lost, as in a restore, asks at once.
    pg::client(database.superuser_url())
        .run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
             "current_database() AND usename = 'recruiting_public'");
    CHECK(says(api.admin_port(), too_old(newest - 1)));
    set_version(database, newest);
    CHECK(eventually([&] { return readyz(api.admin_port()).starts_with("200 "); }));
}

} // namespace schema_version_test
