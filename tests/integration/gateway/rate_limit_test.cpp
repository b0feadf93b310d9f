// The rate limit against real Redis servers: exact across gateways, never waited for, and back by itself.
#include "integration/gateway/two_gateways.hpp"
#include "support/catch.hpp"

namespace rate_limit_test {
using namespace recruiting;
using namespace recruiting::test;
using std::chrono::milliseconds;

namespace {

constexpr auto rate_limit = two_gateways::rate_limit;

} // namespace

TEST_CASE("what a limited answer says", "[gateway][rate_limit]") {
    two_gateways s;
    http_client client(s.first.port());
    auto const good = client.get("/api/v1/x");
    CHECK(good.header("ratelimit-policy") == "\"ip\";q=50;w=60");
    CHECK(good.header("ratelimit") == "\"ip\";r=49;t=50");
    static_cast<void>(passed(s.first, rate_limit));
    s.clock.advance(milliseconds{7999});
    auto const over = client.get("/api/v1/x", "X-Request-Id: my-request\r\n");
    CHECK(over.status == 429);
    CHECK(over.header("retry-after") == "43");
    CHECK(over.header("ratelimit") == "\"ip\";r=0;t=43");
    CHECK(over.header("x-request-id") == "my-request");
    CHECK(over.body.find("\"code\":\"rate_limited\"") != std::string::npos);
}

TEST_CASE("Redis killed: each gateway counts locally, and goes on with the count", "[gateway][rate_limit]") {
    private_redis redis;
    two_gateways s(redis.url());
    CHECK(passed(s.first, 20) == 20);
    redis.kill();
    CHECK(passed(s.first, 20) == 20);
    CHECK(passed(s.first, 20) == 10); // 50 in all
    CHECK(passed(s.second, 60) == rate_limit);
}

TEST_CASE("Redis restarted empty: exact again", "[gateway][rate_limit]") {
    private_redis redis;
    two_gateways s(redis.url());
    CHECK(passed(s.first, 20) == 20);
    redis.kill();
    CHECK(passed(s.first, 5) == 5);
    redis.start();
    REQUIRE(eventually([&] { return s.first.redis_is_up() && s.second.redis_is_up(); }));
    CHECK(passed(s.first, 1) == 1); // tells Redis of the 25 before
    REQUIRE(eventually([&] { return highest_count(redis) == 26; }));
    CHECK(passed(s.second, 60) == rate_limit - 26);
}

TEST_CASE("Redis hung: no request waits, and the count goes on when it wakes", "[gateway][rate_limit]") {
    private_redis redis;
    two_gateways s(redis.url(), short_redis_limit);
    CHECK(passed(s.first, 10) == 10);
    redis.hang();
    CHECK(longest_of(s.first, 1) < at_once);
    CHECK(passed(s.first, 10) == 10);
    CHECK_FALSE(s.first.redis_is_up());
    redis.resume();
    REQUIRE(eventually([&] { return s.first.redis_is_up(); }));
    CHECK(passed(s.first, 1) == 1); // 22 by now
    CHECK(passed(s.second, 60) == rate_limit - 22);
}

TEST_CASE("no Redis at all from the start", "[gateway][rate_limit]") {
    two_gateways s("unix:///nowhere/socket");
    CHECK(passed(s.first, 60) == rate_limit);
}

} // namespace rate_limit_test
