// A request that its head alone decides: its body is not awaited, and nothing is held for it (RFC 9110 section 10.1.1,
// RFC 9112 section 9.6).
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

#include <list>

namespace server_head_test {
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

// What waits for a body waits longer than any test does.
harness_settings patient() {
    harness_settings settings;
    settings.body_limit = 1'000'000;
    settings.read_timeout = settings.idle_timeout = 1h;
    return settings;
}

std::string post(std::string const& fields) { return "POST /echo HTTP/1.1\r\nHost: test\r\n" + fields + "\r\n"; }

} // namespace

TEST_CASE("a request refused by its head is answered without its body, and the connection ends", "[http]") {
    auto const framing = GENERATE(as<std::string>{}, "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n",
                                  "Content-Length: 5\r\nExpect: 100-continue\r\n"); // the final status instead of 100
    auto const begun = GENERATE(as<std::string>{}, "", "3");
    http_server_harness server(patient());
    http_client client(server.port());
    client.send(post("X-Refuse: yes\r\n" + framing) + begun);
    auto const answer = client.receive();
    INFO(framing << begun);
    REQUIRE(answer.status == 401);
    REQUIRE(answer.header("connection") == "close");
    client.finish();
    REQUIRE(client.ended());
    REQUIRE(server.handled() == 0);
}

TEST_CASE("hundreds of clients whose requests were refused by their heads hold no connection", "[http]") {
    http_server_harness server(patient());
    std::list<http_client> clients;
    for (int i = 0; i < 300; ++i) {
        auto& client = clients.emplace_back(server.port());
        client.send(post("X-Refuse: yes\r\nContent-Length: 5\r\n"));
        REQUIRE(client.receive().status == 401);
    }
    REQUIRE(eventually([&] { return server.connections() == 0; })); // though no client ended its own
}

TEST_CASE("a client that sends its whole body first still reads the refusal", "[http]") {
    http_server_harness server(patient());
    http_client client(server.port());
    client.send(post("X-Refuse: yes\r\nContent-Length: 900000\r\n") + std::string(900'000, 'x'));
    REQUIRE(client.receive().status == 401);
}

TEST_CASE("a request whose body is there is the handler's to answer, and its connection stays", "[http]") {
    http_server_harness server(patient());
    http_client client(server.port());
    client.send(post("X-Refuse: yes\r\nContent-Length: 5\r\n") + "hello");
    REQUIRE(client.receive().body == "POST /echo||hello|");
    REQUIRE(client.get("/echo", "X-Refuse: yes\r\n").status == 200); // there is no body to await
}

TEST_CASE("a body is awaited once its head was accepted, until the deadline of the whole request", "[http]") {
    auto settings = patient();
    settings.read_timeout = 1s;
    http_server_harness server(settings);
    http_client client(server.port());
    client.send(post("Content-Length: 5\r\n"));
    client.send("he");
    client.send("llo");
    REQUIRE(client.receive().body == "POST /echo||hello|");
    client.send(post("Content-Length: 5\r\n") + "he");
    REQUIRE(client.receive().status == 408);
}

TEST_CASE("a handler that fails on a head is answered 500", "[http]") {
    http_server_harness server(patient());
    http_client client(server.port());
    client.send(post("X-Refuse: throw\r\nContent-Length: 5\r\n"));
    auto const answer = client.receive();
    REQUIRE(answer.status == 500);
    REQUIRE(answer.body.find("on purpose") == std::string::npos);
}

} // namespace server_head_test
