// How many connections there are, in all and of each client: shared by the process's threads, asked when one begins and
// ends. No I/O.
#pragma once
#include "gateway/client_address.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace recruiting::gateway {

class connection_table {
public:
    /// One more. Always counted; ask total() whether there are too many.
    void enter() noexcept { total_.fetch_add(1, std::memory_order_relaxed); }
    void leave() noexcept { total_.fetch_sub(1, std::memory_order_relaxed); }
    [[nodiscard]] std::int64_t total() const noexcept { return total_.load(std::memory_order_relaxed); }

    /// One more of this client (as the rate limit counts it); false: it has that many already.
    [[nodiscard]] bool enter(ip_address const& client, std::int64_t most);
    void leave(ip_address const& client);

private:
    static constexpr std::size_t shards = 32;
    struct alignas(64) shard {
        std::mutex mutex;
        std::unordered_map<ip_address, std::int64_t> count;
    };
    [[nodiscard]] shard& shard_of(ip_address const& client) noexcept {
        return shards_[std::hash<ip_address>{}(client) % shards];
    }

    std::atomic<std::int64_t> total_{0};
    std::array<shard, shards> shards_;
};

/// A connection's place in the table, given back when it ends.
class connection_permit {
public:
    explicit connection_permit(connection_table& table) : table_(table) { table_.enter(); }
    ~connection_permit();
    connection_permit(connection_permit const&) = delete;
    connection_permit& operator=(connection_permit const&) = delete;

    /// Once the client is known. false: it has too many.
    [[nodiscard]] bool claim(ip_address const& client, std::int64_t most);

private:
    connection_table& table_;
    std::optional<ip_address> client_;
};

} // namespace recruiting::gateway
