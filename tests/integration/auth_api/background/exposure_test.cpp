// A key sent to the public API: sealed by public-api, opened by auth-api's worker, and told by an audit row.
#include "auth/api_key.hpp"
#include "auth_api/background/tasks.hpp"
#include "integration/auth_api/background/audit_harness.hpp"
#include "integration/public_api/harness.hpp"
#include "integration/support/http_client.hpp"
#include "support/catch.hpp"
#include "support/directory.hpp"

namespace exposure_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

/// auth-api's part, with a connection of its own.
struct running_worker {
    running_worker(event_loop& loop, std::string const& url, std::string pepper = test_key_settings().pepper)
        : connection(loop.context, loop.clock, workers_connection(url)),
          worker(loop.context, connection, std::move(pepper), std::chrono::milliseconds{20}, metrics) {}

    metrics::registry metrics;
    pg::pipeline connection;
    auth_api::exposure_resolver worker;
};

struct system_under_test {
    system_under_test() {
        make_organization(database.owner(), slug);
        key = make_key(database.owner(), slug, "admin@" + slug + ".example", {"*"});
    }
    std::int64_t count(std::string const& sql) { return database.owner().run("SELECT " + sql).integer(0, 0); }
    std::int64_t rows() { return count("count(*) FROM audit_rows WHERE action = 'key.exposed'"); }
    std::int64_t reports() { return count("count(*) FROM recruiting.exposed_credentials"); }
    http_answer send(std::string const& lines, std::string const& query = {}) {
        return client.get("/api/public/v1/jobs" + query, lines);
    }

    test_database database;
    std::string slug = new_slug();
    directory::created_api_key key;
    event_loop loop;
    public_api_harness api{database.public_url(), true,
                           [](auto& config) { config.exposure_repeat = std::chrono::milliseconds{0}; }};
    http_client client{api.port()};
};

} // namespace

TEST_CASE("an exposed key is told to its organization, once, with where and when", "[exposure]") {
    system_under_test s;
    running_worker first(s.loop, s.database.auth_url());
    running_worker second(s.loop, s.database.auth_url());
    auto const answer = s.send("Authorization: Bearer " + s.key.secret +
                               "\r\nX-Request-Id: the-exposed-one\r\nX-Forwarded-For: 203.0.113.7\r\n"
                               "User-Agent: browser/1 " +
                               s.key.secret + "\r\n");
    CHECK(answer.status == 400);
    CHECK(answer.body.find(s.key.secret) == std::string::npos);
    s.loop.run_until([&] { return s.rows() == 1 && s.reports() == 0; });
    auto const row = s.database.owner().run(
        "SELECT credential_id, credential_name, actor_type, method, endpoint, host(ip_address), user_agent, "
        "request_id, target_type, target_id, status_code, success, error_code, organization_id, actor_email "
        "FROM audit_rows WHERE action = 'key.exposed'");
    CHECK(row.id(0, 0) == s.key.key.id);
    CHECK(row.text(0, 1) == s.key.key.name);
    CHECK(row.text(0, 2) == "system");
    CHECK(row.text(0, 3) == "GET");
    CHECK(row.text(0, 4) == "/api/public/v1/jobs");
    CHECK(row.text(0, 5) == "203.0.113.7");
    CHECK(row.text(0, 6) == "browser/1 sp_test_***");
    CHECK(row.text(0, 7) == "the-exposed-one");
    CHECK(row.text(0, 8) == "api_key");
    CHECK(row.text(0, 9) == to_string(s.key.key.id));
    CHECK(row.integer(0, 10) == 400);
    CHECK_FALSE(row.boolean(0, 11));
    CHECK(row.text(0, 12) == "credential_not_allowed");
    CHECK(row.is_null(0, 14));
    s.send("X-Api-Key: " + s.key.secret + "\r\n"); // the two workers meet again
    s.loop.run_until([&] { return s.reports() == 0 && s.rows() >= 2; });
    CHECK(s.rows() == 2);
}

TEST_CASE("a report that PostgreSQL cancels is written later", "[exposure]") {
    system_under_test s;
    running_worker worker(s.loop, s.database.auth_url());
    s.loop.run_until([&] { return s.count("count(*) FROM recruiting.exposure_keys") == 1; });
    {
        pg::client other(s.database.owner_url(), "tests");
        pg::transaction const lock(other);
        other.run("LOCK TABLE recruiting.exposed_credentials IN SHARE MODE"); // reads go on, inserts wait
        s.send("X-Api-Key: " + s.key.secret + "\r\n");
        cancel_waiting(s.loop, s.database);
    }
    s.loop.run_until([&] { return s.rows() == 1 && s.reports() == 0; });
}

TEST_CASE("a key that is revoked, expired or its owner's who left is told too", "[exposure]") {
    system_under_test s;
    running_worker worker(s.loop, s.database.auth_url());
    s.database.owner().run("UPDATE recruiting.api_keys SET revoked_at = now(), expires_at = now() - interval '1 day'");
    s.send("", "?key=" + s.key.secret);
    s.loop.run_until([&] { return s.rows() == 1; });
}

TEST_CASE("a made-up key leaves no row, and its answer is the same", "[exposure]") {
    system_under_test s;
    running_worker worker(s.loop, s.database.auth_url());
    auto const made_up = generate_secret(environment::test).secret;
    std::string const id = "X-Request-Id: the-same-id\r\n";
    auto const unreal = s.send(id + "X-Api-Key: " + made_up + "\r\n");
    auto const real = s.send(id + "X-Api-Key: " + s.key.secret + "\r\n");
    CHECK(unreal.status == real.status);
    CHECK(unreal.body == real.body);
    s.loop.run_until([&] { return s.rows() == 1 && s.reports() == 0; });
    s.loop.run_until(
        [&] { return s.api.metrics().find("exposed_keys_total{outcome=\"reported\"} 2") != std::string::npos; });
    CHECK(s.rows() == 1);
}

TEST_CASE("public-api can't read what it sealed, nor the reports", "[exposure]") {
    system_under_test s;
    pg::client as_public(s.database.public_url(), "tests");
    s.send("X-Api-Key: " + s.key.secret + "\r\n");
    CHECK(s.reports() == 0); // nobody has published a key yet: it waits
    {
        running_worker worker(s.loop, s.database.auth_url());
        s.loop.run_until([&] { return s.rows() == 1; });
    }
    s.send("X-Api-Key: " + s.key.secret + "\r\n");
    s.loop.run_until([&] { return s.reports() == 1; });
    CHECK_THROWS_AS(as_public.run("SELECT sealed FROM recruiting.exposed_credentials"), pg::query_error);
    auto const sealed = s.database.owner().run("SELECT sealed FROM recruiting.exposed_credentials");
    CHECK(sealed.bytes(0, 0).find(s.key.secret.substr(8, 8)) == std::string_view::npos);
    CHECK_FALSE(open_sealed(sealed.bytes(0, 0), exposure_keys("another pepper")));
    CHECK(open_sealed(sealed.bytes(0, 0), exposure_keys(test_key_settings().pepper)) == s.key.secret);
}

TEST_CASE("another pepper: its key replaces the old one, old reports are dropped", "[exposure]") {
    system_under_test s;
    {
        running_worker worker(s.loop, s.database.auth_url());
        s.loop.run_until([&] { return s.count("count(*) FROM recruiting.exposure_keys") == 1; });
    }
    s.send("X-Api-Key: " + s.key.secret + "\r\n");
    s.loop.run_until([&] { return s.reports() == 1; });
    running_worker other(s.loop, s.database.auth_url(), "another pepper");
    s.loop.run_until([&] { return s.reports() == 0; });
    CHECK(s.rows() == 0);
    CHECK(s.count("count(*) FROM recruiting.exposure_keys") == 1);
    auto const published = s.database.owner().run("SELECT public_key FROM recruiting.exposure_keys");
    CHECK(published.bytes(0, 0) == exposure_keys("another pepper").public_key);
}

TEST_CASE("what was seen while PostgreSQL was away is told later", "[exposure]") {
    system_under_test s;
    running_worker worker(s.loop, s.database.auth_url());
    s.loop.run_until([&] { return worker.connection.ready(); });
    pg::client superuser(s.database.superuser_url(), "tests");
    superuser.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                  "AND (application_name LIKE 'recruiting-public-api%' OR application_name = 'auth-api workers')");
    CHECK(s.send("X-Api-Key: " + s.key.secret + "\r\n").status == 400);
    s.loop.run_until([&] { return s.rows() == 1; });
}

} // namespace exposure_test
