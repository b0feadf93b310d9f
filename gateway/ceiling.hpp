// The ceiling of one thread: collects the requests of an event-loop turn, counts them in Redis with one pipelined write
// (one INCRBY a client), and ranks them by the totals that come back. Redis away, slow or in error: the process's own
// table counts. Called by session; calls redis::connection and count_table.
#pragma once
#include "async/completion.hpp"
#include "gateway/client_address.hpp"
#include "gateway/count_table.hpp"
#include "gateway/route.hpp"
#include "gateway/window.hpp"
#include "redis/connection.hpp"
#include "telemetry/metrics.hpp"

#include <array>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace recruiting::gateway {

struct ceiling_settings {
    std::array<ceiling_policy, route_count> policies{}; // by route
    std::array<std::string_view, route_count> names{"api", "public"};
    unsigned ipv6_bits{64};
    bool counts{true}; // false: no ceiling at all
};

struct ceiling_metrics {
    explicit ceiling_metrics(metrics::registry& registry);
    metrics::counter& allowed;
    metrics::counter& refused;
    metrics::counter& refused_from_memory; // of those, without asking Redis
    metrics::counter& counted_alone;       // requests
    metrics::counter& redis_writes;
    metrics::counter& redis_errors;
    metrics::histogram& redis_latency;
};

class ceiling {
public:
    ceiling(asio::io_context& context, redis::connection& redis, count_table& table, time_source const& clock,
            ceiling_settings settings, ceiling_metrics& counters);

    [[nodiscard]] bool counts() const noexcept { return settings_.counts; }
    /// When Redis need not or can't be asked: the client is over its ceiling already, or Redis is away.
    [[nodiscard]] std::optional<verdict> at_once(route const& to, ip_address const& client);
    /// Counts the request with the others of this turn. Takes 50 ms at most.
    [[nodiscard]] task<verdict> in_turn(route const& to, ip_address const& client);

private:
    struct client_key {
        ip_address address;
        std::size_t policy{0};
        bool operator==(client_key const&) const = default;
    };
    struct client_hash {
        std::size_t operator()(client_key const& key) const noexcept {
            return std::hash<ip_address>{}(key.address) ^ key.policy;
        }
    };
    struct group { // the requests of one client in one turn
        client_key who;
        window when;
        std::string key;
        count_table::claim sent;
        std::size_t replies{1};
        std::vector<completion<verdict>> waiting;
    };
    struct turn {
        std::vector<group> groups;
        std::unordered_map<client_key, std::size_t, client_hash> index;
        std::chrono::steady_clock::time_point began{};
    };

    [[nodiscard]] client_key key_of(route const& to, ip_address const& client) const noexcept;
    [[nodiscard]] std::string text_of(client_key const& who, std::int64_t number) const;
    void join(client_key const& who, completion<verdict> resume);
    void flush();
    void settle(turn& done, redis::outcome what, std::vector<redis::reply>& replies);
    void settle(group& one, redis::outcome what, std::int64_t const* total);
    [[nodiscard]] verdict decide(client_key const& who, std::int64_t rank, window const& when);
    void remember_over(client_key const& who, std::int64_t number);

    asio::io_context& context_;
    redis::connection& redis_;
    count_table& table_;
    time_source const& clock_;
    ceiling_settings settings_;
    ceiling_metrics& metrics_;
    std::shared_ptr<turn> turn_;
    std::unordered_set<client_key, client_hash> over_; // until the window ends
    std::int64_t over_window_{0};
    bool redis_in_error_{false};
};

} // namespace recruiting::gateway
