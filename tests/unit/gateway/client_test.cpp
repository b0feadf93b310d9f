// Who is counted, under which key, and how the rate limit judges (proto-docs/limits.md).
#include "gateway/client_counts.hpp"
#include "http/message.hpp"
#include "support/catch.hpp"

namespace client_test {
using namespace recruiting;
using namespace recruiting::gateway;

namespace {

std::string client_of(std::string const& peer, std::vector<std::string_view> const& fields,
                      std::vector<std::string> const& trusted) {
    std::vector<ip_network> networks;
    for (auto const& one : trusted) networks.push_back(*parse_network(one));
    return to_string(http::client_address(*parse_ip(peer), fields, networks));
}

std::string name_of(std::string const& address, unsigned bits = 64) {
    std::string name;
    append_count_name(name, count_address(*parse_ip(address), bits), bits);
    return name;
}

} // namespace

TEST_CASE("X-Forwarded-For counts from trusted proxies only", "[gateway][client]") {
    CHECK(client_of("203.0.113.7", {"1.1.1.1"}, {}) == "203.0.113.7");
    CHECK(client_of("203.0.113.7", {"1.1.1.1"}, {"10.0.0.0/8"}) == "203.0.113.7");
    CHECK(client_of("10.0.0.1", {"1.1.1.1"}, {"10.0.0.0/8"}) == "1.1.1.1");
    CHECK(client_of("10.0.0.1", {}, {"10.0.0.0/8"}) == "10.0.0.1");
    CHECK(client_of("10.0.0.1", {"9.9.9.9, 1.1.1.1, 10.2.0.1"}, {"10.0.0.0/8"}) == "1.1.1.1");
    CHECK(client_of("10.0.0.1", {"9.9.9.9", "1.1.1.1", " 10.2.0.1 "}, {"10.0.0.0/8"}) == "1.1.1.1");
    CHECK(client_of("10.0.0.1", {"10.3.0.1, 10.2.0.1"}, {"10.0.0.0/8"}) == "10.3.0.1");
    CHECK(client_of("10.0.0.1", {"1.1.1.1:1234"}, {"10.0.0.0/8"}) == "1.1.1.1");
    CHECK(client_of("::1", {"[2001:db8::9]:99"}, {"::1"}) == "2001:db8::9");
    CHECK(client_of("::ffff:10.0.0.1", {"1.1.1.1"}, {"10.0.0.0/8"}) == "1.1.1.1");
}

TEST_CASE("an entry that is no address ends the search", "[gateway][client]") {
    CHECK(client_of("10.0.0.1", {"1.1.1.1, unknown"}, {"10.0.0.0/8"}) == "10.0.0.1");
    CHECK(client_of("10.0.0.1", {"1.1.1.1, , 10.2.0.1"}, {"10.0.0.0/8"}) == "10.2.0.1");
    CHECK(client_of("10.0.0.1", {"1.1.1.1,"}, {"10.0.0.0/8"}) == "10.0.0.1");
    CHECK(client_of("10.0.0.1", {"[::1"}, {"10.0.0.0/8"}) == "10.0.0.1");
}

TEST_CASE("clients are counted by address, IPv6 by prefix", "[gateway][client]") {
    CHECK(name_of("203.0.113.7") == "203.0.113.7");
    CHECK(name_of("::ffff:203.0.113.7") == "203.0.113.7");
    CHECK(name_of("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64");
    CHECK(name_of("2001:db8:1:2:3:4:5:6", 128) == "2001:db8:1:2:3:4:5:6");
    CHECK(name_of("2001:db8:1:2ff:3:4:5:6", 56) == "2001:db8:1:200::/56");
}

TEST_CASE("600 pass, number 601 does not", "[gateway][window]") {
    CHECK(evaluate({1, 42}, 600) == decision{true, 600, 599, 42});
    CHECK(evaluate({600, 42}, 600) == decision{true, 600, 0, 42});
    CHECK(evaluate({601, 42}, 600) == decision{false, 600, 0, 42, 60, false, true});
    CHECK(evaluate({601, 4}, 600, 10, true) == decision{true, 600, 0, 4, 10, true, true});
}

} // namespace client_test
