// What passes through the gateway, byte by byte, in both directions.
#include "integration/gateway/harness.hpp"
#include "integration/gateway/upstream.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace forward_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

bool holds(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

// The gateway between a client and two services of the test's making.
struct setup {
    explicit setup(recording_upstream::script answer = recording_upstream::ok, gateway_harness::adjust more = {})
        : auth(std::move(answer)), gateway(clock, [this, more](gateway::gateway_settings& s) {
              s.upstreams[0] = s.at(auth.port());
              s.upstreams[1] = s.at(open.port());
              if (more) more(s);
          }) {}

    test_clock clock;
    recording_upstream auth;
    recording_upstream open;
    gateway_harness gateway;
};

recording_upstream::script always(std::string answer) {
    return [answer = std::move(answer)](std::string const&) { return answer; };
}

} // namespace

TEST_CASE("each prefix goes to its service, nothing else to any", "[gateway][forward]") {
    setup s;
    http_client client(s.gateway.port());
    CHECK(client.get("/api/v1/me").body == "ok");
    CHECK(client.get("/api/public/v1/jobs", "Cookie: a=b\r\n").body == "ok");
    CHECK(client.get("/healthz").status == 404);
    auto const refused = client.get("/api/public/v1/jobs", "X-Api-Key: sp_live_" + std::string(34, 'k') + "3hPBeM\r\n");
    CHECK(refused.status == 400);
    CHECK(holds(refused.body, "credential_not_allowed"));
    CHECK(refused.header("access-control-allow-origin") == "*");
    auto const asked = [](std::vector<std::string> const& requests) { // the gateway's own checks aside
        return std::count_if(requests.begin(), requests.end(), [](auto const& one) { return holds(one, "GET /api/"); });
    };
    REQUIRE(asked(s.auth.requests()) == 1);
    REQUIRE(asked(s.open.requests()) == 1);
    CHECK_FALSE(holds(s.open.requests()[0], "Cookie"));
    CHECK(holds(s.auth.requests()[0], "\r\nX-Forwarded-For: 127.0.0.1\r\n"));
}

TEST_CASE("connections to a service are kept and used again", "[gateway][forward]") {
    setup s;
    for (int i = 0; i < 5; ++i) {
        http_client client(s.gateway.port());
        CHECK(client.get("/api/v1/me").status == 200);
    }
    CHECK(s.auth.connections() == 1);
}

TEST_CASE("the gateway answers pipelined requests in order", "[gateway][forward]") {
    setup s([](std::string const& request) {
        auto const path = request.substr(0, request.find(" HTTP"));
        return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(path.size()) + "\r\n\r\n" + path;
    });
    http_client client(s.gateway.port());
    client.send(
        "GET /api/v1/a HTTP/1.1\r\nHost: h\r\n\r\nPOST /api/v1/b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nxyz"
        "POST /api/v1/c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\nHEAD /api/v1/d "
        "HTTP/1.1\r\nHost: h\r\n\r\n");
    client.finish();
    CHECK(client.receive().body == "GET /api/v1/a");
    CHECK(client.receive().body == "POST /api/v1/b");
    CHECK(client.receive().body == "POST /api/v1/c");
    auto const requests = s.auth.requests();
    REQUIRE(requests.size() >= 3);
    CHECK(requests[1].ends_with("\r\n\r\nxyz"));
    CHECK(requests[2].ends_with("\r\n\r\n2\r\nhi\r\n0\r\n\r\n"));
}

TEST_CASE("chunk extensions and trailers do not pass", "[gateway][forward]") {
    setup s(always("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\nX-Trailer: 1\r\n\r\n"));
    http_client client(s.gateway.port());
    client.send("POST /api/v1/c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
                "chunked\r\n\r\n2;x=y\r\nhi\r\n0\r\nContent-Length: 9\r\n\r\n");
    CHECK(client.receive().body == "hi");
    CHECK(s.auth.requests().at(0).ends_with("\r\n\r\n2\r\nhi\r\n0\r\n\r\n"));
    CHECK(client.get("/api/v1/d").body == "hi");
}

TEST_CASE("answers without a body keep the connection", "[gateway][forward]") {
    setup s([](std::string const& request) -> std::string {
        if (holds(request, "/none")) return "HTTP/1.1 204 No Content\r\n\r\n";
        if (holds(request, "/same")) return "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n";
        if (request.starts_with("HEAD")) return "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
        return "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + recording_upstream::ok(request);
    });
    http_client client(s.gateway.port());
    CHECK(client.get("/api/v1/none").status == 204);
    auto const same = client.get("/api/v1/same");
    CHECK(same.status == 304);
    auto const head = client.get("/api/v1/x", {}, "HEAD");
    CHECK(head.header("content-length") == "1000");
    CHECK(client.get("/api/v1/x").body == "ok");
    CHECK(s.auth.connections() == 1);
}

TEST_CASE("an answer that ends with its connection", "[gateway][forward]") {
    setup s(always(std::string("HTTP/1.1 200 OK\r\n\r\nuntil the end") + recording_upstream::close_mark));
    http_client client(s.gateway.port());
    CHECK(client.get("/api/v1/x").body == "until the end");
    CHECK(client.get("/api/v1/x").body == "until the end"); // the client's connection stays
    http_client old(s.gateway.port());
    old.send("GET /api/v1/x HTTP/1.0\r\n\r\n");
    CHECK(old.receive_all().ends_with("\r\n\r\nuntil the end"));
}

TEST_CASE("large bodies pass in both directions", "[gateway][forward]") {
    std::string const large(3 * 1024 * 1024, 'x');
    setup s(
        [&](std::string const&) {
            return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(large.size()) + "\r\n\r\n" + large;
        },
        [&](gateway::gateway_settings& settings) { settings.body_limits[0] = 4 * 1024 * 1024; });
    http_client client(s.gateway.port());
    client.send("POST /api/v1/x HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(large.size()) + "\r\n\r\n" +
                large);
    CHECK(client.receive().body == large);
    CHECK(s.auth.requests().at(0).ends_with(large));
    CHECK(client.get("/api/v1/y").status == 200);
}

TEST_CASE("Expect: 100-continue", "[gateway][forward]") {
    setup s;
    http_client client(s.gateway.port());
    client.send("POST /api/v1/x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    CHECK(client.receive(true).status == 100);
    client.send("hi");
    CHECK(client.receive().status == 200);
    CHECK_FALSE(holds(s.auth.requests().at(0), "Expect"));
    client.send("POST /elsewhere HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    CHECK(client.receive().status == 404); // without asking for the body
}

TEST_CASE("a body over the limit", "[gateway][forward]") {
    setup s(recording_upstream::ok, [](gateway::gateway_settings& settings) { settings.body_limits[0] = 10; });
    http_client told(s.gateway.port());
    told.send("POST /api/v1/x HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n");
    CHECK(told.receive().status == 413);
    http_client chunked(s.gateway.port());
    chunked.send("POST /api/v1/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n");
    CHECK(chunked.receive().status == 413);
    CHECK(s.auth.requests().empty());
}

TEST_CASE("a body with bad chunks reaches no service whole", "[gateway][forward]") {
    setup s;
    http_client client(s.gateway.port());
    client.send("POST /api/v1/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    CHECK(client.receive().status == 400);
    CHECK(client.ended());
    CHECK(s.auth.requests().empty());
}

} // namespace forward_test
