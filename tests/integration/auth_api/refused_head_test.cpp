// A request without a credential holds nothing: whoever has no key, or made one up, has no body awaited.
#include "auth_api/settings.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/cut_link.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <list>

namespace refused_head_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct fixture {
    test_database database;
    std::string slug = new_slug();
    directory::organization organization = make_organization(database.owner(), slug);
    std::string admin = "admin@" + slug + ".example";
    std::string secret = make_key(database.owner(), slug, admin, {"*"}).secret;

    std::int64_t rows(std::string const& condition) {
        return database.owner()
            .run("SELECT count(*) FROM audit_rows WHERE action = 'api.request' AND " + condition)
            .integer(0, 0);
    }
};

std::string bearer(std::string const& secret) { return "Authorization: Bearer " + secret + "\r\n"; }

std::string of_nobody(environment where = environment::test) { return generate_secret(where); }

// The head of a request whose body never comes.
std::string head(std::string const& lines, std::string const& framing = "Content-Length: 100\r\n",
                 std::string const& line = "POST /api/v1/agent/invoke") {
    return line + " HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nX-Request-Id: the-attacker\r\n" +
           lines + framing + "\r\n";
}

} // namespace

TEST_CASE("a keyless request holds nothing on any route, with any method", "[auth_api][401]") {
    fixture f;
    auth_api_harness const service(f.database.auth_url());
    for (std::string const line :
         {"GET /api/v1/me", "POST /api/v1/me", "PUT /api/v1/nothing", "DELETE /", "GET /api/v1/jobs?q=x"}) {
        INFO(line);
        CHECK(service.send(head("", "Content-Length: 100\r\n", line)).status == 401);
    }
    // Whoever reads the document needs no key, and has no body to send.
    CHECK(service.send(head("", "Content-Length: 100\r\n", "GET /api/v1/openapi.json")).status == 400);
    CHECK(service.send(head("", "", "GET /api/v1/openapi.json")).status == 200);
}

TEST_CASE("the body of a request with a key is awaited", "[auth_api]") {
    fixture f;
    std::uint16_t port = 0;
    auth_api_harness const service(f.database.auth_url(), false,
                                   [&](auth_api::settings& config) { port = config.api.listen.port; });
    http_client client(port);
    client.send(head(bearer(f.secret), "Content-Length: 22\r\nExpect: 100-continue\r\n"));
    REQUIRE(client.receive().status == 100);
    client.send(R"({"prompt":"Hello!")");
    client.send(R"(   })");
    REQUIRE(client.receive().status == 200);
    REQUIRE(f.rows("success") == 1);
}

TEST_CASE("with a key too, no body is awaited where none is read", "[auth_api][audit]") {
    fixture f;
    auth_api_harness const service(f.database.auth_url());
    CHECK(service.send(head(bearer(f.secret), "Content-Length: 100\r\n", "GET /api/v1/me")).status == 400);
    CHECK(f.rows("NOT success AND error_code = 'invalid_request' AND endpoint = '/api/v1/me'") == 1);
}

TEST_CASE("a key that was sent twice is in its owner's audit log, body or not", "[auth_api][audit]") {
    fixture f;
    auth_api_harness const service(f.database.auth_url());
    REQUIRE(service.send(head(bearer(f.secret) + bearer(f.secret))).status == 400);
    REQUIRE(f.rows("NOT success AND error_code = 'invalid_request' AND request_id = 'the-attacker' "
                   "AND endpoint = '/api/v1/agent/invoke'") == 1);
}

TEST_CASE("a made-up key has no body awaited while the database is unavailable", "[auth_api][503]") {
    fixture f;
    cut_link link(f.database.auth_url());
    auth_api_harness const service(link.url());
    link.cut();
    CHECK(service.send(head(bearer(of_nobody()))).status == 503);
    CHECK(service.send(head("")).status == 401); // for which no database is asked
}

} // namespace refused_head_test
