// HTTP to other servers over real sockets: every way a server can misbehave ends as a failure of the right kind.
#include "integration/transfer/client.hpp"
#include "support/tls_certificates.hpp"

#include <arpa/inet.h>
#include <cstdlib>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace transfer_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::transfer;
using namespace std::chrono_literals;
using failure = http_failure::kind;

namespace {

// A port that takes no more connections: its queue is full and nobody takes them out.
class full_port {
public:
    full_port() {
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address_;
        auto* const address = reinterpret_cast<sockaddr*>(&address_);
        REQUIRE(::bind(sockets_[0], address, size) == 0);
        REQUIRE(::listen(sockets_[0], 0) == 0);
        REQUIRE(::getsockname(sockets_[0], address, &size) == 0);
        for (std::size_t i = 1; i < std::size(sockets_); ++i) ::connect(sockets_[i], address, size);
    }
    ~full_port() {
        for (int const one : sockets_) ::close(one);
    }
    full_port(full_port const&) = delete;
    full_port& operator=(full_port const&) = delete;
    [[nodiscard]] std::string base_url() const {
        return "http://127.0.0.1:" + std::to_string(ntohs(address_.sin_port));
    }

private:
    static int nonblocking() { return ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }
    sockaddr_in address_{};
    int sockets_[4]{nonblocking(), nonblocking(), nonblocking(), nonblocking()};
};

} // namespace

TEST_CASE("a server's pause of ages is an hour", "[transfer]") {
    model_double server;
    transfer_client here;
    server.answer({"{}", 429, "Retry-After: 9223372036854775\r\n"});
    auto const got = answer_of(here.run(post_to(server.base_url(), "b")));
    CHECK(got.retry_after == 3600s);
}

TEST_CASE("a request arrives as it was given, its answer comes back whole", "[transfer]") {
    model_double server;
    transfer_client here;
    server.answer({"{\"a\":1}", 429, "Retry-After: 7\r\n"});
    auto asked = post_to(server.base_url(), std::string(300'000, 'b'));
    asked.headers = {"Authorization: Bearer k", "Content-Type: application/json"};
    auto const got = answer_of(here.run(asked));
    CHECK(got.status == 429);
    CHECK(got.content_type == "application/json");
    CHECK(got.retry_after == 7s);
    CHECK(got.body == "{\"a\":1}");
    REQUIRE(server.requests().size() == 1);
    auto const seen = server.requests().front();
    CHECK(seen.method == "POST");
    CHECK(seen.has("\r\nAuthorization: Bearer k\r\n"));
    CHECK_FALSE(seen.has("Expect"));
    CHECK(seen.body == std::string(300'000, 'b'));

    http_request get;
    get.url = server.base_url() + "/models";
    CHECK(answer_of(here.run(get)).body.starts_with("{\"object\":\"list\""));
    CHECK(here.by.in_flight() == 0);
}

TEST_CASE("connections are used again, and a lost one is noticed", "[transfer]") {
    model_double server;
    transfer_client here;
    for (int i = 0; i < 5; ++i) CHECK(here.outcome(post_to(server.base_url())) == "200");
    CHECK(server.connections() == 1);
    server.answer({model_answer{"x", 200, "", "text/plain", 0ms, 0ms, {}, 0, false, false, false, true},
                   model_answer::text("after")});
    CHECK(here.outcome(post_to(server.base_url())) == "200");
    CHECK(here.outcome(post_to(server.base_url())) == "200");
    CHECK(server.connections() == 2);
}

TEST_CASE("a request that a server may have seen is not sent twice", "[transfer]") {
    model_double server;
    transfer_client here;
    CHECK(here.outcome(post_to(server.base_url())) == "200"); // the next one uses a kept connection
    model_answer silent;
    silent.closes_unanswered = true;
    server.answer(silent);
    CHECK(here.outcome(post_to(server.base_url())) == "connection lost");
    CHECK(server.requests().size() == 2);
}

TEST_CASE("answers in any framing are read", "[transfer]") {
    model_double server;
    transfer_client here;
    auto said = model_answer::text("Zwölf.");
    said.chunked = true;
    server.answer(said);
    CHECK(answer_of(here.run(post_to(server.base_url()))).body == said.body);
    said.drip = 1ms;
    server.answer(said);
    CHECK(answer_of(here.run(post_to(server.base_url()))).body == said.body);
}

TEST_CASE("what a server does wrong is told apart", "[transfer]") {
    model_double server;
    transfer_client here;
    auto quick = post_to(server.base_url());
    quick.timeout = 300ms;

    model_answer how;
    how.hangs = true;
    server.answer(how);
    CHECK(here.outcome(quick) == "timed out");

    how = model_answer::text("slow");
    how.delay = 2s;
    server.answer(how);
    CHECK(here.outcome(quick) == "timed out");

    how = model_answer::text(std::string(2'000, 'x'));
    how.drip = 5ms;
    server.answer(how);
    CHECK(here.outcome(quick) == "timed out");

    how = model_answer::text("cut");
    how.closes_after = 10;
    server.answer(how);
    CHECK(here.outcome(post_to(server.base_url())) == "connection lost");
    how.chunked = true;
    server.answer(how);
    CHECK(here.outcome(post_to(server.base_url())) == "connection lost");

    how = {};
    how.padding = 100 * 1024 * 1024;
    server.answer(how);
    auto const got = here.run(post_to(server.base_url()));
    CHECK(std::get<http_failure>(got).why == failure::too_large);
    how.chunked = true;
    server.answer(how);
    CHECK(here.outcome(post_to(server.base_url())) == "response too large");
}

TEST_CASE("an answer may be as large as the limit", "[transfer]") {
    model_double server;
    transfer_client here;
    auto asked = post_to(server.base_url());
    asked.response_limit = 1'000;
    server.answer({std::string(1'000, 'x')});
    CHECK(answer_of(here.run(asked)).body.size() == 1'000);
    server.answer({std::string(1'001, 'x')});
    CHECK(here.outcome(asked) == "response too large");
    asked.response_limit = 0;
    server.answer(model_answer{});
    CHECK(here.outcome(asked) == "200");
}

TEST_CASE("servers that can't be reached were sent nothing", "[transfer]") {
    transfer_client here;
    std::string gone;
    {
        model_double const server;
        gone = server.base_url();
    }
    CHECK(here.outcome(post_to(gone)) == "connect failed");
    full_port const full;
    auto asked = post_to(full.base_url());
    asked.connect_timeout = 200ms;
    CHECK(here.outcome(asked) == "connect failed");
    CHECK(here.outcome(post_to("http://host.invalid")) == "connect failed");
    CHECK(here.outcome(post_to("http://")) == "connect failed");
    CHECK(here.outcome(post_to("file:///etc")) == "connect failed");
}

TEST_CASE("redirects are answers and are not followed", "[transfer]") {
    model_double server;
    model_double elsewhere;
    transfer_client here;
    server.answer({"", 302, "Location: " + elsewhere.base_url() + "/chat/completions\r\n"});
    CHECK(here.outcome(post_to(server.base_url())) == "302");
    CHECK(elsewhere.connections() == 0);
}

TEST_CASE("a proxy is used where it is set, never the environment's", "[transfer]") {
    model_double server;
    transfer_client here;
    ::setenv("http_proxy", "http://127.0.0.1:1", 1);
    ::setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
    CHECK(here.outcome(post_to(server.base_url())) == "200");
    ::setenv("no_proxy", "*", 1);
    auto asked = post_to("http://host.invalid/v1");
    asked.proxy = server.base_url();
    CHECK(here.outcome(asked) == "404"); // of the double, which is no proxy
    for (char const* const name : {"http_proxy", "ALL_PROXY", "no_proxy"}) ::unsetenv(name);
}

TEST_CASE("certificates are verified", "[transfer]") {
    certificate_authority authority;
    certificate_authority const unknown;
    transfer_client here;
    model_double server(authority.issue("server", {"IP:127.0.0.1"}));
    auto asked = post_to(server.base_url());
    CHECK(here.outcome(asked) == "TLS failed");
    asked.ca_file = unknown.file();
    CHECK(here.outcome(asked) == "TLS failed");
    asked.ca_file = authority.path("none.pem");
    CHECK(here.outcome(asked) == "TLS failed");
    asked.ca_file = authority.file();
    CHECK(here.outcome(asked) == "200");
    auto const connections = server.connections();
    CHECK(here.outcome(asked) == "200");
    CHECK(server.connections() == connections);
    CHECK(server.requests().size() == 2);

    model_double const another(authority.issue("another", {"DNS:models.example", "IP:127.0.0.2"}));
    asked.url = another.base_url() + "/chat/completions";
    CHECK(here.outcome(asked) == "TLS failed");
    CHECK(another.requests().empty());

    model_double const plain; // waits for more of what is no request
    asked.url = "https" + plain.base_url().substr(4);
    asked.connect_timeout = 300ms;
    CHECK(here.outcome(asked) == "connect failed");
}

TEST_CASE("of a body that is too long the beginning is kept, where that is asked for", "[transfer]") {
    model_double server;
    model_answer endless{.body = "0123456789", .status = 503, .padding = 1'000'000};
    server.answer(endless);
    auto asked = post_to(server.base_url());
    asked.response_limit = 4;
    transfer_client here;
    CHECK(here.outcome(asked) == "response too large");
    asked.keeps_beginning = true;
    auto const answer = answer_of(here.run(asked));
    CHECK(answer.status == 503);
    CHECK(answer.body == "0123");
}

} // namespace transfer_test
