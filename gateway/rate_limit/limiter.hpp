// The rate limit of one thread: collects the requests of one event-loop iteration, counts them in Redis with one
// pipelined write (one INCRBY a client), and ranks them by the totals that come back. While a write is in progress and
// Redis is quick, requests wait for its answer and go together. When Redis is unavailable, slow or in error, the
// process's own counts decide. Called by session; calls redis::connection, redis_counter and local_counts.
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "gateway/rate_limit/redis_counter.hpp"

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

namespace recruiting::gateway {

/// The requests that share one write to Redis, by client. Its storage is used again and again.
struct count_batch {
    struct group { // the requests of one client
        std::size_t policy{0};
        local_counts::client_key client;
        int seconds_left{0};
        local_counts::delta sent;
        std::size_t total_at{0}; // among the replies
        std::vector<completion<decision>> waiting;
    };
    std::vector<group> groups; // the first `used` of them
    std::size_t used{0};
    generation under{0};
    std::chrono::steady_clock::time_point began{}; // when the first joined
    std::chrono::steady_clock::time_point sent_at{};

    group& find_or_add(std::size_t policy, ip_address const& address, window const& when) {
        local_counts::client_key const client{address, when.number};
        auto const [at, is_new] = index_[policy].try_emplace(client, used);
        if (!is_new) return groups[at->second];
        if (used == groups.size()) groups.emplace_back();
        auto& fresh = groups[used++];
        fresh.policy = policy;
        fresh.client = client;
        fresh.seconds_left = when.seconds_left;
        return fresh;
    }
    void reset() noexcept {
        for (std::size_t i = 0; i < used; ++i) groups[i].waiting.clear();
        for (auto& one : index_) one.clear();
        used = 0;
    }

private:
    struct by_address {
        std::size_t operator()(local_counts::client_key const& client) const noexcept {
            return std::hash<ip_address>{}(client.address);
        }
    };
    std::array<boost::unordered_flat_map<local_counts::client_key, std::size_t, by_address>, rate_policy_count> index_;
};

class limiter {
public:
    limiter(asio::io_context& context, redis::connection& redis, limiter_shared& shared, time_source const& clock,
            limiter_settings const& settings, limiter_metrics& counters);

    /// When Redis need not or can't be asked: the client is over its rate limit already, or Redis is unavailable.
    [[nodiscard]] std::optional<decision> at_once(route const& to, ip_address const& address);
    /// Counts the request with the others of this iteration. Takes 50 ms at most.
    [[nodiscard]] task<decision> in_batch(route const& to, ip_address const& address);
    /// For the connection's on_state.
    void redis_changed(bool up, std::string_view why);
    void on_tick(std::chrono::steady_clock::time_point now) { counter_.on_tick(now); }

private:
    struct exceeded_clients {
        std::int64_t window{0};
        std::unordered_set<ip_address> known; // until the window ends
    };

    [[nodiscard]] window window_of(std::size_t policy) const;
    void join(std::size_t policy, ip_address const& counted, completion<decision> resume);
    void hold();
    void post_flush();
    void flush();
    void count_locally(count_batch& done);
    void finish(count_batch* sent, redis::batch_status what, std::vector<redis::reply>& replies);
    [[nodiscard]] std::int64_t base_of(count_batch::group const& one, generation under, redis::batch_status what,
                                       std::vector<redis::reply> const& replies);
    void fail(std::string_view why);
    void give_lifetime(count_batch::group const& one, generation under);
    void answer(count_batch::group& one, std::int64_t base);
    [[nodiscard]] decision decide(std::size_t policy, local_counts::client_key const& client, std::int64_t rank,
                                  int seconds_left);

    asio::io_context& context_;
    redis::connection& redis_;
    limiter_shared& shared_;
    time_source const& clock_;
    limiter_settings const& settings_;
    limiter_metrics& metrics_;
    redis_counter counter_;
    timer_type batch_timer_;
    std::vector<std::unique_ptr<count_batch>> spare_;
    std::unique_ptr<count_batch> open_; // what joins now
    redis::batch commands_;             // storage to reuse, as is the next
    std::string key_;
    std::array<exceeded_clients, rate_policy_count> over_;
    std::chrono::steady_clock::duration round_trip_{}; // of late
    int in_flight_{0};                                 // writes
    bool flush_posted_{false};
    bool hold_armed_{false};
    bool unavailable_{false};
    std::shared_ptr<void> alive_{std::make_shared<char>()}; // the timer and posted work hold a weak reference to it
};

} // namespace recruiting::gateway
