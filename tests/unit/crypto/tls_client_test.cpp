// The client's side of TLS: whom it believes, what it shows.
#include "crypto/tls_client.hpp"
#include "support/catch.hpp"
#include "support/tls_certificates.hpp"
#include "support/tls_pair.hpp"

namespace tls_client_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct both {
    both(tls_session of_client, tls_session of_server) : client(std::move(of_client)), server(std::move(of_server)) {
        client.attach(ends.client());
        server.attach(ends.server());
        for (int turn = 0; turn < 20; ++turn) {
            if (at_client == tls_status::want_read) at_client = client.handshake();
            if (at_client == tls_status::failed && why.empty()) why = client.failure();
            if (at_server == tls_status::want_read) at_server = server.handshake();
        }
    }
    socket_pair ends;
    tls_session client;
    tls_session server;
    tls_status at_client{tls_status::want_read};
    tls_status at_server{tls_status::want_read};
    std::string why;
};

} // namespace

TEST_CASE("a client believes a server its authority vouches for, by the name it asked for", "[tls]") {
    certificate_authority authority;
    certificate_authority stranger;
    tls_server const server({{authority.issue("service", {"DNS:service.test", "DNS:*.pool.test", "IP:127.0.0.1"})},
                             {},
                             tls_version::tls1_2});
    auto const connect = [&](tls_client_settings settings, std::string const& host) {
        tls_client const client(std::move(settings));
        return both(client.connect_session(host), server.accept_session());
    };
    for (std::string const host : {"service.test", "a.pool.test", "127.0.0.1"}) {
        auto const made = std::make_unique<both>(tls_client({authority.file(), {}, {}}).connect_session(host),
                                                 server.accept_session());
        CHECK(made->at_client == tls_status::done);
        CHECK(made->at_server == tls_status::done);
        CHECK(made->client.version() == tls_version::tls1_3);
    }
    CHECK(connect({authority.file(), {}, "service.test"}, "10.0.0.1").at_client == tls_status::done);
    for (std::string const host : {"other.test", "127.0.0.2", "a.b.pool.test", "pool.test"}) {
        auto const made = connect({authority.file(), {}, {}}, host);
        CHECK(made.at_client == tls_status::failed);
        CHECK(made.why.find("mismatch") != std::string::npos);
    }
    CHECK(connect({stranger.file(), {}, {}}, "service.test").at_client == tls_status::failed);
    CHECK(connect({{}, {}, {}}, "service.test").at_client == tls_status::failed);
    CHECK_THROWS_WITH(tls_client({"/nowhere.pem", {}, {}}),
                      "can't use the CA certificates /nowhere.pem: No such file or directory");
}

TEST_CASE("a server that leaves without a word has not ended its answer", "[tls]") {
    certificate_authority authority;
    tls_server const server({{authority.issue("service", {"DNS:service.test"})}, {}, tls_version::tls1_2});
    tls_client const client({authority.file(), {}, {}});
    auto made = std::make_unique<both>(client.connect_session("service.test"), server.accept_session());
    std::string text(64, '\0');
    SECTION("cut off") {
        ::shutdown(made->ends.server(), SHUT_RDWR);
        CHECK(made->client.read(text.data(), text.size()).status == tls_status::failed);
    }
    SECTION("ended in order") {
        CHECK(made->server.shut_down() == tls_status::done);
        CHECK(made->client.read(text.data(), text.size()).status == tls_status::closed);
    }
}

} // namespace tls_client_test
