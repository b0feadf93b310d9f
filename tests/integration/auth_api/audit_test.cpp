// One audit row for every authenticated request, durable before the answer leaves (proto-docs/audit.md).
#include "integration/auth_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

namespace audit_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct audit_fixture {
    test_database database;
    std::string slug = new_slug();
    directory::organization organization = make_organization(database.owner(), slug);
    std::string admin = "admin@" + slug + ".example";
    std::string secret = make_key(database.owner(), slug, admin, {"*"}).secret;
    auth_api_harness service{database.auth_url()};

    std::int64_t rows(std::string const& condition) {
        return database.owner()
            .run("SELECT count(*) FROM audit_rows WHERE action = 'api.request' AND " + condition)
            .integer(0, 0);
    }
};

} // namespace

TEST_CASE("a key of a revoked, expired or ownerless kind is refused and audited", "[auth_api][audit][401]") {
    audit_fixture f;
    auto& owner = f.database.owner();
    auto const check = [&](std::string const& code) {
        auto const answer = f.service.get("/me", f.secret);
        INFO(answer.body);
        REQUIRE(answer.status == 401);
        REQUIRE(answer.body.find("\"" + code + "\"") != std::string::npos);
        REQUIRE(f.rows("error_code = '" + code + "' AND NOT success") == 1);
    };
    owner.run("UPDATE recruiting.api_keys SET expires_at = now()");
    check("credential_expired");
    owner.run("UPDATE recruiting.api_keys SET expires_at = now() + interval '1 day'");
    owner.run("UPDATE recruiting.memberships SET status = 'removed', removed_at = now()");
    check("credential_inactive");
    owner.run("UPDATE recruiting.memberships SET status = 'active', removed_at = NULL");
    REQUIRE(f.service.get("/me", f.secret).status == 200);
    owner.run("UPDATE recruiting.api_keys SET revoked_at = now()");
    check("credential_revoked");
}

TEST_CASE("a row that the database refuses means 503, never an unaudited answer", "[auth_api][audit][503]") {
    audit_fixture f;
    f.database.owner().run("ALTER TABLE recruiting.audit_intake ADD CONSTRAINT refused CHECK (false) NOT VALID");
    auto const answer = f.service.get("/me", f.secret);
    REQUIRE(answer.status == 503);
    REQUIRE(answer.header("retry-after") == "1");
    REQUIRE(answer.body.find("memberEmail") == std::string::npos);
    f.database.owner().run("ALTER TABLE recruiting.audit_intake DROP CONSTRAINT refused");
    REQUIRE(f.service.get("/me", f.secret).status == 200);
}

TEST_CASE("what a client sends can't spoil the log", "[auth_api][audit]") {
    audit_fixture f;
    auto const key = generate_secret(environment::test);
    REQUIRE(f.service.get("/" + key, f.secret, "User-Agent: \xff\xfe " + key + "\r\n").status == 404);
    REQUIRE(f.rows("path = '/api/v1/{id}' AND user_agent LIKE '%sp_test_***'") == 1);
}

TEST_CASE("connections that the server ends come back by themselves", "[auth_api][503]") {
    audit_fixture f;
    REQUIRE(f.service.get("/me", f.secret).status == 200);
    pg::client(f.database.superuser_url())
        .run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
             "WHERE usename = 'recruiting_auth' AND datname = current_database()");
    REQUIRE(eventually([&] {
        auto const status = f.service.get("/me", f.secret).status;
        REQUIRE((status == 200 || status == 503));
        return status == 200;
    }));
}

TEST_CASE("exports hold every row once and end when the key is revoked", "[auth_api][audit]") {
    audit_fixture f;
    f.database.owner().run(
        "INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success, path) "
        "SELECT gen_random_uuid(), now() - make_interval(secs => i), $1::uuid, 'system', 'import.finished', true, "
        "CASE i WHEN 7 THEN '=1+1, \"x\"' END FROM generate_series(1, 2500) i",
        pg::params{}.id(f.organization.id));
    auto const ndjson = f.service.get("/audit?action=import.finished", f.secret, "Accept: application/x-ndjson\r\n");
    REQUIRE(ndjson.status == 200);
    REQUIRE(std::count(ndjson.body.begin(), ndjson.body.end(), '\n') == 2500);
    auto const csv = f.service.get("/audit?action=import.finished", f.secret, "Accept: text/csv\r\n");
    REQUIRE(csv.header("content-type").starts_with("text/csv"));
    REQUIRE(std::count(csv.body.begin(), csv.body.end(), '\n') == 2501);
    REQUIRE(csv.body.find("\"\t=1+1, \"\"x\"\"\"") != std::string::npos); // no formula for a spreadsheet
    auto const bounded =
        f.service.get("/audit?action=import.finished&limit=10", f.secret, "Accept: application/x-ndjson\r\n");
    REQUIRE(std::count(bounded.body.begin(), bounded.body.end(), '\n') == 10);
}

} // namespace audit_test
