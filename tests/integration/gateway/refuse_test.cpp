// What the gateway refuses, and what it answers when a service is away or lost.
#include "integration/gateway/harness.hpp"
#include "integration/gateway/upstream.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

namespace refuse_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

bool holds(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

struct setup {
    explicit setup(recording_upstream::script answer = recording_upstream::ok, gateway_harness::adjust more = {})
        : auth(std::make_unique<recording_upstream>(std::move(answer))),
          gateway(clock, [this, more](gateway::gateway_settings& s) {
              s.upstreams[0] = s.at(auth->port());
              s.upstreams[1] = s.at(1); // nothing is there
              if (more) more(s);
          }) {}

    [[nodiscard]] http_answer post(std::string const& lines = {}) const {
        http_client client(gateway.port());
        client.send("POST /api/v1/x HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n" + lines + "\r\nx");
        return client.receive();
    }

    test_clock clock;
    std::unique_ptr<recording_upstream> auth;
    gateway_harness gateway;
};

} // namespace

TEST_CASE("malformed requests are answered 400, closed, and reach no service", "[gateway][refuse]") {
    setup s;
    std::string const good = "GET /api/v1/x HTTP/1.1\r\nHost: h\r\n\r\n";
    for (std::string const text :
         {"GET /api/v1/x HTTP/1.1\r\n\r\n", "GET /api/v1/x HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n",
          "GET /api/v1/x HTTP/1.1\r\nHost: a b\r\n\r\n", "GET /api/v1/x HTTP/1.1\nHost: h\n\n",
          "GET /api/v1/x HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n", "GET /api/v1/x HTTP/1.1\r\nHost : h\r\n\r\n",
          "GET /api/v1/x HTTP/1.10\r\nHost: h\r\n\r\n", "\x16\x03\x01\x02",
          "POST /api/v1/x HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          "POST /api/v1/x HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
          "POST /api/v1/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
          "GET /api%2fv1/x HTTP/1.1\r\nHost: h\r\n\r\n",
          "GET /api/v1/x HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"}) {
        INFO(text);
        http_client client(s.gateway.port());
        client.send(text + good);
        auto const answer = client.receive();
        CHECK(answer.status == 400);
        CHECK(answer.header("connection") == "close");
        CHECK(holds(answer.body, "\"code\":\"invalid_request\""));
        CHECK_FALSE(answer.header("x-request-id").empty());
        CHECK(client.ended());
    }
    CHECK(s.auth->requests().empty());
}

TEST_CASE("heads beyond the limits", "[gateway][refuse]") {
    setup s;
    auto const status_of = [&](std::string const& text) {
        http_client client(s.gateway.port());
        client.send(text);
        return client.receive().status;
    };
    CHECK(status_of("GET /api/v1/" + std::string(9000, 'a')) == 414);
    CHECK(status_of("GET /api/v1/x HTTP/1.1\r\nX: " + std::string(40'000, 'a')) == 431);
    CHECK(status_of("GET /api/v1/x HTTP/1.1\r\nHost: h\r\nX: " + std::string(20'000, 'a') + "\r\n\r\n") == 431);
    std::string const line = "X: " + std::string(10'000, 'a') + "\r\n";
    CHECK(status_of("GET /api/v1/x HTTP/1.1\r\nHost: h\r\n" + line + line + "\r\n") == 200);
}

TEST_CASE("TRACE and CONNECT", "[gateway][refuse]") {
    setup s;
    http_client client(s.gateway.port());
    auto const trace = client.get("/api/v1/x", {}, "TRACE");
    CHECK(trace.status == 405);
    CHECK_FALSE(trace.header("allow").empty());
    client.send("CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n");
    CHECK(client.receive().status == 405);
    CHECK(client.ended());
    CHECK(s.auth->requests().empty());
}

TEST_CASE("slow and quiet clients", "[gateway][refuse]") {
    setup s(recording_upstream::ok, [](gateway::gateway_settings& settings) {
        settings.headers_timeout = settings.idle_timeout = settings.body_timeout = std::chrono::seconds{1};
    });
    http_client slow(s.gateway.port());
    slow.send("GET /api/v1/x HTTP/1.1\r\n");
    CHECK(slow.receive().status == 408);
    http_client body(s.gateway.port());
    body.send("POST /api/v1/x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nx");
    CHECK(body.receive().status == 408);
    http_client quiet(s.gateway.port());
    CHECK(quiet.receive_all().empty());
}

TEST_CASE("a service that is away", "[gateway][refuse]") {
    setup s;
    http_client client(s.gateway.port());
    auto const answer = client.get("/api/public/v1/jobs", "Accept: application/problem+json\r\n");
    CHECK(answer.status == 503);
    CHECK(answer.header("retry-after") == "1");
    CHECK(answer.header("access-control-allow-origin") == "*");
    CHECK(answer.header("content-type") == "application/problem+json");
    CHECK_FALSE(answer.header("ratelimit").empty());
    client.send("POST /api/public/v1/x HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx");
    CHECK(client.receive().status == 503); // never forwarded
    CHECK(client.get("/api/v1/x").status == 200);
}

TEST_CASE("a service that dies while it has the request", "[gateway][refuse]") {
    for (std::string const answer :
         {"", "nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
          "HTTP/1.1 101 Switching Protocols\r\n\r\n"}) {
        INFO(answer);
        setup s([&](std::string const&) { return answer.empty() ? answer : answer + recording_upstream::close_mark; });
        http_client client(s.gateway.port());
        CHECK(client.get("/api/v1/x").status == 503);
        auto const lost = s.post();
        CHECK(lost.status == 500);
        CHECK(holds(lost.body, "outcome_unknown"));
        CHECK(s.post("Idempotency-Key: a\r\n").status == 503);
    }
}

TEST_CASE("a service that does not answer in time", "[gateway][refuse]") {
    setup s(
        [](std::string const&) {
            std::this_thread::sleep_for(std::chrono::milliseconds{400});
            return recording_upstream::ok({});
        },
        [](gateway::gateway_settings& settings) {
            settings.response_timeout = settings.run_timeout = std::chrono::milliseconds{100};
        });
    http_client client(s.gateway.port());
    CHECK(client.get("/api/v1/x").status == 503);
    CHECK(s.post().status == 500);
}

TEST_CASE("an answer that breaks off ends the client's connection", "[gateway][refuse]") {
    setup s([](std::string const&) {
        return std::string("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc") + recording_upstream::close_mark;
    });
    http_client client(s.gateway.port());
    client.send("GET /api/v1/x HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(client.receive_all().ends_with("\r\n\r\nabc"));
}

TEST_CASE("a service that restarted costs no request", "[gateway][refuse]") {
    setup s;
    http_client client(s.gateway.port());
    REQUIRE(client.get("/api/v1/x").status == 200);
    for (int round = 0; round < 5; ++round) {
        s.auth->drop_connections();
        CHECK(client.get("/api/v1/x").status == 200);
        s.auth->drop_connections();
        CHECK(s.post().status == 200);
    }
}

TEST_CASE("a drain lets requests finish and closes idle connections", "[gateway][refuse]") {
    std::atomic<bool> let_go{false};
    setup s([&](std::string const& request) {
        while (holds(request, "/slow") && !let_go) std::this_thread::sleep_for(std::chrono::milliseconds{2});
        return recording_upstream::ok(request);
    });
    http_client idle(s.gateway.port());
    CHECK(idle.get("/api/v1/x").status == 200);
    http_client busy(s.gateway.port());
    busy.send("GET /api/v1/slow HTTP/1.1\r\nHost: h\r\n\r\n");
    REQUIRE(eventually([&] { return s.auth->requests().size() == 2; }));
    s.gateway.drain();
    CHECK(idle.ended());
    CHECK_FALSE(s.gateway.idle());
    let_go = true;
    auto const answer = busy.receive();
    CHECK(answer.status == 200);
    CHECK(answer.header("connection") == "close");
    CHECK(eventually([&] { return s.gateway.idle(); }));
}

} // namespace refuse_test
