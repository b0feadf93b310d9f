// "A row for every request whose credential matched a key": also for requests that are refused before their key is
// looked at, in their head, their body or for their credentials.
#include "integration/auth_api/harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

namespace audit_every_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct every_fixture {
    test_database database;
    std::string slug = new_slug();
    directory::organization organization = make_organization(database.owner(), slug);
    std::string admin = "admin@" + slug + ".example";
    directory::created_api_key key = make_key(database.owner(), slug, admin, {"*"});
    std::string secret = key.secret;
    auth_api_harness service{database.auth_url()};

    std::int64_t rows(std::string const& condition) {
        return database.owner().run("SELECT count(*) FROM audit_rows WHERE " + condition).integer(0, 0);
    }
    // The one row of the request with this id.
    std::int64_t row(std::string const& request_id, std::string const& condition) {
        REQUIRE(rows("request_id = '" + request_id + "'") == 1);
        return rows("request_id = '" + request_id + "' AND NOT success AND action = 'api.request' AND " + condition);
    }
};

std::string lines_of(std::string const& request_id, std::string const& secret) {
    return "Host: test\r\nX-Request-Id: " + request_id + "\r\nAuthorization: Bearer " + secret + "\r\n";
}

boost::json::value error_of(http_answer const& answer) { return boost::json::parse(answer.body).at("error"); }

} // namespace

TEST_CASE("a row for each key of several credentials, in its own organization", "[auth_api][audit][400]") {
    every_fixture f;
    auto const other_slug = new_slug();
    auto const other = make_organization(f.database.owner(), other_slug);
    auto const second = make_key(f.database.owner(), other_slug, "admin@" + other_slug + ".example", {"*"});
    auto const answer = f.service.get("/me", f.secret,
                                      "X-Request-Id: two-keys\r\nAuthorization: Bearer " + second.secret +
                                          "\r\nAuthorization: Bearer " + f.secret + "\r\n");
    REQUIRE(answer.status == 400);
    CHECK(f.rows("request_id = 'two-keys' AND endpoint = '/api/v1/me' AND error_code = 'invalid_request'") == 2);
    CHECK(f.rows("request_id = 'two-keys' AND organization_id = '" + to_string(other.id) + "'::uuid") == 1);
}

TEST_CASE("a row for a body too large, refused 413, by its length and chunk by chunk", "[auth_api][audit][413]") {
    every_fixture f;
    std::string const large(300 * 1024, 'x');
    auto const answer = f.service.post("/agent/invoke", f.secret, large, "X-Request-Id: too-large\r\n");
    REQUIRE(answer.status == 413);
    CHECK(f.row("too-large", "status_code = 413 AND error_code = 'payload_too_large' AND method = 'POST' AND "
                             "endpoint = '/api/v1/agent/invoke'") == 1);
    auto const chunked =
        f.service.send("POST /api/v1/agent/invoke HTTP/1.1\r\n" + lines_of("too-many-chunks", f.secret) +
                       "Transfer-Encoding: chunked\r\n\r\n4B000\r\n" + large + "\r\n0\r\n\r\n");
    REQUIRE(chunked.status == 413);
    CHECK(f.row("too-many-chunks", "status_code = 413 AND endpoint = '/api/v1/agent/invoke'") == 1);
}

TEST_CASE("a row for what is refused while head or body are read, once the credential was",
          "[auth_api][audit][400][431]") {
    every_fixture f;
    auto const broken = f.service.send("POST /api/v1/agent/invoke HTTP/1.1\r\n" + lines_of("broken-chunk", f.secret) +
                                       "Transfer-Encoding: chunked\r\n\r\nzz\r\n");
    REQUIRE(broken.status == 400);
    CHECK(f.row("broken-chunk", "status_code = 400 AND endpoint = '/api/v1/agent/invoke'") == 1);
    auto const long_head = f.service.send("GET /api/v1/jobs HTTP/1.1\r\n" + lines_of("large-head", f.secret) +
                                          "X-Long: " + std::string(40 * 1024, 'x') + "\r\n\r\n");
    REQUIRE(long_head.status == 431);
    CHECK(f.row("large-head", "status_code = 431 AND endpoint = '/api/v1/jobs'") == 1);
    auto const nothing_read = f.service.send("GET /api/v1/jobs HTTP/1.1\r\nX-Long: " + std::string(40 * 1024, 'x') +
                                             "\r\n" + lines_of("credential-unread", f.secret) + "\r\n");
    REQUIRE(nothing_read.status == 431);
    CHECK(f.rows("request_id = 'credential-unread'") == 0);
}

TEST_CASE("a row for a body that never ends, refused 408", "[auth_api][audit][408]") {
    every_fixture f;
    auto const answer = f.service.send("POST /api/v1/agent/invoke HTTP/1.1\r\n" + lines_of("endless-body", f.secret) +
                                       "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{");
    REQUIRE(answer.status == 408);
    CHECK(f.row("endless-body", "status_code = 408 AND error_code = 'request_timeout' AND "
                                "endpoint = '/api/v1/agent/invoke'") == 1);
}

TEST_CASE(
    "Service-Organization sent twice is 400 at the service too, and upper case and dashes mean the same organization",
    "[auth_api][audit][400]") {
    every_fixture f;
    auto const id = to_string(f.organization.id);
    auto const line = "Service-Organization: " + id + "\r\n";
    auto const twice = f.service.get("/me", f.secret, "X-Request-Id: organization-twice\r\n" + line + line);
    REQUIRE(twice.status == 400);
    CHECK(error_of(twice).at("details").at(0).at("field").as_string() == "Service-Organization");
    CHECK(error_of(twice).at("details").at(0).at("reason").as_string() == "repeated");
    CHECK(f.row("organization-twice", "status_code = 400 AND endpoint = '/api/v1/me'") == 1);
}

TEST_CASE("Authorization without Bearer says what to do, and never repeats the credential", "[auth_api][audit][401]") {
    every_fixture f;
    for (auto const& value : {f.secret, "Token " + f.secret, std::string("Basic dXNlcjpwYXNz")}) {
        auto const answer =
            f.service.get("/me", "", "X-Request-Id: without-bearer\r\nAuthorization: " + value + "\r\n");
        REQUIRE(answer.status == 401);
        auto const error = error_of(answer);
        CHECK(error.at("code").as_string() == "invalid_credential");
        CHECK(error.at("details").at(0).at("reason").as_string() == "not_a_bearer_token");
        CHECK(answer.body.find("Authorization: Bearer <API_KEY>") != std::string::npos);
        CHECK(answer.body.find(value) == std::string::npos);
        CHECK(answer.header("www-authenticate") == R"(Bearer realm="api", error="invalid_token")");
    }
    CHECK(f.rows("request_id = 'without-bearer'") == 0); // nothing was looked up
}

TEST_CASE("expired and revoked keys say when, a missing scope is named, and so are the roles that would do",
          "[auth_api][401][403]") {
    every_fixture f;
    auto const narrow = make_key(f.database.owner(), f.slug, f.admin, {"jobs:read"}).secret;
    auto const scope = f.service.get("/members", narrow);
    REQUIRE(scope.status == 403);
    CHECK(error_of(scope).at("details").at(0).at("field").as_string() == "scope");
    CHECK(error_of(scope).at("details").at(0).at("reason").as_string() == "missing_scope");
    CHECK(error_of(scope).at("details").at(0).at("message").as_string() == "The API key lacks the scope members:read.");
    CHECK(scope.header("www-authenticate") == R"(Bearer error="insufficient_scope", scope="members:read")");

    auto const owner = "r@" + f.slug + ".example";
    static_cast<void>(make_member(f.database.owner(), f.slug, owner, role::recruiter));
    auto const demoted = make_key(f.database.owner(), f.slug, owner, {"*"}).secret;
    f.database.owner().run("UPDATE recruiting.memberships SET role = 'viewer' WHERE role = 'recruiter'");
    auto const role = f.service.get("/candidates", demoted);
    REQUIRE(role.status == 403);
    CHECK(error_of(role).at("details").at(0).at("field").as_string() == "role");
    CHECK(std::string(error_of(role).at("message").as_string()).find("admin, recruiter, hiring_manager") !=
          std::string::npos);

    auto const states = {std::pair{"expires_at", "expired"}, std::pair{"revoked_at", "revoked"}};
    for (auto const& [column, reason] : states) {
        f.database.owner().run(std::string("UPDATE recruiting.api_keys SET ") + column +
                               " = '2026-01-31T09:30:00.123456Z' WHERE name <> 'never'");
        auto const refused = f.service.get("/me", f.secret);
        REQUIRE(refused.status == 401);
        auto const error = error_of(refused);
        auto const& detail = error.at("details").at(0);
        CHECK(detail.at("reason").as_string() == reason);
        CHECK(std::string(detail.at("message").as_string()).find("2026-01-31T09:30:00.123Z") != std::string::npos);
        CHECK(std::string(error.at("message").as_string()).find("2026-01-31T09:30:00.123Z") != std::string::npos);
    }
}

} // namespace audit_every_test
