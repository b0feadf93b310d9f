// Tickets across servers and through changes of keys; new files put in place while connections go on.
#include "crypto/digest.hpp"
#include "crypto/tls_server.hpp"
#include "support/catch.hpp"
#include "support/tls_certificates.hpp"
#include "support/tls_pair.hpp"

#include <filesystem>

namespace tls_tickets_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

class settable_time final : public time_source {
public:
    [[nodiscard]] timestamp now() const override { return value; }
    timestamp value{std::chrono::hours{500'000}};
};

tls_offer up_to(unsigned version, saved_session resume = {}) {
    tls_offer offer;
    offer.most = version;
    offer.resume = std::move(resume);
    return offer;
}

std::string error_of(auto const& what) {
    try {
        what();
    } catch (std::runtime_error const& error) {
        return error.what();
    }
    return "none";
}

} // namespace

TEST_CASE("ticket keys are read from 80 bytes each", "[tls]") {
    CHECK_FALSE(parse_ticket_keys(""));
    CHECK_FALSE(parse_ticket_keys(std::string(79, 'x')));
    CHECK_FALSE(parse_ticket_keys(std::string(81, 'x')));
    CHECK_FALSE(parse_ticket_keys(std::string(80 * 17, 'x')));
    auto const keys =
        parse_ticket_keys(std::string(16, 'n') + std::string(32, 'm') + std::string(32, 'c') + std::string(80, '2'));
    REQUIRE(keys);
    REQUIRE(keys->size() == 2);
    CHECK(keys->front().name.back() == 'n');
    CHECK(keys->front().mac_key.front() == 'm');
    CHECK(keys->front().mac_key.back() == 'm');
    CHECK(keys->front().cipher_key.front() == 'c');
    CHECK(keys->back().name.front() == '2');
}

TEST_CASE("random ticket keys change every hour and are known for two more", "[tls]") {
    settable_time time;
    ticket_keys keys(time);
    auto const first = keys.newest();
    CHECK(keys.find(first.name.data())->is_newest);
    time.value += std::chrono::minutes{59};
    CHECK(keys.newest().name == first.name);
    time.value += std::chrono::minutes{1};
    auto const second = keys.newest();
    CHECK(second.name != first.name);
    REQUIRE(keys.find(first.name.data()));
    CHECK_FALSE(keys.find(first.name.data())->is_newest);
    time.value += std::chrono::hours{1};
    CHECK(keys.find(first.name.data()));
    time.value += std::chrono::hours{1};
    CHECK_FALSE(keys.find(first.name.data()));
    CHECK(keys.find(second.name.data()));
    time.value += std::chrono::hours{100}; // nobody connected for long
    CHECK_FALSE(keys.find(second.name.data()));
}

TEST_CASE("connections are resumed with tickets", "[tls]") {
    certificate_authority authority;
    auto const files = authority.issue("one", {"DNS:one.test"});
    tls_server const server({{files}, {}, tls_version::tls1_2});
    tls_server const other({{files}, {}, tls_version::tls1_2});
    for (unsigned const version : {0x0303U, 0x0304U}) {
        probed const first(server.accept_session(), up_to(version));
        REQUIRE(first.good);
        auto const ticket = first.client.session();
        REQUIRE(ticket);
        probed const again(server.accept_session(), up_to(version, ticket));
        REQUIRE(again.good);
        CHECK(again.client.resumed());
        CHECK(again.server.resumed());
        probed const elsewhere(other.accept_session(), up_to(version, ticket));
        CHECK(elsewhere.good);
        CHECK_FALSE(elsewhere.server.resumed());
    }
}

TEST_CASE("processes with one file of ticket keys resume each other's connections", "[tls]") {
    certificate_authority authority;
    auto const files = authority.issue("one", {"DNS:one.test"});
    auto const old_key = random_bytes(80), new_key = random_bytes(80);
    authority.write("tickets", old_key);
    tls_server_settings const settings{{files}, authority.path("tickets"), tls_version::tls1_2};
    tls_server one(settings);
    tls_server two(settings);
    for (unsigned const version : {0x0303U, 0x0304U}) {
        authority.write("tickets", old_key);
        one.reload();
        two.reload();
        auto const ticket = probed(one.accept_session(), up_to(version)).client.session();
        REQUIRE(ticket);
        CHECK(probed(two.accept_session(), up_to(version, ticket)).server.resumed());

        authority.write("tickets", new_key + old_key);
        two.reload();
        probed const renewed(two.accept_session(), up_to(version, ticket));
        CHECK(renewed.server.resumed());
        auto const fresh = renewed.client.session();
        REQUIRE(fresh);

        authority.write("tickets", new_key);
        two.reload();
        CHECK_FALSE(probed(two.accept_session(), up_to(version, ticket)).server.resumed());
        CHECK(probed(two.accept_session(), up_to(version, fresh)).server.resumed());
    }
}

TEST_CASE("reload puts new files in place, and old connections go on", "[tls]") {
    certificate_authority authority;
    auto const files = authority.issue("one", {"DNS:one.test"});
    tls_server server({{files}, {}, tls_version::tls1_2});
    auto const expiry = server.expires();
    CHECK(expiry > system_time().now() + std::chrono::hours{23});
    CHECK(expiry < system_time().now() + std::chrono::hours{25});
    probed before(server.accept_session(), {});
    auto waiting = server.accept_session();
    auto const renamed = authority.issue("other", {"DNS:one.test"});
    std::filesystem::copy_file(renamed.certificates, files.certificates,
                               std::filesystem::copy_options::overwrite_existing);
    SECTION("a certificate that does not fit its key changes nothing") {
        CHECK(error_of([&] { server.reload(); }) ==
              "can't use the private key " + files.key + " of " + files.certificates + ": key values mismatch");
        CHECK(probed(server.accept_session(), {}).client.subject() == "one");
    }
    SECTION("a pair that fits is used from now on") {
        std::filesystem::copy_file(renamed.key, files.key, std::filesystem::copy_options::overwrite_existing);
        server.reload();
        CHECK(probed(server.accept_session(), {}).client.subject() == "other");
        CHECK(probed(std::move(waiting), {}).client.subject() == "one");
        REQUIRE(before.client.write("still here"));
        std::string text(64, '\0');
        CHECK(before.server.read(text.data(), text.size()).size == 10);
    }
}

TEST_CASE("files that can't be used are named", "[tls]") {
    certificate_authority authority;
    auto const files = authority.issue("one", {"DNS:one.test"});
    auto const of = [](tls_server_settings const& settings) {
        return error_of([&] { tls_server const server(settings); });
    };
    auto const chain = files.certificates;
    CHECK(of({{files}, {}, tls_version::tls1_2}) == "none");
    CHECK(of({{}, {}, tls_version::tls1_2}) == "TLS needs a certificate");
    CHECK(of({{{"/nowhere.pem", files.key}}, {}, tls_version::tls1_2}) ==
          "can't use the certificate chain /nowhere.pem: No such file or directory");
    CHECK(of({{{chain, "/nowhere.key"}}, {}, tls_version::tls1_2}) ==
          "can't use the private key /nowhere.key of " + chain + ": No such file or directory");
    authority.write("empty", "");
    auto const empty = authority.path("empty");
    CHECK(of({{{empty, files.key}}, {}, tls_version::tls1_2}).starts_with("can't use the certificate chain " + empty));
    CHECK(of({{files}, "/nowhere", tls_version::tls1_2}) ==
          "the ticket keys: can't read /nowhere: No such file or directory");
    CHECK(of({{files}, empty, tls_version::tls1_2}) ==
          "the ticket keys " + empty + " must be one to sixteen times 80 random bytes");
}

} // namespace tls_tickets_test
