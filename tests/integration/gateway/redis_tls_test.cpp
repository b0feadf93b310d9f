// Redis over TLS, with a real server: it counts as without; which servers are refused, and what the log says of them.
#include "integration/gateway/two_gateways.hpp"
#include "redis/connection.hpp"
#include "support/catch.hpp"
#include "support/tls_certificates.hpp"

#include <filesystem>
#include <functional>
#include <optional>

namespace redis_tls_test {
using namespace recruiting;
using namespace recruiting::test;
using std::chrono::milliseconds;

namespace {

constexpr auto rate_limit = two_gateways::rate_limit;

/// A Redis with a TLS port and a certificate, and a connection to it.
struct setup {
    explicit setup(std::vector<std::string> const& names = {"IP:127.0.0.1"}, std::string const& clients = "no",
                   std::chrono::seconds valid_for = std::chrono::hours{1})
        : server(tls_arguments(port, authority.issue("redis", names, valid_for), authority.file(), clients)) {
        how.on_state = [this](bool, std::string_view reason) { why = reason; };
        how.connect_limit = std::chrono::seconds{20}; // of a busy machine
        how.response_limit = std::chrono::seconds{20};
        to = *redis::parse_address("rediss://127.0.0.1:" + std::to_string(port));
        to.tls.ca_file = authority.file();
    }
    [[nodiscard]] bool runs_until(std::function<bool()> const& condition) {
        return eventually([&] {
            context.restart(); // it has stopped if nothing was left to wait for
            context.run_for(milliseconds{5});
            return condition();
        });
    }
    /// What is logged of a server that is refused.
    [[nodiscard]] std::string refusal() {
        redis::connection connection(context, to, how);
        CHECK(runs_until([&] { return connection.ready() || !why.empty(); }));
        CHECK_FALSE(connection.ready());
        connection.stop();
        context.run_for(milliseconds{20});
        return why;
    }
    [[nodiscard]] std::string answer(redis::connection& on, std::initializer_list<std::string_view> words) {
        redis::batch command;
        command.add(words);
        std::optional<std::string> out;
        on.send(command, [&](redis::batch_status, std::vector<redis::reply>& replies) {
            out = replies.empty() ? "none" : replies[0].text;
        });
        CHECK(runs_until([&] { return out.has_value(); }));
        return out.value_or("");
    }

    certificate_authority authority;
    std::uint16_t port{free_port()};
    private_redis server;
    asio::io_context context{1};
    redis::address to;
    redis::options how;
    std::string why;
};

} // namespace

TEST_CASE("gateways count together over TLS", "[gateway][redis][tls]") {
    setup const s;
    two_gateways gateways(redis::to_string(s.to).insert(0, "rediss://"), [&](gateway::gateway_settings& settings) {
        settings.limits.redis.tls.ca_file = s.authority.file();
    });
    REQUIRE(gateways.up());
    CHECK(passed(gateways.first, 20) == 20);
    CHECK(passed(gateways.second, 60) == rate_limit - 20);
    CHECK(passed(gateways.first, 10) == 0);
}

TEST_CASE("a Redis with another name, another authority or an expired certificate is refused",
          "[gateway][redis][tls]") {
    SECTION("another name, of the same authority") {
        CHECK(setup({"DNS:other.test", "IP:127.0.0.2"}).refusal() == "TLS: IP address mismatch");
    }
    SECTION("a name is verified as one") {
        setup s({"DNS:other.test"});
        s.to.where.host = "localhost";
        CHECK(s.refusal() == "TLS: hostname mismatch");
    }
    SECTION("another authority") {
        setup s;
        certificate_authority const stranger;
        s.to.tls.ca_file = stranger.file();
        CHECK(s.refusal().find("certificate") != std::string::npos);
    }
    SECTION("none of the system's authorities") {
        setup s;
        s.to.tls.ca_file.clear();
        CHECK(s.refusal().find("certificate") != std::string::npos);
    }
    SECTION("expired") {
        CHECK(setup({"IP:127.0.0.1"}, "no", std::chrono::hours{-1}).refusal() == "TLS: certificate has expired");
    }
    SECTION("no CA file any more") {
        setup s;
        s.to.tls.ca_file = s.authority.path("none.pem");
        CHECK(s.refusal().starts_with("can't use the CA certificates " + s.authority.path("none.pem")));
    }
    SECTION("the port is without TLS") {
        auto const port = free_port();
        private_redis const plain({"--port", std::to_string(port)});
        setup s;
        s.to.where.port = port;
        CHECK(s.refusal().starts_with("TLS: "));
    }
}

TEST_CASE("a Redis that wants a client certificate gets ours, and a renewed one without a restart",
          "[gateway][redis][tls]") {
    setup s({"IP:127.0.0.1"}, "yes");
    CHECK(s.refusal().starts_with("TLS: ")); // the alert, or the reset after it
    s.why.clear();
    certificate_authority stranger;
    auto const theirs = stranger.issue("client", {});
    s.to.tls.own = {s.authority.path("client.pem"), s.authority.path("client.key")};
    auto const put = [&](tls_files const& from) {
        std::filesystem::copy_file(from.certificates, s.to.tls.own.certificates,
                                   std::filesystem::copy_options::overwrite_existing);
        std::filesystem::copy_file(from.key, s.to.tls.own.key, std::filesystem::copy_options::overwrite_existing);
    };
    put(theirs);
    redis::connection connection(s.context, s.to, s.how);
    REQUIRE(s.runs_until([&] { return !s.why.empty(); }));
    CHECK_FALSE(connection.ready()); // of another authority
    put(s.authority.issue("renewed", {}));
    REQUIRE(s.runs_until([&] { return connection.ready(); }));
    CHECK(s.answer(connection, {"PING"}) == "PONG");
    connection.stop();
    s.context.run_for(milliseconds{20});
}

TEST_CASE("what is larger than a record and than a socket's buffers arrives whole over TLS", "[gateway][redis][tls]") {
    setup s;
    redis::connection connection(s.context, s.to, s.how);
    REQUIRE(s.runs_until([&] { return connection.ready(); }));
    std::string large(20 * 1024 * 1024, 'x');
    for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>('a' + i % 23);
    redis::batch set;
    set.add({"SET", "large", large});
    int answered = 0;
    auto const count = [&](redis::batch_status what, std::vector<redis::reply>&) {
        answered += what == redis::batch_status::answered ? 1 : 0;
    };
    connection.send(set, count);
    redis::batch ping;
    ping.add({"PING"});
    for (int i = 0; i < 100; ++i) connection.send(ping, count); // behind what the socket has not taken yet
    REQUIRE(s.runs_until([&] { return answered == 101; }));
    CHECK(s.answer(connection, {"GET", "large"}) == large);
    connection.stop();
    s.context.run_for(milliseconds{20});
}

TEST_CASE("a Redis that is killed or hangs is left, and found again, over TLS", "[gateway][redis][tls]") {
    setup s;
    s.how.response_limit = milliseconds{500};
    redis::connection connection(s.context, s.to, s.how);
    REQUIRE(s.runs_until([&] { return connection.ready(); }));
    s.server.hang();
    CHECK(s.answer(connection, {"PING"}) == "none");
    CHECK(s.why == "no reply in time");
    s.server.resume();
    REQUIRE(s.runs_until([&] { return connection.ready(); }));
    s.server.kill();
    REQUIRE(s.runs_until([&] { return !connection.ready(); }));
    s.server.start();
    REQUIRE(s.runs_until([&] { return connection.ready(); }));
    connection.stop();
    s.context.run_for(milliseconds{20});
}

TEST_CASE("a handshake that hangs ends with the limit of connecting", "[gateway][redis][tls]") {
    asio::io_context context{1};
    asio::basic_socket_acceptor<asio::ip::tcp, io_executor> const silent(
        context, asio::ip::tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0)); // the kernel accepts
    redis::options how;
    how.connect_limit = milliseconds{100};
    std::string why;
    how.on_state = [&](bool, std::string_view reason) { why = reason; };
    redis::connection connection(
        context, *redis::parse_address("rediss://127.0.0.1:" + std::to_string(silent.local_endpoint().port())), how);
    CHECK(eventually([&] {
        context.run_for(milliseconds{5});
        return !why.empty();
    }));
    CHECK(why == "TLS: no handshake in time");
    connection.stop();
    context.run_for(milliseconds{20});
}

} // namespace redis_tls_test
