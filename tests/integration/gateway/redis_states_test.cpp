// The rate limit in every state a Redis can be in: no request waits for it, each gateway counts locally, reports what
// it counted with the client's next request, and all are exact again: after a loss of counts with the next window.
#include "integration/gateway/two_gateways.hpp"
#include "integration/support/slow_link.hpp"
#include "support/catch.hpp"

#include <algorithm>

namespace redis_states_test {
using namespace recruiting;
using namespace recruiting::test;
using std::chrono::milliseconds;

namespace {

constexpr auto rate_limit = two_gateways::rate_limit;

// Redis answers every write with this error. Both gateways counted requests before and count some alone; then it ends.
void refuses_writes(private_redis& redis, std::function<void()> const& begin, std::function<void()> const& end) {
    two_gateways s(redis.url());
    CHECK(passed(s.first, 10) == 10);
    CHECK(passed(s.second, 5) == 5);
    begin();
    CHECK(longest_of(s.first, 4) < at_once);
    CHECK(longest_of(s.second, 3) < at_once);
    CHECK(s.sum("recruiting_rate_limit_local_total") == 7);
    CHECK(s.sum("recruiting_redis_errors_total") == 7);
    end();
    CHECK(passed(s.first, 1) == 1);
    CHECK(passed(s.second, 1) == 1);
    CHECK(highest_count(redis) == 24);
    CHECK(passed_at_once(s, 8, 10) == rate_limit - 24);
    CHECK(s.service.requests().size() == rate_limit);
}

// Redis loses what both gateways counted: neither lets more than the limit pass, and the next window is exact.
void loses_counts(two_gateways& s, private_redis const& redis) {
    CHECK(passed(s.first, 1) == 1); // tells Redis all that this gateway counted
    REQUIRE(eventually([&] { return highest_count(redis) > 10; }));
    for (auto const& key : redis.keys("rl:*")) CHECK(std::stoi(redis.say({"TTL", key})) > 0);
    static_cast<void>(passed_at_once(s, 8, 20));
    CHECK(s.service.requests().size() >= rate_limit);
    CHECK(s.service.requests().size() <= 2 * rate_limit);
    auto const before = static_cast<int>(s.service.requests().size());
    s.clock.advance(std::chrono::minutes{1});
    CHECK(passed_at_once(s, 8, 20) == rate_limit);
    CHECK(static_cast<int>(s.service.requests().size()) == before + rate_limit);
}

} // namespace

TEST_CASE("Redis slow, but in time: it counts, and requests that wait go together", "[gateway][redis]") {
    private_redis redis;
    slow_link link(redis.socket());
    two_gateways s(link.url());
    link.delay(milliseconds{10});
    CHECK(longest_of(s.first, 5) < at_once);
    link.delay(milliseconds{1}); // quick enough for a turn to be held back
    CHECK(passed_at_once(s, 8, 20) == rate_limit - 5);
    CHECK(highest_count(redis) >= rate_limit);
}

TEST_CASE("Redis too slow: no request waits, also while others are held back", "[gateway][redis]") {
    private_redis redis;
    slow_link link(redis.socket());
    two_gateways s(link.url(), short_redis_limit);
    CHECK(passed(s.first, 5) == 5);
    link.delay(2 * at_once);
    std::atomic<milliseconds::rep> longest{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i)
        clients.emplace_back([&] {
            auto const took = longest_of(s.first, 3).count();
            for (auto known = longest.load(); known < took && !longest.compare_exchange_weak(known, took);) continue;
        });
    for (auto& one : clients) one.join();
    CHECK(longest < at_once.count());
    CHECK_FALSE(s.first.redis_is_up());
    link.delay(milliseconds{0});
    REQUIRE(eventually([&] { return s.up(); }));
    CHECK(passed(s.first, 1) == 1);
    REQUIRE(eventually([&] { return highest_count(redis) == 18; }));
    CHECK(passed_at_once(s, 8, 20) == rate_limit - 18);
}

TEST_CASE("Redis is asked to pause: nobody waits for it", "[gateway][redis]") {
    private_redis redis;
    two_gateways s(redis.url(), short_redis_limit);
    CHECK(passed(s.first, 5) == 5);
    redis.say({"CLIENT", "PAUSE", "60000", "ALL"});
    CHECK(longest_of(s.first, 5) < at_once);
    CHECK(passed(s.first, 60) == rate_limit - 10);
}

TEST_CASE("Redis flushed within a window", "[gateway][redis]") {
    private_redis redis;
    two_gateways s(redis.url());
    CHECK(passed(s.first, 10) == 10);
    CHECK(passed(s.second, 15) == 15);
    redis.say({"FLUSHALL"});
    loses_counts(s, redis);
}

// What a jump by an hour does: every key that has less to live expires. tests/faults/run has it with the real clock.
TEST_CASE("the clock of Redis jumps ahead within a window", "[gateway][redis]") {
    private_redis redis;
    two_gateways s(redis.url());
    CHECK(passed(s.first, 10) == 10);
    CHECK(passed(s.second, 15) == 15);
    redis.say({"EVAL",
               "for _, key in ipairs(redis.call('KEYS', '*')) do local left = redis.call('TTL', key) "
               "if left >= 0 and left <= 3600 then redis.call('DEL', key) end end",
               "0"});
    loses_counts(s, redis);
}

TEST_CASE("Redis killed and restarted empty while both gateways count", "[gateway][redis]") {
    private_redis redis;
    two_gateways s(redis.url());
    CHECK(passed(s.first, 10) == 10);
    CHECK(passed(s.second, 5) == 5);
    redis.kill();
    CHECK(passed(s.first, 4) == 4);
    CHECK(passed(s.second, 3) == 3);
    redis.start();
    REQUIRE(eventually([&] { return s.up(); }));
    loses_counts(s, redis);
}

TEST_CASE("Redis full", "[gateway][redis]") {
    private_redis redis;
    refuses_writes(
        redis,
        [&] {
            redis.say({"CONFIG", "SET", "maxmemory", "1"});
        },
        [&] {
            redis.say({"CONFIG", "SET", "maxmemory", "0"});
        });
}

TEST_CASE("Redis takes no writes: it is a replica", "[gateway][redis]") {
    private_redis redis;
    refuses_writes(
        redis,
        [&] {
            redis.say({"REPLICAOF", "127.0.0.1", "1"});
        },
        [&] {
            redis.say({"REPLICAOF", "NO", "ONE"});
        });
}

TEST_CASE("the gateway's user loses its rights", "[gateway][redis]") {
    private_redis redis;
    refuses_writes(
        redis,
        [&] {
            redis.say({"ACL", "SETUSER", "default", "-incrby"});
        },
        [&] {
            redis.say({"ACL", "SETUSER", "default", "+incrby"});
        });
}

TEST_CASE("something else lies at the client's key", "[gateway][redis]") {
    private_redis redis;
    two_gateways s(redis.url());
    CHECK(passed(s.first, 10) == 10);
    auto const keys = redis.keys("rl:api:*");
    REQUIRE(keys.size() == 1);
    redis.say({"DEL", keys[0]});
    redis.say({"LPUSH", keys[0], "x"});
    CHECK(longest_of(s.first, 5) < at_once);
    CHECK(passed(s.first, 60) == rate_limit - 15); // alone
    s.clock.advance(std::chrono::minutes{1});
    CHECK(passed_at_once(s, 8, 20) == rate_limit);
}

TEST_CASE("Redis loads its data: it is away until it has", "[gateway][redis]") {
    private_redis redis({"--rdbcompression", "no"});
    two_gateways s(redis.url());
    CHECK(passed(s.first, 10) == 10);
    for (int i = 0; i < 60; ++i) redis.say({"SET", "other:" + std::to_string(i), std::string(500, 'x')});
    CHECK(redis.say({"SAVE"}) == "OK");
    redis.restart({"--key-load-delay", "50000", "--loading-process-events-interval-bytes", "1024"}); // 50 ms a key
    CHECK(redis.say({"PING"}).starts_with("LOADING"));
    CHECK(longest_of(s.second, 5) < at_once);
    REQUIRE(eventually([&] { return s.up(); }));
    CHECK(passed(s.second, 1) == 1);
    CHECK(highest_count(redis) == 16);
    CHECK(passed_at_once(s, 8, 20) == rate_limit - 16);
}

TEST_CASE("Redis wants another password, or any", "[gateway][redis]") {
    auto const port = std::to_string(free_port());
    private_redis const server({"--port", port, "--requirepass", "right"});
    for (std::string const login : {"", ":wrong@"}) {
        test_clock const clock;
        recording_upstream const service;
        gateway_harness const alone(clock, [&](gateway::gateway_settings& settings) {
            settings.upstreams[0] = settings.at(service.port());
            settings.limits.limits = {rate_limit, rate_limit};
            settings.limits.redis = *redis::parse_address("redis://" + login + "127.0.0.1:" + port);
        });
        CHECK_FALSE(alone.redis_is_up());
        CHECK(longest_of(alone, 1) < at_once);
        CHECK(passed(alone, 60) == rate_limit - 1);
    }
    two_gateways const s("redis://:right@127.0.0.1:" + port);
    CHECK(s.up());
    CHECK(passed_at_once(s, 8, 20) == rate_limit);
}

} // namespace redis_states_test
