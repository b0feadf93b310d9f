// What this process knows of every client's count under one prefix, in the current window and the one before: shared by
// its threads. Redis holds the count of all gateways; this table lets the process go on alone when Redis is
// unavailable, and knows of every request it counted whether it has been reported to Redis. No I/O.
#pragma once
#include "gateway/client_address.hpp"
#include "gateway/rate_limit/request_count.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace recruiting::gateway {

class local_counts {
public:
    static constexpr std::size_t parts = 64;
    /// clients_limit bounds the memory (about 150 bytes a client). Beyond it, clients share a count while Redis is
    /// away.
    explicit local_counts(std::size_t clients_limit = 256 * 1024) : shard_limit_(clients_limit / parts) {}

    /// Whose count: the client's counted address, in a window.
    struct client_key {
        ip_address address;
        std::int64_t window{0};
        bool operator==(client_key const&) const = default;
    };
    using delta = request_count::delta;
    using ranked = request_count::ranked;
    /// As those of request_count, of one client in a window.
    [[nodiscard]] delta take_delta(client_key const& client, std::int64_t n, generation under);
    [[nodiscard]] ranked answered(client_key const& client, std::int64_t n, generation under, delta const& sent,
                                  std::int64_t total);
    [[nodiscard]] std::int64_t failed(client_key const& client, std::int64_t n, generation under, delta const& sent,
                                      bool may_have_counted);
    [[nodiscard]] std::int64_t count_locally(client_key const& client, std::int64_t n);

    /// Are there counts to report to Redis? Answers once for all threads.
    [[nodiscard]] bool has_unreported() noexcept { return unreported_.exchange(false, std::memory_order_relaxed); }
    struct unreported {
        client_key client;
        delta sent;
    };
    /// Takes the counts of a window that were not reported to the generation, of one part of the clients.
    [[nodiscard]] std::vector<unreported> take_unreported(std::size_t part, std::int64_t window, generation under);

private:
    struct window_counts {
        std::int64_t window{-1};
        std::unordered_map<ip_address, request_count> entries;
        request_count overflow; // of the clients beyond the limit; never reported
    };
    struct alignas(64) shard {
        std::mutex mutex;
        std::array<window_counts, 2> windows; // two: requests may be in progress when a window ends
    };

    // nullptr: the window is neither of the two. Called with the shard locked, as is the next.
    [[nodiscard]] static window_counts* find_window(shard& in, std::int64_t window) noexcept;
    [[nodiscard]] static window_counts& open_window(shard& in, std::int64_t window);

    std::size_t shard_limit_;
    std::atomic<bool> unreported_{false};
    std::array<shard, parts> shards_;
};

} // namespace recruiting::gateway
