// The phases that decide, over whole requests.
#include "core/ids.hpp"
#include "gateway/answers/credential_exposure.hpp"
#include "gateway/phases.hpp"
#include "support/catch.hpp"

namespace phases_test {
using namespace recruiting;
using namespace recruiting::gateway;

namespace {

client_request x;

std::optional<refusal> read(std::string const& line, std::string const& fields = {}) {
    x.reset();
    x.head_text = line + " HTTP/1.1\r\nHost: api.example\r\n" + fields + "\r\n";
    return read_request(x);
}

// "" when admitted, else the error code.
std::string admitted(std::string const& line, std::string const& fields = {}) {
    if (auto const refused = read(line, fields)) return std::string(to_string(refused->error.code));
    auto const refused = admit(x, {});
    return refused ? std::string(to_string(refused->error.code)) : "";
}

} // namespace

TEST_CASE("a request keeps its good request id", "[gateway][phases]") {
    CHECK_FALSE(read("GET /api/v1/me", "X-Request-Id: abc-DEF_123\r\n"));
    CHECK(x.request_id == "abc-DEF_123");
    CHECK_FALSE(read("GET /api/v1/me", "X-Request-Id: bad id\r\n"));
    CHECK(is_request_id(x.request_id));
    CHECK(x.request_id != "bad id");
    CHECK_FALSE(read("GET /api/v1/me", "X-Request-Id: abcdefgh1\r\nX-Request-Id: abcdefgh2\r\n"));
    CHECK(x.request_id.size() == 32);
}

TEST_CASE("a trace goes on for callers that are believed, and begins anew for all others", "[gateway][phases]") {
    std::string const field = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n";
    tracing::tracer const never(0, nullptr);
    std::vector<ip_network> const trusted = {*parse_network("10.0.0.0/8")};
    auto const entered = [&](std::string const& peer, std::string const& fields) {
        REQUIRE_FALSE(read("GET /api/v1/me", fields));
        enter_trace(x, *parse_ip(peer), trusted, never);
        CHECK(x.trace.trace != tracing::trace_id{});
        CHECK(x.call == x.trace);
        return x.caller.has_value();
    };
    CHECK(entered("10.1.2.3", field));
    CHECK(std::string_view(tracing::trace_text(x.trace)) == "0af7651916cd43dd8448eb211c80319c");
    CHECK(x.trace.span != x.caller->span); // this hop's own
    CHECK(x.trace.sampled);
    CHECK_FALSE(entered("203.0.113.7", field));
    CHECK(std::string_view(tracing::trace_text(x.trace)) != "0af7651916cd43dd8448eb211c80319c");
    CHECK_FALSE(x.trace.sampled);
    CHECK_FALSE(entered("10.1.2.3", "traceparent: nonsense\r\n"));
    CHECK_FALSE(entered("10.1.2.3", field + field)); // two say nothing
}

TEST_CASE("requests with more than one meaning close the connection", "[gateway][phases]") {
    for (std::string const fields :
         {"Host: b\r\n", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "Content-Length: x\r\n",
          "Upgrade: websocket\r\nConnection: upgrade\r\n", "Connection: host\r\n", "X: a\r\n b\r\n",
          "Authorization: a\r\nAuthorization: a\r\n", "Cookie: a\r\nCookie: b\r\n", "Transfer-Encoding: gzip\r\n"}) {
        INFO(fields);
        auto const refused = read("GET /api/v1/me", fields);
        REQUIRE(refused);
        CHECK(refused->error.code == error_code::invalid_request);
        CHECK(refused->close);
    }
    CHECK(admitted("GET /api/v1/me", "Expect: 200-ok\r\n") == "expectation_failed");
    CHECK(admitted("POST /api/v1/me", "Transfer-Encoding: gzip, chunked\r\n") == "not_implemented");
    for (std::string const line :
         {"GET /api%2fv1/me", "GET /../x", "GET x", "GET *", "GET http://other.example/api/v1/me"}) {
        INFO(line);
        CHECK(read(line));
    }
    CHECK_FALSE(read("GET http://api.example/api/v1/me"));
    CHECK_FALSE(read("GET /api/v1/me", "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: x\r\n"));
    x.reset();
    x.head_text = "GET /api/v1/me HTTP/1.1\r\n\r\n";
    CHECK(read_request(x));
    x.reset();
    x.head_text = "GET /api/v1/me HTTP/1.0\r\n\r\n";
    CHECK_FALSE(read_request(x));
    CHECK_FALSE(x.keep_alive);
    x.reset();
    x.head_text = "GET http://old.example/api/v1/me HTTP/1.0\r\n\r\n";
    CHECK_FALSE(read_request(x));
    CHECK(x.host == "old.example");
}

TEST_CASE("what may pass to a service", "[gateway][phases]") {
    CHECK(admitted("GET /api/v1/me").empty());
    CHECK(admitted("PATCH /api/v1/me").empty());
    CHECK(admitted("GET /api/public/v1/jobs").empty());
    CHECK(admitted("GET /elsewhere") == "not_found");
    CHECK(admitted("BREW /api/v1/me") == "not_implemented");
    CHECK(admitted("get /api/v1/me") == "not_implemented");
    CHECK(admitted("TRACE /api/v1/me") == "method_not_allowed");
    CHECK(admitted("CONNECT api.example:443") == "method_not_allowed");
    CHECK(admitted("POST /api/v1/x", "Content-Length: 1048576\r\n").empty());
    CHECK(admitted("POST /api/v1/x", "Content-Length: 1048577\r\n") == "payload_too_large");
    CHECK(admitted("POST /api/public/v1/x", "Content-Length: 65537\r\n") == "payload_too_large");
}

TEST_CASE("OPTIONS that ends at the edge", "[gateway][phases]") {
    auto const ends = [](std::string const& line) {
        REQUIRE_FALSE(read(line, {}));
        return ends_here(x);
    };
    CHECK(ends("OPTIONS *"));
    CHECK_FALSE(ends("OPTIONS /api/v1/me"));
}

TEST_CASE("a browser may read why a request to the public API is refused", "[gateway][phases]") {
    for (auto const& [line, fields] :
         std::initializer_list<std::pair<std::string, std::string>>{{"GET /api/public/v1/%00", ""},
                                                                    {"GET /api/public/v1/x", "X : y\r\n"},
                                                                    {"GET /api/public/v1", "Host: b\r\n"}}) {
        INFO(line);
        CHECK(read(line, fields));
        CHECK(x.cors);
    }
    CHECK(read("GET /api/v1/%00"));
    CHECK_FALSE(x.cors);
}

TEST_CASE("no API key reaches the public API", "[gateway][phases][credential]") {
    std::string const path = "GET /api/public/v1/jobs";
    std::string const key = "sp_live_" + std::string(34, 'k') + "3hPBeM"; // with its checksum
    for (std::string const& fields : {"Authorization: Bearer " + key, "authorization: " + key, "X-Api-Key: " + key,
                                      "Cookie: a=" + key, "X-Anything: a " + key + " b"}) {
        INFO(fields);
        CHECK(admitted(path, fields + "\r\n") == "credential_not_allowed");
        CHECK(admitted("GET /api/v1/jobs", fields + "\r\n").empty());
    }
    CHECK(admitted(path + "?key=" + key) == "credential_not_allowed");
    CHECK(admitted(path + "?key=sp%5Flive%5f" + key.substr(8)) == "credential_not_allowed");
    CHECK(admitted(path + "?q=sp_lives", "Authorization: Basic YTpi\r\nCookie: x=1\r\n").empty());
    static_cast<void>(read(path, "X-Key: " + key + "\r\n"));
    auto const refused = admit(x, {});
    REQUIRE(refused);
    CHECK(refused->error.details.at(0).field == "X-Key");
    for (auto const& detail : refused->error.details) CHECK(detail.message.find("sp_") == std::string::npos);
}

TEST_CASE("what counts", "[gateway][phases]") {
    auto const counted = [](std::string const& line, std::string const& fields = {}) {
        REQUIRE_FALSE(read(line, fields));
        return is_counted(x);
    };
    std::string const preflight = "Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n";
    CHECK(counted("GET /api/v1/none"));
    CHECK(counted("OPTIONS /api/v1/me", preflight));
    CHECK(counted("GET /api/%761/me"));
    CHECK(counted("GET /api/public/v1/jobs"));
    CHECK(counted("OPTIONS /api/public/v1/jobs"));
    CHECK_FALSE(counted("OPTIONS /api/public/v1/jobs", preflight));
    CHECK(counted("GET /careers/acme"));
    CHECK(counted("OPTIONS /careers/acme", preflight));
    CHECK_FALSE(counted("GET /healthz"));
    CHECK_FALSE(counted("GET /docs"));
    CHECK_FALSE(counted("POST /docs/errors.html"));
}

TEST_CASE("the client behind a trusted proxy", "[gateway][phases]") {
    std::vector<ip_network> const trusted = {*parse_network("10.0.0.0/8")};
    REQUIRE_FALSE(read("GET /api/v1/me", "X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-Proto: https\r\n"));
    find_client(x, *parse_ip("10.0.0.1"), trusted);
    CHECK(to_string(x.client) == "1.2.3.4");
    CHECK(x.https);
    x.https = false;
    find_client(x, *parse_ip("192.0.2.1"), trusted);
    CHECK(to_string(x.client) == "192.0.2.1");
    CHECK_FALSE(x.https);
}

TEST_CASE("pages take no key and no large body", "[gateway][phases]") {
    for (std::string const page : {"/careers/acme", "/interviews/tok3n", "/widget/v1.js"}) {
        INFO(page);
        CHECK(admitted("GET " + page).empty());
        CHECK(admitted("GET " + page, "Authorization: Bearer sp_test_" + std::string(34, 'k') + "3hPBeM\r\n") ==
              "credential_not_allowed");
        CHECK(admitted("POST " + page, "Content-Length: 65537\r\n") == "payload_too_large");
    }
}

} // namespace phases_test
