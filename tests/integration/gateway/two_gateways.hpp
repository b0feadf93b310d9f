// Two gateways before one recording service, with a low rate limit: for tests of how they count together.
#pragma once
#include "integration/gateway/harness.hpp"
#include "integration/gateway/upstream.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace recruiting::test {

struct two_gateways {
    static constexpr std::int64_t rate_limit = 50;

    /// redis_url: empty for the Redis all tests share.
    explicit two_gateways(std::string redis_url = {}, gateway_harness::adjust more = {})
        : url(std::move(redis_url)), also(std::move(more)), first(clock, adjust()), second(clock, adjust()) {}

    [[nodiscard]] gateway_harness::adjust adjust() {
        return [this](gateway::gateway_settings& s) {
            s.upstreams[0] = s.upstreams[1] = s.at(service.port());
            s.limits.limits = {rate_limit, rate_limit};
            if (!url.empty()) s.limits.redis = redis::parse_address(url).value();
            if (also) also(s);
        };
    }
    [[nodiscard]] bool up() const { return first.redis_is_up() && second.redis_is_up(); }
    [[nodiscard]] double sum(std::string const& metric) const { return first.metric(metric) + second.metric(metric); }

    std::string url;
    gateway_harness::adjust also;
    test_clock clock;
    recording_upstream service;
    gateway_harness first;
    gateway_harness second;
};

/// For tests of a Redis that does not answer in time; the longest a request may take then, on a busy machine too.
inline void short_redis_limit(gateway::gateway_settings& settings) {
    settings.limits.response_limit = std::chrono::milliseconds{50};
}
inline constexpr std::chrono::milliseconds at_once{2'000};

/// How many of n requests passed; below 0 when one was answered neither 200 nor 429.
[[nodiscard]] inline int passed(gateway_harness const& gateway, int n, std::string const& path = "/api/v1/x") {
    http_client client(gateway.port());
    int good = 0;
    for (int i = 0; i < n; ++i) {
        auto const status = client.get(path).status;
        if (status == 200) ++good;
        else if (status != 429) return -1000;
    }
    return good;
}

/// The same over many connections to both gateways, each of which sends n.
[[nodiscard]] inline int passed_at_once(two_gateways const& at, int connections, int n) {
    std::atomic<int> good{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < connections; ++i)
        clients.emplace_back([&, i] { good += passed(i % 2 == 0 ? at.first : at.second, n); });
    for (auto& one : clients) one.join();
    return good;
}

/// The longest that one of n requests took.
[[nodiscard]] inline std::chrono::milliseconds longest_of(gateway_harness const& gateway, int n) {
    http_client client(gateway.port());
    std::chrono::steady_clock::duration longest{};
    for (int i = 0; i < n; ++i) {
        auto const began = std::chrono::steady_clock::now();
        static_cast<void>(client.get("/api/v1/x"));
        longest = std::max(longest, std::chrono::steady_clock::now() - began);
    }
    return std::chrono::duration_cast<std::chrono::milliseconds>(longest);
}

/// The highest count this Redis holds of any client; -1: none.
[[nodiscard]] inline int highest_count(private_redis const& redis) {
    int highest = -1;
    for (auto const& key : redis.keys("rl:*:*:*"))
        highest = std::max(highest, std::atoi(redis.say({"GET", key}).c_str()));
    return highest;
}

} // namespace recruiting::test
