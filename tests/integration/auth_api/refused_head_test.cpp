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

std::string of_nobody(environment where = environment::test) { return generate_secret(where).secret; }

// The head of a request whose body never comes.
std::string head(std::string const& lines, std::string const& framing = "Content-Length: 100\r\n",
                 std::string const& line = "POST /api/v1/agent/invoke") {
    return line + " HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nX-Request-Id: the-attacker\r\n" +
           lines + framing + "\r\n";
}

struct attempt {
    std::string lines; // of the head
    unsigned status;
    std::string code;
};

} // namespace

TEST_CASE("a missing or malformed credential is refused from the head alone, as it is with the body",
          "[auth_api][401]") {
    fixture f;
    auto const [lines, status, code] = GENERATE(
        attempt{"", 401, "missing_credential"}, attempt{"Authorization: Basic eDp5\r\n", 401, "invalid_credential"},
        attempt{"Authorization: Bearer\r\n", 401, "invalid_credential"},
        attempt{bearer("sp_test_0123456789012345678901234567890123456789"), 401, "invalid_credential"}, // the checksum
        attempt{bearer(of_nobody(environment::live)), 401, "wrong_environment"},
        attempt{bearer(of_nobody()) + bearer(of_nobody()), 400, "invalid_request"},
        attempt{bearer(of_nobody()) + "Cookie: sp_session=1\r\n", 400, "invalid_request"},
        attempt{bearer(of_nobody()), 401, "invalid_credential"}); // well-formed, and nobody's
    INFO(lines);
    auth_api_harness const service(f.database.auth_url());
    for (std::string const framing : {"Content-Length: 100\r\n", "Transfer-Encoding: chunked\r\n",
                                      "Content-Length: 100\r\nExpect: 100-continue\r\n"}) {
        INFO(framing);
        auto const refused = service.send(head(lines, framing)); // after ten seconds it would be 408
        auto const complete = service.send(head(lines, "Content-Length: 2\r\n") + "{}");
        CHECK(refused.status == status);
        CHECK(refused.body.find("\"" + code + "\"") != std::string::npos);
        CHECK(refused.body == complete.body);
        CHECK(refused.header("connection") == "close");
        auto without = refused.headers;
        auto expected = complete.headers;
        for (auto* const each : {&without, &expected})
            for (auto const* name : {"connection", "date"}) each->erase(name);
        CHECK(without == expected); // WWW-Authenticate among them
    }
    CHECK(f.rows("true") == 0);
}

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

TEST_CASE("hundreds of keyless requests whose bodies never come keep nobody waiting", "[auth_api][401]") {
    fixture f;
    std::uint16_t port = 0;
    auth_api_harness const service(f.database.auth_url(), false,
                                   [&](auth_api::settings& config) { port = config.api.listen.port; });
    std::list<http_client> attackers;
    for (int i = 0; i < 300; ++i) attackers.emplace_back(port).send(head(i % 2 == 0 ? "" : bearer(of_nobody())));
    CHECK(service.get("/me", f.secret).status == 200);
    for (auto& attacker : attackers) {
        CHECK(attacker.receive().status == 401);
        CHECK(attacker.ended());
    }
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
