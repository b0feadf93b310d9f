// HTTP to other servers over real sockets: every way a server can misbehave ends as a failure of the right kind.
#include "integration/model_double.hpp"
#include "support/catch.hpp"
#include "support/tls_certificates.hpp"
#include "transfer/http_exchange.hpp"

#include <arpa/inet.h>
#include <cstdlib>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::transfer;
using namespace std::chrono_literals;
using failure = http_failure::kind;

namespace {

struct client {
    asio::io_context context{1};
    engine by{context};
    int left{0};

    void begin(http_exchange& exchange, http_result& into) {
        ++left;
        spawn(context, finish(exchange, into));
    }
    void wait() {
        context.restart();
        context.run_for(20s);
        REQUIRE(left == 0);
    }
    http_result run(http_request what) {
        http_exchange exchange(by, std::move(what));
        http_result result;
        begin(exchange, result);
        wait();
        return result;
    }
    std::string outcome(http_request what) {
        auto const result = run(std::move(what));
        if (auto const* const failed = std::get_if<http_failure>(&result)) return to_string(failed->why);
        return std::to_string(std::get<transfer::http_answer>(result).status);
    }

private:
    task<void> finish(http_exchange& exchange, http_result& into) {
        auto result = co_await exchange.run();
        into = std::move(result);
        if (--left == 0) context.stop();
    }
};

http_request post(std::string const& base_url, std::string body = "{}") {
    http_request out;
    out.method = http_request::verb::post;
    out.url = base_url + "/chat/completions";
    out.body = std::move(body);
    out.timeout = 10s;
    return out;
}

transfer::http_answer answer_of(http_result const& result) {
    REQUIRE(std::holds_alternative<transfer::http_answer>(result));
    return std::get<transfer::http_answer>(result);
}

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

TEST_CASE("a request arrives as it was given, its answer comes back whole", "[transfer]") {
    model_double server;
    client here;
    server.answer({"{\"a\":1}", 429, "Retry-After: 7\r\n"});
    auto asked = post(server.base_url(), std::string(300'000, 'b'));
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
    CHECK(here.by.under_way() == 0);
}

TEST_CASE("connections are used again, and a lost one is noticed", "[transfer]") {
    model_double server;
    client here;
    for (int i = 0; i < 5; ++i) CHECK(here.outcome(post(server.base_url())) == "200");
    CHECK(server.connections() == 1);
    server.answer({model_answer{"x", 200, "", "text/plain", 0ms, 0ms, {}, 0, false, false, false, true},
                   model_answer::text("after")});
    CHECK(here.outcome(post(server.base_url())) == "200");
    CHECK(here.outcome(post(server.base_url())) == "200");
    CHECK(server.connections() == 2);
}

TEST_CASE("a request that a server may have seen is not sent twice", "[transfer]") {
    model_double server;
    client here;
    CHECK(here.outcome(post(server.base_url())) == "200"); // the next one uses a kept connection
    model_answer silent;
    silent.closes_unanswered = true;
    server.answer(silent);
    CHECK(here.outcome(post(server.base_url())) == "connection lost");
    CHECK(server.requests().size() == 2);
}

TEST_CASE("answers in any framing are read", "[transfer]") {
    model_double server;
    client here;
    auto said = model_answer::text("Zwölf.");
    said.chunked = true;
    server.answer(said);
    CHECK(answer_of(here.run(post(server.base_url()))).body == said.body);
    said.drip = 1ms;
    server.answer(said);
    CHECK(answer_of(here.run(post(server.base_url()))).body == said.body);
}

TEST_CASE("what a server does wrong is told apart", "[transfer]") {
    model_double server;
    client here;
    auto quick = post(server.base_url());
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
    CHECK(here.outcome(post(server.base_url())) == "connection lost");
    how.chunked = true;
    server.answer(how);
    CHECK(here.outcome(post(server.base_url())) == "connection lost");

    how = {};
    how.padding = 100 * 1024 * 1024;
    server.answer(how);
    auto const got = here.run(post(server.base_url()));
    CHECK(std::get<http_failure>(got).why == failure::too_large);
    how.chunked = true;
    server.answer(how);
    CHECK(here.outcome(post(server.base_url())) == "answer too large");
}

TEST_CASE("an answer may be as large as the limit", "[transfer]") {
    model_double server;
    client here;
    auto asked = post(server.base_url());
    asked.answer_limit = 1'000;
    server.answer({std::string(1'000, 'x')});
    CHECK(answer_of(here.run(asked)).body.size() == 1'000);
    server.answer({std::string(1'001, 'x')});
    CHECK(here.outcome(asked) == "answer too large");
    asked.answer_limit = 0;
    server.answer(model_answer{});
    CHECK(here.outcome(asked) == "200");
}

TEST_CASE("servers that can't be reached were sent nothing", "[transfer]") {
    client here;
    std::string gone;
    {
        model_double const server;
        gone = server.base_url();
    }
    CHECK(here.outcome(post(gone)) == "connect failed");
    full_port const full;
    auto asked = post(full.base_url());
    asked.connect_timeout = 200ms;
    CHECK(here.outcome(asked) == "connect failed");
    CHECK(here.outcome(post("http://host.invalid")) == "connect failed");
    CHECK(here.outcome(post("http://")) == "connect failed");
    CHECK(here.outcome(post("file:///etc")) == "connect failed");
}

TEST_CASE("redirects are answers and are not followed", "[transfer]") {
    model_double server;
    model_double elsewhere;
    client here;
    server.answer({"", 302, "Location: " + elsewhere.base_url() + "/chat/completions\r\n"});
    CHECK(here.outcome(post(server.base_url())) == "302");
    CHECK(elsewhere.connections() == 0);
}

TEST_CASE("a proxy is used where it is set, never the environment's", "[transfer]") {
    model_double server;
    client here;
    ::setenv("http_proxy", "http://127.0.0.1:1", 1);
    ::setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
    CHECK(here.outcome(post(server.base_url())) == "200");
    ::setenv("no_proxy", "*", 1);
    auto asked = post("http://host.invalid/v1");
    asked.proxy = server.base_url();
    CHECK(here.outcome(asked) == "404"); // of the double, which is no proxy
    for (char const* const name : {"http_proxy", "ALL_PROXY", "no_proxy"}) ::unsetenv(name);
}

TEST_CASE("certificates are verified", "[transfer]") {
    certificate_authority authority;
    certificate_authority const unknown;
    client here;
    model_double server(authority.issue("server", {"IP:127.0.0.1"}));
    auto asked = post(server.base_url());
    CHECK(here.outcome(asked) == "TLS failed");
    asked.ca_file = unknown.file();
    CHECK(here.outcome(asked) == "TLS failed");
    asked.ca_file = authority.path("none.pem");
    CHECK(here.outcome(asked) == "TLS failed");
    asked.ca_file = authority.file();
    auto const refused = server.connections();
    for (int i = 0; i < 3; ++i) CHECK(here.outcome(asked) == "200");
    CHECK(server.connections() == refused + 1);
    CHECK(server.requests().size() == 3);

    model_double const another(authority.issue("another", {"DNS:models.example", "IP:127.0.0.2"}));
    asked.url = another.base_url() + "/chat/completions";
    CHECK(here.outcome(asked) == "TLS failed");
    CHECK(another.requests().empty());

    model_double const plain; // waits for more of what is no request
    asked.url = "https" + plain.base_url().substr(4);
    asked.connect_timeout = 300ms;
    CHECK(here.outcome(asked) == "connect failed");
}

TEST_CASE("a hundred transfers go on at once", "[transfer]") {
    model_double server;
    server.answer_by([](model_request_seen const& request) {
        auto said = model_answer::text(request.body);
        said.delay = 50ms;
        return said;
    });
    client here;
    std::vector<std::unique_ptr<http_exchange>> exchanges;
    std::vector<http_result> results(100);
    for (int i = 0; i < 100; ++i)
        exchanges.push_back(std::make_unique<http_exchange>(here.by, post(server.base_url(), "n" + std::to_string(i))));
    for (std::size_t i = 0; i < 100; ++i) here.begin(*exchanges[i], results[i]);
    here.wait();
    for (std::size_t i = 0; i < 100; ++i)
        CHECK(answer_of(results[i]).body.find("\"n" + std::to_string(i) + "\"") != std::string::npos);
}

TEST_CASE("a transfer is cancelled from outside, before and while it runs", "[transfer]") {
    model_double server;
    model_answer hangs;
    hangs.hangs = true;
    server.answer(hangs);
    client here;
    http_exchange exchange(here.by, post(server.base_url()));
    http_result result;
    here.begin(exchange, result);
    while (server.hanging() == 0) here.context.run_for(5ms);
    exchange.cancel();
    here.wait();
    CHECK(std::get<http_failure>(result).why == failure::cancelled);
    while (server.hanging() > 0) here.context.run_for(5ms); // its connection was closed

    http_exchange never(here.by, post(server.base_url()));
    never.cancel();
    here.begin(never, result);
    here.wait();
    CHECK(std::get<http_failure>(result).why == failure::cancelled);
    CHECK(server.requests().size() == 1);
}

TEST_CASE("an engine may go with transfers under way", "[transfer]") {
    model_double server;
    model_answer hangs;
    hangs.hangs = true;
    server.answer(hangs);
    int ended = 0;
    auto const run = [&](engine& by) -> task<void> {
        http_exchange exchange(by, post(server.base_url()));
        auto const result = co_await exchange.run();
        CHECK(std::get<http_failure>(result).why == failure::cancelled);
        ++ended;
    };
    asio::io_context context{1};
    auto by = std::make_unique<engine>(context);
    for (int i = 0; i < 3; ++i) spawn(context, run(*by));
    while (server.hanging() < 3) context.run_for(5ms);

    SECTION("whose loop goes on") {
        by.reset();
        context.restart();
        context.run_for(5s);
        CHECK(ended == 3);
    }
    SECTION("whose loop has ended too") {
        by.reset();
        CHECK(ended == 0);
    }
}

TEST_CASE("an idle engine waits, it does not turn", "[transfer]") {
    model_double server;
    model_answer hangs;
    hangs.hangs = true;
    server.answer(hangs);
    client here;
    http_exchange exchange(here.by, post(server.base_url()));
    http_result result;
    here.begin(exchange, result);
    while (server.hanging() == 0) here.context.run_for(5ms);
    here.context.restart();
    auto const handlers = here.context.run_for(300ms);
    CHECK(handlers < 20);
    exchange.cancel();
    here.wait();
}
