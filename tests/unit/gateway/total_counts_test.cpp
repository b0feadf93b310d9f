// The second rate limit, and its networks.
#include "gateway/client_counts.hpp"
#include "gateway/settings.hpp"
#include "support/catch.hpp"

#include <memory>
#include <thread>

namespace total_counts_test {
using namespace recruiting;
using namespace recruiting::gateway;
using namespace std::chrono_literals;

namespace {

ip_address address(std::string_view text) { return parse_ip(text).value(); }
timestamp const noon{std::chrono::hours{12}};

int passed(total_counts& counts, std::string_view client, int requests, timestamp now = noon) {
    int out = 0;
    for (int i = 0; i < requests; ++i) out += counts.count(address(client), now) ? 0 : 1;
    return out;
}

} // namespace

// The tables are aligned to cache lines, which g++ 12's address sanitizer forgets of what stands on a stack.
TEST_CASE("all requests of a client count together, and begin again with the minute", "[gateway][total]") {
    auto const counts = std::make_unique<total_counts>(10, 64);
    CHECK(passed(*counts, "203.0.113.1", 12) == 10);
    CHECK(passed(*counts, "203.0.113.2", 12) == 10);
    CHECK(passed(*counts, "203.0.113.1", 12, noon + 1min) == 10);
    auto const over = counts->count(address("203.0.113.1"), noon + 61s);
    REQUIRE(over);
    CHECK(over->name == "total");
    CHECK_FALSE(over->allowed);
    CHECK(over->limit == 10);
    CHECK(over->remaining == 0);
    CHECK(over->seconds_left == 59);
}

TEST_CASE("a thread whose clock is a moment behind takes no counts away", "[gateway][total]") {
    auto const counts = std::make_unique<total_counts>(10, 64);
    CHECK(passed(*counts, "203.0.113.1", 9) == 9);
    CHECK(passed(*counts, "203.0.113.1", 1, noon - 1us) == 1);
    CHECK(passed(*counts, "203.0.113.1", 1) == 0);
}

TEST_CASE("an IPv6 /56 may send twice, a /48 four times as much as a client", "[gateway][total]") {
    auto const counts = std::make_unique<total_counts>(10, 64);
    CHECK(passed(*counts, "2001:db8:1:11::1", 20) == 10);
    CHECK(passed(*counts, "2001:db8:1:11::2", 1) == 0);
    // What was refused counts for the networks as well: 21 so far.
    CHECK(passed(*counts, "2001:db8:1:12::1", 1) == 0);
    CHECK(passed(*counts, "2001:db8:1:112::1", 10) == 10);
    CHECK(passed(*counts, "2001:db8:1:212::1", 10) == 8);
    CHECK(passed(*counts, "2001:db8:2:212::1", 10) == 10);
}

TEST_CASE("clients that are a /48 or wider themselves are in no narrower network", "[gateway][total]") {
    auto const counts = std::make_unique<total_counts>(10, 48);
    CHECK(passed(*counts, "2001:db8:1:1::1", 20) == 10);
    CHECK(passed(*counts, "2001:db8:1:200::1", 1) == 0);
}

TEST_CASE("a client is exhausted when it was refused for a while, until the minute ends", "[gateway][total]") {
    auto const counts = std::make_unique<total_counts>(100, 64);
    auto const client = address("203.0.113.1");
    static_cast<void>(passed(*counts, "203.0.113.1", 170));
    CHECK_FALSE(counts->is_exhausted(client, noon));
    CHECK(counts->count(client, noon));
    CHECK(counts->is_exhausted(client, noon));
    CHECK_FALSE(counts->is_exhausted(address("203.0.113.2"), noon));
    CHECK_FALSE(counts->is_exhausted(client, noon + 1min));
}

TEST_CASE("threads that count at once miss none", "[gateway][total]") {
    auto const counts = std::make_unique<total_counts>(1'000, 64);
    std::atomic<int> through{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) threads.emplace_back([&] { through += passed(*counts, "203.0.113.1", 500); });
    }
    CHECK(through == 1'000);
}

TEST_CASE("a full table refuses nobody for what others sent", "[gateway][total]") {
    auto const counts = std::make_unique<address_counts>();
    ip_address one = address("0.0.0.0");
    for (std::uint32_t i = 0; i < 2 * address_counts::most; ++i) {
        for (unsigned byte = 0; byte < 4; ++byte) one.bytes[12 + byte] = static_cast<std::uint8_t>(i >> (8 * byte));
        CHECK(counts->add(one, 1) <= 1);
    }
    CHECK(counts->add(one, 1) == 0);
    CHECK(counts->add(one, 2) == 1); // another minute
}

TEST_CASE("the total is never lower than what the rate limits let pass", "[gateway][settings]") {
    limiter_settings limits;
    CHECK(limits.total_limit() == 6'000);
    limits.limits = {6'000, 100'000};
    limits.window_seconds = 600;
    CHECK(limits.total_limit() == 112'000); // the console's as well, and all of a window's in one minute
    limits.total = 200'000;
    CHECK(limits.total_limit() == 200'000);
}

} // namespace total_counts_test
