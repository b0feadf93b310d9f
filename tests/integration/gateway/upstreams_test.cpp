// A service with several addresses: which of them gets a request, and what happens when some or all are away.
#include "integration/gateway/harness.hpp"
#include "integration/gateway/upstream.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

#include <arpa/inet.h>
#include <atomic>
#include <cstdlib>
#include <future>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace upstreams_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;
using gateway::gateway_settings;

namespace {

constexpr std::uint16_t nobody = 1; // no service listens on port 1

gateway::service_addresses addresses(std::initializer_list<std::uint16_t> ports) {
    gateway::service_addresses out;
    for (auto const port : ports) out.push_back({{"127.0.0.1", port, {}}});
    return out;
}

// Each address answers its health check where it serves.
gateway::service_addresses with_health(gateway::service_addresses out) {
    for (auto& one : out) one.health_port = one.where.port;
    return out;
}

gateway_harness::adjust served_by(gateway::service_addresses list, gateway_harness::adjust const& more = {}) {
    return [list = std::move(list), more](gateway_settings& s) {
        s.upstreams[0] = list;
        s.upstreams[1] = s.at(nobody);
        if (more) more(s);
    };
}

http_answer get(gateway_harness const& gateway, std::string const& path = "/api/v1/x") {
    return http_client(gateway.port()).get(path);
}

// Answers "/hold" when released, all else at once.
struct holding {
    std::shared_ptr<std::promise<void>> promise = std::make_shared<std::promise<void>>();
    std::shared_future<void> released = promise->get_future().share();
    [[nodiscard]] recording_upstream::script script() const {
        return [released = released](std::string const& request) {
            if (request.find("/hold") != std::string::npos) released.wait();
            return recording_upstream::ok(request);
        };
    }
    void release() const { promise->set_value(); }
};

// Connections to it are neither taken nor refused.
class silent_listener {
public:
    silent_listener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        ::bind(fd_, reinterpret_cast<sockaddr*>(&address), size);
        ::listen(fd_, 0);
        ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
        port_ = ntohs(address.sin_port);
        for (auto& one : fill_) {
            one = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
            ::connect(one, reinterpret_cast<sockaddr*>(&address), size);
        }
    }
    ~silent_listener() {
        for (int const one : fill_) ::close(one);
        ::close(fd_);
    }
    silent_listener(silent_listener const&) = delete;
    silent_listener& operator=(silent_listener const&) = delete;
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

private:
    int fd_;
    int fill_[4]{};
    std::uint16_t port_{0};
};

} // namespace

TEST_CASE("the address with the fewest requests under way gets the next", "[gateway][upstream]") {
    test_clock const clock;
    holding const hold;
    recording_upstream a(hold.script());
    recording_upstream b(hold.script());
    gateway_harness const gateway(clock, served_by(addresses({a.port(), b.port()})));
    for (int i = 0; i < 60; ++i) CHECK(get(gateway).status == 200);
    CHECK(a.count("GET") > 10); // ties go to either
    CHECK(b.count("GET") > 10);
    http_client waiting(gateway.port());
    waiting.send("GET /api/v1/hold HTTP/1.1\r\nHost: h\r\n\r\n");
    REQUIRE(eventually([&] { return a.count("/hold") + b.count("/hold") == 1; }));
    auto& other = a.count("/hold") == 0 ? a : b;
    auto const before = other.count("/next");
    for (int i = 0; i < 20; ++i) CHECK(get(gateway, "/api/v1/next").status == 200);
    CHECK(other.count("/next") == before + 20);
    hold.release();
    CHECK(waiting.receive().status == 200);
}

TEST_CASE("connections to a service are kept and used again", "[gateway][upstream]") {
    test_clock const clock;
    recording_upstream a;
    gateway_harness const gateway(clock, served_by(addresses({a.port()})));
    for (int i = 0; i < 5; ++i) CHECK(get(gateway).status == 200);
    CHECK(a.connections() == 1);
}

TEST_CASE("a service that is away: what the client gets of the other service, and of this one", "[gateway][upstream]") {
    test_clock const clock;
    recording_upstream a;
    gateway_harness const gateway(clock, served_by(addresses({a.port()})));
    http_client client(gateway.port());
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

TEST_CASE("the only address there is gets requests however many it lost", "[gateway][upstream]") {
    test_clock const clock;
    recording_upstream a([](std::string const&) { return std::string(); });
    gateway_harness const gateway(clock, served_by(addresses({a.port()})));
    for (int i = 0; i < 10; ++i) CHECK(get(gateway).status == 503);
    CHECK(a.requests().size() == 10);
}

TEST_CASE("an address whose health check says no gets nothing while another is well", "[gateway][upstream]") {
    test_clock const clock;
    std::atomic<bool> ready{false};
    auto const script = [&](std::string const& request) -> std::string {
        bool const asked = request.starts_with("GET /readyz");
        return asked && !ready ? "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
                               : recording_upstream::ok(request);
    };
    recording_upstream a(script);
    recording_upstream b;
    gateway_harness const gateway(clock, served_by(with_health(addresses({a.port(), b.port()}))));
    // A second check is sent after the first one's answer was noted; before that an address may get requests.
    REQUIRE(eventually([&] { return a.count("/readyz") > 1 && b.count("/readyz") > 1; }));
    CHECK(gateway.metric("recruiting_gateway_upstream_addresses_ready") == 1);
    for (int i = 0; i < 30; ++i) CHECK(get(gateway).status == 200);
    CHECK(a.count("/api/v1/x") == 0);
    ready = true;
    CHECK(eventually([&] {
        static_cast<void>(get(gateway).status);
        return a.count("/api/v1/x") > 0;
    }));
}

TEST_CASE("services that are all up and all not ready answer for themselves", "[gateway][upstream]") {
    test_clock const clock;
    recording_upstream a([](std::string const& request) -> std::string {
        return request.starts_with("GET /readyz") ? "HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n"
                                                  : "HTTP/1.1 418 x\r\nContent-Length: 0\r\n\r\n";
    });
    gateway_harness const gateway(clock, served_by(with_health(addresses({a.port()}))));
    REQUIRE(eventually([&] { return a.count("/readyz") > 1; }));
    CHECK(get(gateway).status == 418);
    CHECK(gateway.metric("recruiting_gateway_upstream_up", "auth-api") == 1);
}

TEST_CASE("a service on unix sockets", "[gateway][upstream]") {
    test_clock const clock;
    char directory[] = "/tmp/recruiting-upstream-XXXXXX";
    REQUIRE(::mkdtemp(directory) != nullptr);
    auto const path = std::string(directory) + "/socket";
    {
        recording_upstream a(recording_upstream::ok, path);
        gateway_harness const gateway(clock, served_by({{{{}, 0, path}}}));
        REQUIRE(eventually([&] { return gateway.metric("recruiting_gateway_upstream_addresses_ready") == 1; }));
        CHECK(get(gateway).body == "ok");
        http_client old(gateway.port());
        old.send("GET /api/v1/old HTTP/1.0\r\n\r\n");
        CHECK(old.receive().status == 200);
        CHECK(a.requests().back().find("\r\nHost: localhost\r\n") != std::string::npos);
    }
    ::unlink(path.c_str());
    ::rmdir(directory);
}

TEST_CASE("every address of a name is an address of the service", "[gateway][upstream]") {
    test_clock const clock;
    recording_upstream a; // on 127.0.0.1 only: localhost may have another address, where nobody is
    gateway_harness const gateway(clock, served_by({{{"localhost", a.port(), {}}, a.port()}}));
    for (int i = 0; i < 20; ++i) CHECK(get(gateway).status == 200); // the first waits for the name's addresses
    CHECK(eventually([&] { return gateway.metric("recruiting_gateway_upstream_addresses_ready") == 1; }));
    CHECK(gateway.metric("recruiting_gateway_upstream_addresses", "localhost") >= 1);
}

TEST_CASE("a name that does not resolve is a service that is away", "[gateway][upstream]") {
    test_clock const clock;
    gateway_harness const gateway(clock, served_by({{{"nowhere.invalid", 80, {}}}}));
    auto const answer = get(gateway);
    CHECK(answer.status == 503);
    CHECK(answer.header("retry-after") == "1");
    CHECK(eventually([&] { return gateway.metric("recruiting_gateway_upstream_up", "auth-api") == 0; }));
}

TEST_CASE("all addresses refuse: 503 with Retry-After at once, and service as soon as one is back",
          "[gateway][upstream]") {
    test_clock const clock;
    auto a = std::make_unique<recording_upstream>();
    auto const port = a->port();
    a.reset();
    gateway_harness const gateway(clock, served_by(addresses({nobody, port})));
    for (int i = 0; i < 20; ++i) {
        auto const answer = get(gateway);
        CHECK(answer.status == 503);
        CHECK(answer.header("retry-after") == "1");
        CHECK(answer.body.find("service_unavailable") != std::string::npos);
    }
    CHECK(eventually([&] { return gateway.metric("recruiting_gateway_upstream_up", "auth-api") == 0; }));
    a = std::make_unique<recording_upstream>(recording_upstream::ok, port);
    CHECK(eventually([&] { return get(gateway).status == 200; }));
}

TEST_CASE("an address that does not answer a connection costs one request its connect deadline at most",
          "[gateway][upstream]") {
    test_clock const clock;
    silent_listener const silent;
    gateway_harness const gateway(clock, served_by(addresses({silent.port()})));
    CHECK(get(gateway).status == 503);
    REQUIRE(eventually([&] { return gateway.metric("recruiting_gateway_upstream_up", "auth-api") == 0; }));
    auto const tried = gateway.metric("recruiting_gateway_upstream_connect_failures_total");
    for (int i = 0; i < 20; ++i) CHECK(get(gateway).status == 503);
    CHECK(gateway.metric("recruiting_gateway_upstream_connect_failures_total") ==
          tried); // nobody waits for what is known
}

TEST_CASE("requests over the bound wait for their turn, a bounded number of them", "[gateway][upstream]") {
    test_clock const clock;
    holding const hold;
    recording_upstream a(hold.script());
    gateway_harness const gateway(clock, served_by(addresses({a.port()}), [](gateway_settings& s) {
                                      s.upstream_requests = 1; // and as many wait
                                  }));
    std::string const text = "GET /api/v1/hold HTTP/1.1\r\nHost: h\r\n\r\n";
    http_client first(gateway.port());
    first.send(text);
    REQUIRE(eventually([&] { return a.count("/hold") == 1; }));
    http_client second(gateway.port());
    second.send(text);
    REQUIRE(eventually([&] { return gateway.metric("recruiting_gateway_upstream_requests_waiting") == 1; }));
    CHECK(gateway.metric("recruiting_gateway_upstream_requests_in_flight") == 1);
    auto const third = get(gateway);
    CHECK(third.status == 503);
    CHECK(third.header("retry-after") == "1");
    CHECK(gateway.metric("recruiting_gateway_upstream_rejected_total", "queue_full") == 1);
    CHECK(a.requests().size() == 1);
    hold.release();
    CHECK(first.receive().status == 200);
    CHECK(second.receive().status == 200);
    CHECK(get(gateway).status == 200);
}

TEST_CASE("a request that waited too long is answered 503", "[gateway][upstream]") {
    test_clock const clock;
    holding const hold;
    recording_upstream a(hold.script());
    gateway_harness const gateway(
        clock, served_by(addresses({a.port()}), [](gateway_settings& s) { s.upstream_requests = 1; }));
    http_client first(gateway.port());
    first.send("GET /api/v1/hold HTTP/1.1\r\nHost: h\r\n\r\n");
    REQUIRE(eventually([&] { return a.count("/hold") == 1; }));
    CHECK(get(gateway).status == 503);
    CHECK(gateway.metric("recruiting_gateway_upstream_rejected_total", "queue_timeout") == 1);
    hold.release();
    CHECK(first.receive().status == 200);
}

} // namespace upstreams_test
