// When the gateway makes a request a second time, and when never: seen byte by byte at the services.
#include "integration/gateway/harness.hpp"
#include "integration/gateway/upstream.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

namespace retry_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;
using gateway::gateway_settings;

namespace {

constexpr std::uint16_t nobody = 1;

gateway_harness::adjust served_by(std::initializer_list<std::uint16_t> ports) {
    return [ports = std::vector<std::uint16_t>(ports)](gateway_settings& s) {
        s.upstreams[0].clear();
        for (auto const port : ports) s.upstreams[0].push_back({{"127.0.0.1", port, {}}});
        s.upstreams[1] = s.at(nobody);
    };
}

// Ends the connection when it has read a request, for as often as the test says; after that answers.
struct ending {
    std::shared_ptr<std::atomic<int>> left;
    explicit ending(int times) : left(std::make_shared<std::atomic<int>>(times)) {}
    [[nodiscard]] recording_upstream::script script() const {
        return [left = left](std::string const& request) {
            return left->fetch_sub(1) > 0 ? std::string() : recording_upstream::ok(request);
        };
    }
};

constexpr int always = 1'000'000;

http_answer post(gateway_harness const& gateway, std::string const& lines = {}, std::string const& body = "x") {
    http_client client(gateway.port());
    client.send("POST /api/v1/x HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
                lines + "\r\n" + body);
    return client.receive();
}

} // namespace

TEST_CASE("a GET whose service ends silently is made once more, the same byte by byte", "[gateway][upstream][retry]") {
    test_clock const clock;
    ending const once(1);
    recording_upstream a(once.script());
    recording_upstream b(once.script());
    gateway_harness const gateway(clock, served_by({a.port(), b.port()}));
    http_client client(gateway.port());
    client.send("GET /api/v1/x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody");
    CHECK(client.receive().status == 200);
    REQUIRE(a.requests().size() == 1); // on the other address
    REQUIRE(b.requests().size() == 1);
    CHECK(a.requests()[0] == b.requests()[0]);
    CHECK(a.requests()[0].ends_with("\r\n\r\nbody"));
}

TEST_CASE("a GET is not repeated more than once", "[gateway][upstream][retry]") {
    test_clock const clock;
    ending const never(always);
    recording_upstream a(never.script());
    recording_upstream b(never.script());
    recording_upstream c(never.script());
    gateway_harness const gateway(clock, served_by({a.port(), b.port(), c.port()}));
    auto const answer = http_client(gateway.port()).get("/api/v1/x");
    CHECK(answer.status == 503);
    CHECK(answer.header("retry-after") == "1");
    CHECK(a.requests().size() + b.requests().size() + c.requests().size() == 2);
}

TEST_CASE("a POST that was sent is never made again", "[gateway][upstream][retry]") {
    test_clock const clock;
    ending const never(always);
    recording_upstream a(never.script());
    recording_upstream b(never.script());
    gateway_harness const gateway(clock, served_by({a.port(), b.port()}));
    auto const seen = [&] { return a.requests().size() + b.requests().size(); };
    auto const lost = post(gateway);
    CHECK(lost.status == 500);
    CHECK(lost.body.find("outcome_unknown") != std::string::npos);
    CHECK(seen() == 1);
    auto const keyed = post(gateway, "Idempotency-Key: a\r\n"); // its client may repeat it
    CHECK(keyed.status == 503);
    CHECK(keyed.header("retry-after") == "1");
    CHECK(seen() == 2);
    auto const large = post(gateway, {}, std::string(200'000, 'x'));
    CHECK(large.status == 500);
    CHECK(seen() == 3);
}

TEST_CASE("a POST on a connection that was kept, and is lost with it, is not made again",
          "[gateway][upstream][retry]") {
    test_clock const clock;
    std::atomic<bool> end{false};
    recording_upstream a([&](std::string const& r) { return end ? std::string() : recording_upstream::ok(r); });
    gateway_harness const gateway(clock, served_by({a.port()}));
    CHECK(post(gateway).status == 200);
    end = true;
    CHECK(post(gateway).status == 500);
    CHECK(a.requests().size() == 2);
    CHECK(a.connections() == 1);
}

TEST_CASE("a request that could not be sent goes to another address, whatever it is", "[gateway][upstream][retry]") {
    test_clock const clock;
    recording_upstream a;
    gateway_harness const gateway(clock, served_by({nobody, a.port()}));
    for (int i = 0; i < 10; ++i) {
        CHECK(post(gateway).status == 200);
        CHECK(http_client(gateway.port()).get("/api/v1/x").status == 200);
    }
    std::string const large(300'000, 'x');
    for (int i = 0; i < 5; ++i) CHECK(post(gateway, {}, large).status == 200);
    http_client chunked(gateway.port());
    chunked.send("POST /api/v1/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
    chunked.send("3\r\nabc\r\n0\r\n\r\n");
    CHECK(chunked.receive().status == 200);
    REQUIRE(a.requests().size() == 26);
    CHECK(a.requests()[24].ends_with("\r\n\r\n" + large));
    CHECK(a.requests()[25].ends_with("\r\n\r\n3\r\nabc\r\n0\r\n\r\n"));
}

TEST_CASE("connections the service closed while they lay idle cost no request", "[gateway][upstream][retry]") {
    test_clock const clock;
    recording_upstream a;
    gateway_harness const gateway(clock, served_by({a.port()}));
    for (int i = 0; i < 20; ++i) {
        CHECK(post(gateway).status == 200);
        a.drop_connections();
        CHECK(http_client(gateway.port()).get("/api/v1/x").status == 200);
        a.drop_connections();
    }
    CHECK(a.requests().size() == 40);
}

TEST_CASE("a request is tried at two addresses at most", "[gateway][upstream][retry]") {
    test_clock const clock;
    gateway_harness const gateway(clock, served_by({nobody, 2, 3, 4}));
    auto const failures = [&] { return gateway.metric("recruiting_gateway_upstream_connect_failures_total"); };
    auto const first = post(gateway).status;
    CHECK(first == 503);
    CHECK(failures() <= 2); // fewer when the health checks were there first
    for (int i = 0; i < 20; ++i) CHECK(post(gateway).status == 503);
}

TEST_CASE("an answer that is no HTTP, and one that does not come, are no reason to repeat a GET",
          "[gateway][upstream][retry]") {
    test_clock const clock;
    std::atomic<bool> slow{false};
    recording_upstream a([&](std::string const&) -> std::string {
        if (!slow) return "nonsense\r\n\r\n";
        std::this_thread::sleep_for(300ms);
        return {};
    });
    auto const settings = served_by({a.port(), a.port()});
    gateway_harness const gateway(clock, [&](gateway_settings& s) {
        settings(s);
        s.response_timeout = 100ms;
    });
    CHECK(http_client(gateway.port()).get("/api/v1/x").status == 503);
    CHECK(a.requests().size() == 1);
    slow = true;
    CHECK(http_client(gateway.port()).get("/api/v1/x").status == 503);
    CHECK(a.requests().size() == 2);
}

} // namespace retry_test
