// What counting costs Redis, and how its settings change it.
#include "integration/gateway/two_gateways.hpp"
#include "support/catch.hpp"

namespace counting_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr auto rate_limit = two_gateways::rate_limit;

// Clients on many connections that do not stop.
class crowd {
public:
    explicit crowd(two_gateways const& at, int connections) {
        for (int i = 0; i < connections; ++i)
            threads_.emplace_back([this, &gateway = i % 2 == 0 ? at.first : at.second] {
                http_client client(gateway.port());
                while (!stopped_) {
                    auto const status = client.get("/api/v1/x").status;
                    if (status == 429) ++refused_;
                    else if (status != 200) ++other_;
                }
            });
    }
    ~crowd() { stop(); }
    crowd(crowd const&) = delete;
    crowd& operator=(crowd const&) = delete;

    void stop() {
        stopped_ = true;
        for (auto& one : threads_) one.join();
        threads_.clear();
    }
    [[nodiscard]] int refused() const noexcept { return refused_; }
    [[nodiscard]] int other() const noexcept { return other_; }

private:
    std::atomic<bool> stopped_{false};
    std::atomic<int> refused_{0};
    std::atomic<int> other_{0};
    std::vector<std::thread> threads_;
};

} // namespace

TEST_CASE("the count starts again at the top of the minute, under load", "[gateway][rate_limit]") {
    two_gateways s({}, [](auto& settings) { settings.threads = 2; });
    crowd clients(s, 16);
    for (std::size_t minute = 1; minute <= 4; ++minute) {
        CHECK(eventually([&] { return s.service.requests().size() >= minute * rate_limit; }));
        auto const refused = clients.refused();
        CHECK(eventually([&] { return clients.refused() > refused + 100; }));
        CHECK(s.service.requests().size() == minute * rate_limit);
        s.clock.advance(std::chrono::minutes{1});
    }
    CHECK(eventually([&] { return s.service.requests().size() >= 5 * rate_limit; }));
    clients.stop();
    CHECK(clients.other() == 0);
    CHECK(s.service.requests().size() == 5 * rate_limit);
}

TEST_CASE("a process's threads and another process count together", "[gateway][rate_limit]") {
    private_redis redis;
    two_gateways s(redis.url(), [](auto& settings) { settings.threads = 3; });
    CHECK(passed_at_once(s, 24, 10) == rate_limit);
    redis.kill();
    s.clock.advance(std::chrono::minutes{1});
    CHECK(passed_at_once(s, 24, 10) == 2 * rate_limit); // each alone, all its threads together
}

TEST_CASE("a client that is over costs Redis nothing", "[gateway][rate_limit]") {
    private_redis redis;
    two_gateways s(redis.url());
    CHECK(passed_at_once(s, 8, 20) == rate_limit);
    auto const before = redis.calls("incrby");
    CHECK(before >= 1);
    CHECK(passed_at_once(s, 8, 20) == 0);
    CHECK(redis.calls("incrby") == before);
}

TEST_CASE("requests of one turn are one write, with one command a client", "[gateway][rate_limit]") {
    private_redis redis;
    two_gateways s(redis.url(), [](auto& settings) { settings.trusted_proxies = {*parse_network("127.0.0.0/8")}; });
    CHECK(passed(s.first, 1) == 1);
    std::vector<std::unique_ptr<http_client>> clients;
    for (int i = 0; i < 30; ++i) clients.push_back(std::make_unique<http_client>(s.first.port()));
    for (auto& one : clients) CHECK(one->get("/nothing").status == 404); // connected
    auto const writes = s.first.metric("recruiting_redis_write_duration_seconds_count");
    auto const commands = redis.calls("incrby");
    s.first.busy_during([&] {
        for (std::size_t i = 0; i < clients.size(); ++i)
            clients[i]->send("GET /api/v1/x HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.0.0." + std::to_string(i % 3) +
                             "\r\n\r\n");
    });
    for (auto& one : clients) CHECK(one->receive().status == 200);
    CHECK(s.first.metric("recruiting_redis_write_duration_seconds_count") == writes + 1);
    CHECK(redis.calls("incrby") == commands + 3);
    CHECK(highest_count(redis) == 10);
}

TEST_CASE("every key of Redis has a lifetime", "[gateway][rate_limit]") {
    private_redis redis;
    two_gateways s(redis.url());
    CHECK(passed_at_once(s, 4, 5) == 20);
    CHECK(passed(s.first, 5, "/api/public/v1/x") == 5);
    auto const longest = [&](std::string const& pattern, int limit) {
        auto const keys = redis.keys(pattern);
        CHECK_FALSE(keys.empty());
        for (auto const& key : keys) {
            auto const seconds = std::stoi(redis.say({"TTL", key}));
            CHECK(seconds > 0);
            CHECK(seconds <= limit);
        }
    };
    longest("rl:api:*", 120);
    longest("rl:public:*", 120);
    CHECK(redis.keys("*").size() == 2);
}

TEST_CASE("in shadow mode everybody passes, and who would not have is counted", "[gateway][rate_limit]") {
    two_gateways s({}, [](auto& settings) { settings.limits.mode = "shadow"; });
    CHECK(passed_at_once(s, 8, 20) == 160);
    CHECK(s.first.metric("recruiting_gateway_rate_limit_decisions_total", "shadow_rejected") +
              s.second.metric("recruiting_gateway_rate_limit_decisions_total", "shadow_rejected") ==
          160 - rate_limit);
    CHECK(http_client(s.first.port()).get("/api/v1/x").header("ratelimit").empty());
}

TEST_CASE("mode off: nothing is counted", "[gateway][rate_limit]") {
    private_redis redis;
    two_gateways s(redis.url(), [](auto& settings) { settings.limits.mode = "off"; });
    CHECK(passed_at_once(s, 4, 20) == 80);
    CHECK(redis.calls("incrby") == 0);
}

TEST_CASE("a prefix, rate limits and the window set otherwise", "[gateway][rate_limit]") {
    two_gateways s({}, [](auto& settings) {
        settings.routes[0].prefix = "/v2";
        settings.limits.limits = {7, rate_limit};
        settings.limits.window_seconds = 10;
    });
    http_client client(s.first.port());
    auto const good = client.get("/v2/x");
    CHECK(good.header("ratelimit-policy") == "\"ip\";q=7;w=10");
    CHECK(good.header("ratelimit") == "\"ip\";r=6;t=10");
    CHECK(client.get("/api/v1/x").status == 404);
    CHECK(passed(s.second, 10, "/v2/x") == 6);
    CHECK(client.get("/v2/x").header("retry-after") == "10");
    CHECK(passed(s.first, 60, "/api/public/v1/x") == rate_limit);
    CHECK(passed(s.first, 4, "/console/api/x") + passed(s.second, 10, "/console/api/x") == 7); // by itself
    s.clock.advance(std::chrono::seconds{10});
    CHECK(passed(s.second, 10, "/v2/x") == 7);
    CHECK(passed(s.second, 10, "/console") == 7);
}

} // namespace counting_test
