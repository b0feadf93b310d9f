// What strangers may cause: each a little, all together no more than can be borne.
#include "core/fair_budget.hpp"
#include "support/catch.hpp"

#include <string>

namespace fair_budget_test {
using namespace recruiting;
using namespace std::chrono_literals;

namespace {

ip_address client(int number) {
    return parse_ip("203.0." + std::to_string(number / 250) + "." + std::to_string(number % 250)).value();
}

fair_budget::clock::time_point const start{std::chrono::hours{1}};

} // namespace

TEST_CASE("a client has its share in each window, and no more", "[core]") {
    fair_budget budget({3, 100}, 1min);
    for (int i = 0; i < 3; ++i) CHECK(budget.take(client(1), start));
    CHECK_FALSE(budget.take(client(1), start + 59s));
    CHECK(budget.take(client(2), start + 59s));
    CHECK(budget.take(client(1), start + 60s));
}

TEST_CASE("those who take more than one leave half of the budget for the first of others", "[core]") {
    fair_budget budget({10, 20}, 1min);
    int taken = 0;
    for (int i = 0; i < 4; ++i)
        for (int again = 0; again < 10; ++again) taken += budget.take(client(i), start) ? 1 : 0;
    CHECK(taken == 4 + 10); // each one's first, and half of all
    for (int i = 4; i < 10; ++i) CHECK(budget.take(client(i), start));
    CHECK_FALSE(budget.take(client(10), start));
}

TEST_CASE("an IPv6 /48 is one client, an IPv4 address another", "[core]") {
    fair_budget budget({1, 100}, 1min);
    CHECK(budget.take(*parse_ip("2001:db8:1:2::3"), start));
    CHECK_FALSE(budget.take(*parse_ip("2001:db8:1:9::3"), start));
    CHECK(budget.take(*parse_ip("2001:db8:2::1"), start));
    CHECK(budget.take(client(1), start));
    CHECK(budget.take(client(2), start));
}

TEST_CASE("the first bits of an address are its network", "[core]") {
    auto const address = *parse_ip("2001:db8:ffff:ffff:ffff::1");
    CHECK(to_string(first_bits(address, 48)) == "2001:db8:ffff::");
    CHECK(to_string(first_bits(address, 52)) == "2001:db8:ffff:f000::");
    CHECK(to_string(first_bits(*parse_ip("203.0.113.77"), 96 + 24)) == "203.0.113.0");
    CHECK(first_bits(address, 128) == address);
}

} // namespace fair_budget_test
