// Numbers the requests of a client in a window, over all processes: the requests of one event-loop iteration are
// counted in Redis with one pipelined write (an INCRBY and an EXPIRE a client). While a write is in progress and Redis
// is quick, requests wait for its answer and go together. When Redis is unavailable, slow or in error, the process's
// own counts decide. One limiter per thread; the caller decides what a number means.
#pragma once
#include "async/task.hpp"
#include "rate_limit/counts.hpp"
#include "redis/connection.hpp"
#include "telemetry/metrics.hpp"

#include <atomic>
#include <boost/unordered/unordered_flat_set.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::rate_limit {

/// What is counted together, and apart from other policies.
struct policy {
    std::string_view name;
    std::int64_t limit{600};
    std::int64_t window_seconds{60};
};

struct options {
    std::vector<policy> policies;
    redis::address redis;
    std::string_view key_prefix; // "rl:", then policy, client and window: "rl:api:203.0.113.7:29384756"
    std::function<void(std::string& out, client_key const& client)> append_client;
    std::size_t clients_limit{256 * 1024};        // of each policy
    std::chrono::milliseconds response_limit{50}; // for Redis, from a request's joining on
};

/// What the threads of a process share.
struct shared_parts {
    shared_parts(options of, metrics::registry& registry);

    options const how;
    std::deque<local_counts> tables;   // by policy
    std::atomic<int> logged_state{-1}; // 1: a thread is connected to Redis
    std::atomic<std::chrono::steady_clock::time_point> error_line_due{};
    metrics::counter& counted_locally;
    metrics::counter& redis_errors;
    metrics::gauge& redis_connections;
    metrics::histogram& redis_latency;
};

class limiter {
public:
    limiter(asio::io_context& context, shared_parts& shared);
    ~limiter() { stop(); }

    /// When Redis need not or can't be asked: the client is over its limit already, or Redis is unavailable.
    [[nodiscard]] std::optional<count> at_once(std::size_t policy, client_key const& client, timestamp now);
    /// Counts the request with the others of this iteration. Takes 50 ms at most.
    void join(std::size_t policy, client_key const& client, timestamp now, completion<count> done);
    /// The client's next request reports this one to Redis.
    [[nodiscard]] count count_locally(std::size_t policy, client_key const& client, timestamp now);
    [[nodiscard]] bool is_connected() const noexcept { return redis_.ready(); }
    void stop();

private:
    struct counted {
        client_key client{};
        std::int64_t window{0};
        std::size_t policy{0};
        bool operator==(counted const&) const = default;
    };
    struct hash_of_client {
        std::size_t operator()(counted const& of) const noexcept { return client_hash{}(of.client); }
    };
    struct group { // the requests of one client that share a write
        counted of;
        int seconds_left{0};
        std::optional<client_count::write> sent{};
        std::vector<completion<count>> waiting{}; // none: only what Redis lost is reported
        [[nodiscard]] std::int64_t size() const noexcept { return static_cast<std::int64_t>(waiting.size()); }
    };
    struct batch { // its storage is used again and again
        std::vector<group> groups;
        std::size_t used{0}; // the first of them
        boost::unordered_flat_map<counted, std::size_t, hash_of_client> index;
        std::chrono::steady_clock::time_point began{}; // when the first joined
        std::chrono::steady_clock::time_point sent_at{};
    };
    struct over_limit {
        std::int64_t window{0};
        boost::unordered_flat_set<client_key, client_hash> clients; // until the window ends
    };

    [[nodiscard]] local_counts::locked find_or_add(counted const& of) {
        return shared_.tables[of.policy].find_or_add(of.client, of.window);
    }
    [[nodiscard]] group& open_group(counted const& of, int seconds_left);
    template <class Work>
    void later(Work work) {
        asio::post(context_, [work, alive = std::weak_ptr<void>(alive_)] {
            if (!alive.expired()) work();
        });
    }
    void post_flush();
    void flush();
    [[nodiscard]] std::optional<client_count::write> take(group const& one);
    [[nodiscard]] std::int64_t count_alone(group const& one);
    void add_commands(group const& one);
    void finish(batch* sent, redis::batch_status what, std::vector<redis::reply> const& replies);
    [[nodiscard]] std::int64_t base_of(group const& one, redis::batch_status what, redis::reply const* total);
    void answer(group& one, std::int64_t base);
    void recycle(std::unique_ptr<batch> done);
    void remember(counted const& of, std::int64_t number);
    void note_error(std::string_view why);
    void redis_changed(bool up, std::string_view why);

    asio::io_context& context_;
    shared_parts& shared_;
    std::vector<std::unique_ptr<batch>> spare_;
    std::unique_ptr<batch> open_; // what joins now
    redis::batch commands_;       // storage to reuse, as is the next
    std::string key_;
    std::vector<over_limit> over_;                          // by policy
    static constexpr std::chrono::milliseconds quick{3};    // a Redis that answers so is worth waiting for
    std::chrono::steady_clock::duration round_trip_{quick}; // of late
    int in_flight_{0};                                      // writes
    bool flush_posted_{false}, connected_{false};
    std::shared_ptr<void> alive_{std::make_shared<char>()}; // posted work holds a weak reference to it
    redis::connection redis_;                               // last: its callbacks use the members above
};

} // namespace recruiting::rate_limit
