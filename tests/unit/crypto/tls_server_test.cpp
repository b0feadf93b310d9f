// The server's side of TLS against a client straight on OpenSSL: versions, suites, ALPN, certificates by name.
#include "crypto/tls_server.hpp"
#include "support/catch.hpp"
#include "support/tls_certificates.hpp"
#include "support/tls_pair.hpp"

namespace tls_server_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr int handshake_failure = 40; // alerts, RFC 8446 section 6
constexpr int protocol_version = 70;
constexpr int no_application_protocol = 120;

certificate_authority& authority() {
    static certificate_authority shared;
    return shared;
}

tls_server_settings one_certificate() {
    static auto const files = authority().issue("one", {"DNS:one.test", "IP:127.0.0.1"});
    return {{files}, {}, tls_version::tls1_2};
}

std::string read_text(tls_session& from) {
    std::string out(64 * 1024, '\0');
    auto const got = from.read(out.data(), out.size());
    out.resize(got.size);
    return out;
}

} // namespace

TEST_CASE("TLS 1.2 and 1.3 are spoken, nothing older", "[tls]") {
    tls_server const server(one_certificate());
    SECTION("1.3 when the client can") {
        probed const made(server.accept_session(), {authority().file(), "one.test"});
        REQUIRE(made.good);
        CHECK(made.client.version() == "TLSv1.3");
        CHECK(made.client.suite() == "TLS_AES_128_GCM_SHA256");
        CHECK(made.server.version() == tls_version::tls1_3);
        CHECK_FALSE(made.server.resumed());
    }
    SECTION("1.2") {
        tls_offer offer{authority().file(), "one.test"};
        offer.most = 0x0303;
        probed const made(server.accept_session(), offer);
        REQUIRE(made.good);
        CHECK(made.client.version() == "TLSv1.2");
        CHECK(made.server.version() == tls_version::tls1_2);
        CHECK(made.client.suite() == "ECDHE-ECDSA-AES128-GCM-SHA256");
    }
    SECTION("1.1 and 1.0 are refused") {
        for (unsigned const version : {0x0302U, 0x0301U}) {
            tls_offer offer;
            offer.most = version;
            probed const made(server.accept_session(), offer);
            CHECK(made.status == tls_status::failed);
            CHECK(made.client.alert() == protocol_version);
        }
    }
    SECTION("1.2 is refused when the least is 1.3") {
        auto strict = one_certificate();
        strict.least = tls_version::tls1_3;
        tls_server const only(strict);
        tls_offer offer;
        CHECK(probed(only.accept_session(), offer).good);
        offer.most = 0x0303;
        CHECK(probed(only.accept_session(), offer).client.alert() == protocol_version);
    }
}

TEST_CASE("only suites with forward secrecy and AEAD are spoken", "[tls]") {
    tls_server const server(one_certificate());
    tls_offer offer;
    offer.most = 0x0303;
    for (std::string const suites : {"ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA384", "ECDHE-ECDSA-AES128-SHA",
                                     "ECDHE-ECDSA-AES128-CCM", "AES128-GCM-SHA256", "DHE-RSA-AES128-GCM-SHA256"}) {
        INFO(suites);
        offer.suites = suites + ":@SECLEVEL=0";
        probed const made(server.accept_session(), offer);
        CHECK(made.status == tls_status::failed);
        CHECK(made.client.alert() == handshake_failure);
    }
    for (std::string const suite :
         {"ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305"}) {
        offer.suites = suite;
        CHECK(probed(server.accept_session(), offer).client.suite() == suite);
    }
}

TEST_CASE("ALPN: http/1.1, or no connection when only others are offered", "[tls]") {
    tls_server const server(one_certificate());
    tls_offer offer;
    CHECK(probed(server.accept_session(), offer).client.protocol().empty());
    offer.protocol = "http/1.1";
    CHECK(probed(server.accept_session(), offer).client.protocol() == "http/1.1");
    offer.protocol = "h2";
    probed const refused(server.accept_session(), offer);
    CHECK(refused.status == tls_status::failed);
    CHECK(refused.client.alert() == no_application_protocol);
}

TEST_CASE("a name finds its certificate: exactly or by wildcard", "[tls]") {
    certificate_names names;
    names.add("first.test", 0);
    names.add("*.wild.test", 1);
    names.add("Exact.wild.test", 2);
    names.add("*.wild.test", 3);
    CHECK(names.find("first.test") == 0);
    CHECK(names.find("a.wild.test") == 1);
    CHECK(names.find("A.WILD.TEST.") == 1);
    CHECK(names.find("exact.wild.test") == 2);
    CHECK_FALSE(names.find("a.b.wild.test"));
    CHECK_FALSE(names.find("wild.test"));
    CHECK(names.find("*.wild.test") == 1);
    CHECK_FALSE(names.find(".wild.test"));
    CHECK_FALSE(names.find(""));
    CHECK_FALSE(names.find("other.test"));
}

TEST_CASE("clients get the certificate of the name they ask for", "[tls]") {
    tls_server const server(
        {{authority().issue("first", {"DNS:first.test"}), authority().issue("wild", {"DNS:*.wild.test"}),
          authority().issue("two", {"DNS:two.test", "DNS:three.test"})},
         {},
         tls_version::tls1_2});
    auto const subject_for = [&](std::string const& name, unsigned most) {
        tls_offer offer;
        offer.server_name = name;
        offer.most = most;
        return probed(server.accept_session(), offer).client.subject();
    };
    for (unsigned const most : {0x0303U, 0x0304U}) {
        CHECK(subject_for("", most) == "first");
        CHECK(subject_for("first.test", most) == "first");
        CHECK(subject_for("unknown.test", most) == "first");
        CHECK(subject_for("a.wild.test", most) == "wild");
        CHECK(subject_for("a.b.wild.test", most) == "first");
        CHECK(subject_for("Three.Test", most) == "two");
    }
}

TEST_CASE("the hosts that certificates name are known", "[tls]") {
    tls_server const server(
        {{authority().issue("hosts", {"DNS:host.test", "DNS:*.wild.test", "IP:127.0.0.1", "IP:::1"})},
         {},
         tls_version::tls1_2});
    for (std::string const host : {"host.test", "HOST.test", "a.wild.test", "127.0.0.1", "[::1]", "[0:0::1]"})
        CHECK(server.serves(host));
    for (std::string const host : {"", "other.test", "wild.test", "127.0.0.2", "[::2]", "*.host.test"})
        CHECK_FALSE(server.serves(host));
}

TEST_CASE("bytes go both ways, small pieces in one record", "[tls]") {
    tls_server const server(one_certificate());
    probed made(server.accept_session(), {});
    REQUIRE(made.good);
    char byte = 0;
    CHECK(made.server.read(&byte, 1).status == tls_status::want_read);
    CHECK_FALSE(made.server.may_have_more());
    REQUIRE(made.client.write("hello"));
    CHECK(made.server.read(&byte, 1).size == 1);
    CHECK(made.server.may_have_more());
    CHECK(read_text(made.server) == "ello");
    CHECK_FALSE(made.server.may_have_more());

    std::array<std::string_view, 4> const pieces = {"head ", "", "body", " end"};
    auto const sent = made.server.write(pieces);
    CHECK(sent.status == tls_status::done);
    CHECK(sent.size == 13);
    CHECK(made.client.read() == "head body end");
}

TEST_CASE("what was read before the handshake is not lost", "[tls]") {
    tls_server const server(one_certificate());
    socket_pair ends;
    tls_probe client(ends.client(), {});
    REQUIRE(client.handshake() == tls_probe::progress::wants_more);
    std::string hello(16, '\0'); // the beginning of the client's first flight
    REQUIRE(::recv(ends.server(), hello.data(), hello.size(), 0) == 16);
    auto session = server.accept_session();
    session.attach(ends.server(), hello);
    CHECK(session.handshake() == tls_status::want_read);
    CHECK(client.handshake() == tls_probe::progress::done);
    CHECK(session.handshake() == tls_status::done);
}

TEST_CASE("a writer that must wait goes on with the rest", "[tls]") {
    tls_server const server(one_certificate());
    probed made(server.accept_session(), {});
    REQUIRE(made.good);
    std::string const head = "head ";
    std::string body(3'000'000, '\0');
    for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>('a' + i % 23);
    std::string const expected = head + body;
    std::string got;
    std::size_t done = 0;
    bool waited = false;
    while (done < expected.size()) {
        std::array<std::string_view, 2> pieces = {std::string_view(head), std::string_view(body)};
        auto const of_head = std::min(done, head.size());
        pieces[0].remove_prefix(of_head);
        pieces[1].remove_prefix(done - of_head);
        auto const sent = made.server.write(pieces);
        done += sent.size;
        REQUIRE((sent.status == tls_status::done || sent.status == tls_status::want_write));
        waited = waited || sent.status == tls_status::want_write;
        for (auto text = made.client.read(); !text.empty(); text = made.client.read()) got += text;
    }
    CHECK(waited);
    CHECK(got == expected);
}

TEST_CASE("the end of a connection", "[tls]") {
    tls_server const server(one_certificate());
    auto made = std::make_unique<probed>(server.accept_session(), tls_offer{});
    REQUIRE(made->good);
    char byte = 0;
    SECTION("a client that leaves without a word has closed") {
        made->ends.close_client();
        CHECK(made->server.read(&byte, 1).status == tls_status::closed);
    }
    SECTION("a record that was tampered with ends it") {
        CHECK(::send(made->ends.client(), "\x17\x03\x03\x00\x20 thirty-two bytes, and no record of TLS", 37, 0) == 37);
        CHECK(made->server.read(&byte, 1).status == tls_status::failed);
        CHECK_FALSE(made->server.failure().empty());
        CHECK(made->server.shut_down() == tls_status::failed);
    }
    SECTION("plain HTTP is no handshake") {
        socket_pair ends;
        auto session = server.accept_session();
        session.attach(ends.server());
        CHECK(::send(ends.client(), "GET / HTTP/1.1\r\n\r\n", 18, 0) == 18);
        CHECK(session.handshake() == tls_status::failed);
        CHECK(session.failure() == "http request");
    }
    SECTION("writing to a client that is gone raises no signal") {
        made->ends.close_client();
        std::array<std::string_view, 1> const text = {"x"};
        CHECK(made->server.write(text).status == tls_status::failed);
    }
    SECTION("shutting down says so") {
        CHECK(made->server.shut_down() == tls_status::done);
        CHECK(made->client.read().empty());
    }
    SECTION("the server may go before its connections") {
        auto brief = std::make_unique<tls_server>(one_certificate());
        auto session = brief->accept_session();
        brief.reset();
        CHECK(probed(std::move(session), {}).good);
    }
}

} // namespace tls_server_test
