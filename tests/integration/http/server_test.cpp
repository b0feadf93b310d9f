// The HTTP server over a real socket: framing, limits, deadlines, streaming, stopping (RFC 9112 by section).
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

namespace server_test {
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

std::string get(std::string const& target) { return "GET " + target + " HTTP/1.1\r\nHost: test\r\n\r\n"; }

http_answer answer_to(std::string const& bytes) {
    http_server_harness server;
    http_client client(server.port());
    client.send(bytes);
    return client.receive();
}

} // namespace

TEST_CASE("one connection carries request after request", "[http]") {
    http_server_harness server;
    http_client client(server.port());
    for (int i = 0; i < 3; ++i) {
        auto const answer = client.get("/echo?n=" + std::to_string(i), "X-Test: t\r\n");
        REQUIRE(answer.status == 200);
        REQUIRE(answer.body == "GET /echo|n=" + std::to_string(i) + "||t");
        REQUIRE(answer.header("connection").empty());
        REQUIRE(answer.header("date").ends_with(" GMT"));
    }
    REQUIRE(server.connections() == 1);
}

TEST_CASE("pipelined requests are answered in order", "[http]") {
    http_server_harness server;
    http_client client(server.port());
    client.send(get("/a") + "POST /b HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhello" + get("/c") +
                "GET /d HT");
    REQUIRE(client.receive().body == "GET /a|||");
    REQUIRE(client.receive().body == "POST /b||hello|");
    REQUIRE(client.receive().body == "GET /c|||");
    client.send("TP/1.1\r\nHost: test\r\n\r\n");
    REQUIRE(client.receive().body == "GET /d|||");
}

TEST_CASE("a request may arrive byte by byte", "[http]") {
    http_server_harness server;
    http_client client(server.port());
    for (char const c :
         std::string("POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"))
        client.send(std::string_view(&c, 1));
    REQUIRE(client.receive().body == "POST /echo||abc|");
}

TEST_CASE("a chunked body may come in any pieces, also one without content", "[http]") {
    http_server_harness server;
    for (std::string const body : {"0\r\n\r\n", "0;x=y\r\n\r\n", "0\r\nA: b\r\n\r\n", "4\r\n0\r\n1\r\n0\r\n\r\n"}) {
        for (std::size_t first = 0; first < body.size(); ++first) {
            for (std::size_t second = first; second < body.size(); ++second) {
                http_client client(server.port());
                INFO(body << " in pieces that end at " << first << " and " << second);
                client.send("POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n" +
                            body.substr(0, first));
                std::this_thread::sleep_for(1ms); // so that the pieces are read apart, most times
                client.send(body.substr(first, second - first));
                std::this_thread::sleep_for(1ms);
                client.send(body.substr(second));
                REQUIRE(client.receive().status == 200);
            }
        }
    }
}

TEST_CASE("HEAD has the length and no body", "[http]") {
    http_server_harness server;
    http_client client(server.port());
    REQUIRE(client.get("/echo", {}, "HEAD").header("content-length") == "13"); // "HEAD /echo|||"
    REQUIRE(client.get("/stream", {}, "HEAD").header("transfer-encoding") == "chunked");
    REQUIRE(client.get("/echo").body == "GET /echo|||"); // the connection is still in step
}

TEST_CASE("204 has neither length nor type", "[http]") {
    http_server_harness server;
    http_client client(server.port());
    auto const answer = client.get("/nothing");
    REQUIRE(answer.status == 204);
    REQUIRE_FALSE(answer.headers.contains("content-length"));
    REQUIRE_FALSE(answer.headers.contains("content-type"));
}

TEST_CASE("Connection: close is honoured, HTTP/1.0 closes", "[http]") {
    http_server_harness server;
    for (std::string const request :
         {"GET /echo HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n", "GET /echo HTTP/1.0\r\n\r\n",
          "GET /echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"}) {
        http_client client(server.port());
        client.send(request);
        auto const answer = client.receive();
        REQUIRE(answer.status == 200);
        REQUIRE(answer.header("connection") == "close");
        REQUIRE(client.ended());
    }
}

TEST_CASE("the handler may close, what was pipelined behind does not reset the answer", "[http]") {
    http_server_harness server;
    http_client client(server.port());
    client.send(get("/close") + get("/echo"));
    auto const answer = client.receive();
    REQUIRE(answer.header("connection") == "close");
    REQUIRE(client.ended());
    REQUIRE(server.handled() == 1);
}

TEST_CASE("an absolute target means its path (section 3.2.2)", "[http]") {
    REQUIRE(answer_to("GET http://test/echo?a=b HTTP/1.1\r\nHost: test\r\n\r\n").body == "GET /echo|a=b||");
    REQUIRE(answer_to("GET http://test HTTP/1.1\r\nHost: test\r\n\r\n").body == "GET /|||");
    REQUIRE(answer_to("GET /echo?to=http://x/y HTTP/1.1\r\nHost: test\r\n\r\n").body == "GET /echo|to=http://x/y||");
}

TEST_CASE("an empty line before a request is ignored (section 2.2)", "[http]") {
    REQUIRE(answer_to("\r\n" + get("/echo")).status == 200);
}

TEST_CASE("what can't be framed for sure is refused and the connection closed", "[http]") {
    auto const request = GENERATE(
        as<std::string>{},
        "GET / HTTP/1.1\r\n\r\n",                       // no Host (section 3.2)
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", // two
        "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",          // not a host
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", // section 6.1
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\nx",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 05\r\n\r\nhello",
        "POST / HTTP/1.1\r\nHost: a\r\nContent_Length: 5\r\n\r\nhello", // an underscore is no hyphen
        "GET / HTTP/1.1\r\nHost: a\r\nX-Test: a\r\n b\r\n\r\n",         // obs-fold (section 5.2)
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: host\r\n\r\n",        // what the request needs is not for one hop
        "GET echo HTTP/1.1\r\nHost: a\r\n\r\n",                         // no form of a target (section 3.2)
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n00\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n",                // space before the colon (section 5.1)
        "GET / HTTP/1.1\r\nHost: a\r\nX-Test: a\rb\r\n\r\n", // bare CR (section 2.2)
        "GET / HTTP/1.1\nHost: a\n\n\r\n\r\n",               // bare LF
        "GET / HTTP/2.0\r\nHost: a\r\n\r\n", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "\x16\x03\x01\x02\x01\x01\r\n\r\n"); // a TLS client
    http_server_harness server;
    http_client client(server.port());
    client.send(request + get("/smuggled"));
    auto const answer = client.receive();
    INFO(request);
    REQUIRE(answer.status == 400);
    REQUIRE(answer.header("connection") == "close");
    REQUIRE(answer.body.find(R"("code":"invalid_request")") != std::string::npos);
    client.finish();
    REQUIRE(client.ended());
    REQUIRE(server.handled() == 0);
}

TEST_CASE("trailer fields are read and are no header fields", "[http]") {
    http_server_harness server;
    http_client client(server.port());
    client.send(
        "POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Test: late\r\n\r\n");
    REQUIRE(client.receive().body == "POST /echo||abc|");
    REQUIRE(client.get("/echo").status == 200);
}

TEST_CASE("431: a head beyond the limit, in one field or in many", "[http]") {
    REQUIRE(answer_to("GET / HTTP/1.1\r\nHost: test\r\nX: " + std::string(5000, 'x') + "\r\n\r\n").status == 431);
    std::string many = "GET / HTTP/1.1\r\nHost: test\r\n";
    for (int i = 0; i < 500; ++i) many += "X-" + std::to_string(i) + ": y\r\n";
    REQUIRE(answer_to(many + "\r\n").status == 431);
    REQUIRE(answer_to("GET /" + std::string(6000, 'x') + " HTTP/1.1\r\nHost: test\r\n\r\n").status == 431);
    REQUIRE(answer_to("GET / HTTP/1.1\r\nHost: test\r\nX: " + std::string(3000, 'x') + "\r\n\r\n").status == 200);
}

TEST_CASE("trailers and chunk extensions have an end too", "[http]") {
    std::string const head = "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n";
    REQUIRE(answer_to(head + "0\r\nX: " + std::string(40'000, 'x')).status == 431);
    REQUIRE(answer_to(head + "1;x=" + std::string(40'000, 'x')).status == 400);
}

TEST_CASE("413: a body beyond the limit, announced or found out", "[http]") {
    http_server_harness server;
    {
        http_client client(server.port());
        client.send("POST / HTTP/1.1\r\nHost: test\r\nX-Request-Id: its-own-id\r\nContent-Length: 1001\r\n\r\n");
        auto const refusal = client.receive(); // before any byte of it was sent
        REQUIRE(refusal.status == 413);
        REQUIRE(refusal.body.find("\"its-own-id\"") != std::string::npos);
    }
    {
        http_client client(server.port());
        client.send("POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < 11; ++i) client.send("64\r\n" + std::string(100, 'x') + "\r\n");
        REQUIRE(client.receive().status == 413);
    }
    http_client client(server.port());
    client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\n" + std::string(1000, 'x'));
    REQUIRE(client.receive().status == 200);
    REQUIRE(server.handled() == 1);
}

TEST_CASE("413: a client that keeps sending still reads the answer", "[http]") {
    http_server_harness server;
    http_client client(server.port());
    client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 500000\r\n\r\n" + std::string(500'000, 'x'));
    REQUIRE(client.receive().status == 413);
}

TEST_CASE("Expect: 100-continue gets its interim answer, once, and not when refused (RFC 9110 section 10.1.1)",
          "[http]") {
    http_server_harness server;
    std::string const head = "POST /echo HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\n";
    {
        http_client client(server.port());
        client.send(head + "Content-Length: 5\r\n\r\n");
        REQUIRE(client.receive().status == 100);
        client.send("he");
        client.send("llo");
        auto const answer = client.receive();
        REQUIRE(answer.status == 200);
        REQUIRE(answer.body == "POST /echo||hello|");
    }
    {
        http_client client(server.port());
        client.send(head + "Content-Length: 5\r\n\r\nhello"); // it did not wait: no interim answer is due
        REQUIRE(client.receive().status == 200);
    }
    http_client client(server.port());
    client.send(head + "Content-Length: 5000\r\n\r\n");
    REQUIRE(client.receive().status == 413);
}

TEST_CASE("408: a request that does not get finished, an idle connection ends silently", "[http]") {
    harness_settings settings;
    settings.read_timeout = 1s;
    settings.idle_timeout = 1s;
    http_server_harness server(settings);
    for (std::string const part : {"GET / HT", "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhe"}) {
        http_client client(server.port());
        client.send(part);
        auto const answer = client.receive();
        REQUIRE(answer.status == 408);
        REQUIRE(answer.header("connection") == "close");
        client.finish();
        REQUIRE(client.ended());
    }
    http_client idle(server.port());
    REQUIRE(idle.ended());
    http_client between(server.port());
    REQUIRE(between.get("/echo").status == 200);
    REQUIRE(between.ended());
}

TEST_CASE("an empty line after a request leaves its connection idle, and no 408 follows (section 2.2)", "[http]") {
    harness_settings settings;
    settings.read_timeout = 1ms;
    settings.idle_timeout = 500ms;
    http_server_harness server(settings);
    for (std::string const behind : {"\r\n", "\r"}) {
        http_client client(server.port());
        client.send(get("/echo") + behind);
        REQUIRE(client.receive().status == 200);
        CHECK(client.ended());
    }
    http_client late(server.port());
    REQUIRE(late.get("/echo").status == 200);
    late.send("\r\n");
    CHECK(late.ended());
}

TEST_CASE("a slow drip does not outlive the deadline", "[http]") {
    harness_settings settings;
    settings.read_timeout = 100ms;
    http_server_harness server(settings);
    http_client client(server.port());
    REQUIRE(eventually([&] {
        client.send("G");
        return server.connections() == 0 || server.handled() > 0;
    }));
    REQUIRE(server.handled() == 0);
}

TEST_CASE("a client that takes nothing is disconnected, one that takes slowly is not", "[http]") {
    harness_settings settings;
    settings.write_timeout = 2s;
    http_server_harness server(settings);
    {
        http_client client(server.port());
        client.send(get("/large"));
        REQUIRE(eventually([&] { return server.handled() == 1; }));
        REQUIRE(eventually([&] { return server.connections() == 0; }));
    }
    http_client client(server.port());
    REQUIRE(client.get("/large").body.size() == 8 * 1024 * 1024);
}

TEST_CASE("streaming is chunked, and stays in step", "[http]") {
    http_server_harness server;
    http_client client(server.port());
    auto const answer = client.get("/stream");
    REQUIRE(answer.header("transfer-encoding") == "chunked");
    REQUIRE_FALSE(answer.headers.contains("content-length"));
    REQUIRE(answer.body == "piece 1\npiece 2\npiece 3\n");
    REQUIRE(client.get("/echo").status == 200);
}

TEST_CASE("streaming to HTTP/1.0 ends with the connection, without chunks", "[http]") {
    auto const answer = answer_to("GET /stream HTTP/1.0\r\n\r\n");
    REQUIRE_FALSE(answer.headers.contains("transfer-encoding"));
    REQUIRE(answer.body == "piece 1\npiece 2\npiece 3\n");
}

TEST_CASE("a stream that fails is cut: no last chunk", "[http]") {
    http_server_harness server;
    http_client client(server.port());
    client.send(get("/cut"));
    auto const bytes = client.receive_all();
    REQUIRE(bytes.find("piece 1") != std::string::npos);
    REQUIRE_FALSE(bytes.ends_with("0\r\n\r\n"));
}

TEST_CASE("a handler that fails is answered 500 and the connection goes on", "[http]") {
    http_server_harness server;
    http_client client(server.port());
    auto const answer = client.get("/throw");
    REQUIRE(answer.status == 500);
    REQUIRE(answer.body.find("internal_error") != std::string::npos);
    REQUIRE(answer.body.find("on purpose") == std::string::npos);
    REQUIRE(client.get("/echo").status == 200);
}

TEST_CASE("drain: idle connections end, busy ones finish their answer, new ones find no listener", "[http]") {
    http_server_harness server;
    http_client idle(server.port());
    REQUIRE(idle.get("/echo").status == 200);
    http_client busy(server.port());
    busy.send(get("/wait"));
    REQUIRE(eventually([&] { return server.waiting(); }));
    auto const port = server.port();
    server.drain();
    REQUIRE(idle.ended());
    REQUIRE_THROWS(http_client(port));
    REQUIRE(eventually([&] { return server.connections() == 1; }));
    server.release();
    auto const answer = busy.receive();
    REQUIRE(answer.status == 200);
    REQUIRE(answer.header("connection") == "close");
    REQUIRE(busy.ended());
    REQUIRE(eventually([&] { return server.connections() == 0; }));
}

TEST_CASE("drain with a delay: all goes on for a while, save that each answer is its connection's last", "[http]") {
    harness_settings settings;
    settings.drain_delay = std::chrono::seconds{3};
    http_server_harness server(settings);
    http_client idle(server.port());
    REQUIRE(idle.get("/echo").status == 200);
    http_client silent(server.port());
    REQUIRE(silent.get("/echo").status == 200);
    server.drain();
    CHECK_FALSE(server.drained());
    auto const last = idle.get("/echo");
    CHECK(last.status == 200);
    CHECK(last.header("connection") == "close");
    CHECK(idle.ended());
    CHECK(http_client(server.port()).get("/echo").status == 200);
    CHECK(silent.ended());
    CHECK(eventually([&] { return server.drained(); }));
    REQUIRE_THROWS(http_client(server.port()));
}

TEST_CASE("drain: requests on their way are answered", "[http]") {
    http_server_harness server;
    http_client fresh(server.port());
    REQUIRE(eventually([&] { return server.connections() == 1; }));
    server.drain();
    CHECK(fresh.get("/echo").header("connection") == "close");
    CHECK(eventually([&] { return server.drained(); }));
}

TEST_CASE("close: what is still open is dropped", "[http]") {
    http_server_harness server;
    http_client half(server.port());
    half.send("GET / HT");
    REQUIRE(eventually([&] { return server.connections() == 1; }));
    server.drain();
    REQUIRE(server.connections() == 1); // a request has begun
    server.close();
    REQUIRE(half.ended());
    REQUIRE(eventually([&] { return server.connections() == 0; }));
}

} // namespace server_test
