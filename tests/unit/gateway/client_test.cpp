// Who is counted, under which key, and how the rate limit judges (proto-docs/limits.md).
#include "gateway/client_address.hpp"
#include "gateway/rate_limit/window.hpp"
#include "http/message.hpp"
#include "support/catch.hpp"

#include <set>

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

timestamp at(std::string_view text) { return *parse_time(text); }

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

TEST_CASE("the window is the minute on the clock, and part of the key", "[gateway][window]") {
    CHECK(window_at(at("1970-01-01T00:01:00Z")) == window{1, 60});
    CHECK(window_at(at("1970-01-01T00:01:00.999Z")) == window{1, 60});
    CHECK(window_at(at("1970-01-01T00:01:59.999Z")) == window{1, 1});
    CHECK(window_at(at("1970-01-01T00:02:00Z")) == window{2, 60});
    CHECK(window_at(at("1970-01-01T00:01:00.5Z"), 7) == window{8, 3});
    CHECK(window_at(at("1970-01-01T00:00:59.999Z"), 1) == window{59, 1});
}

TEST_CASE("600 pass, number 601 does not", "[gateway][window]") {
    limit_policy const policy{600, 60};
    CHECK(evaluate(1, policy, 42) == decision{true, 600, 599, 42});
    CHECK(evaluate(600, policy, 42) == decision{true, 600, 0, 42});
    CHECK(evaluate(601, policy, 42) == decision{false, 600, 0, 42, 60, false, true});
    CHECK(evaluate(601, {600, 10}, 4, true) == decision{true, 600, 0, 4, 10, true, true});
}

TEST_CASE("tables hash addresses with random keys, and tell neighbours apart", "[gateway]") {
    auto const hash_of = [](std::string const& text) { return std::hash<ip_address>{}(parse_ip(text).value()); };
    CHECK(address_hash_keys != std::array<std::uint64_t, 5>{});
    CHECK(hash_of("2001:db8::1") == hash_of("2001:db8:0::1"));
    std::set<std::size_t> met;
    for (int i = 1; i <= 1000; ++i) {
        auto const n = std::to_string(i);
        met.insert(hash_of("2001:db8::" + n));
        met.insert(hash_of("2001:db8:" + n + "::"));
    }
    CHECK(met.size() >= 1998); // of 2,000: two meet once in 2,000 runs
}

} // namespace client_test
