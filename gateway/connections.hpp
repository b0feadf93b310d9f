// How many connections there are, in all and of each client, and which one makes room for another: shared by the
// process's threads, asked when a connection begins and ends. No I/O.
#pragma once
#include "gateway/client_address.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace recruiting::gateway {

/// How many connections each address has.
class connections_by_address {
public:
    /// One more; false: it has as many already.
    [[nodiscard]] bool enter(ip_address const& address, std::int64_t most);
    void leave(ip_address const& address);
    [[nodiscard]] std::int64_t count_of(ip_address const& address);

private:
    static constexpr std::size_t shards = 32;
    struct alignas(64) shard {
        std::mutex mutex;
        std::unordered_map<ip_address, std::int64_t> count;
    };
    [[nodiscard]] shard& shard_of(ip_address const& address) noexcept {
        return shards_[std::hash<ip_address>{}(address) % shards];
    }

    std::array<shard, shards> shards_;
};

class connection_table {
public:
    /// most: connections of one client, counted by its first ipv6_bits when it is an IPv6 address. An IPv6 /56 and a
    /// /48 may have what counted_networks says.
    connection_table(std::int64_t most, unsigned ipv6_bits) noexcept : most_(most), ipv6_bits_(ipv6_bits) {}

    /// One more. Always counted; ask total() whether there are too many.
    void enter() noexcept { total_.fetch_add(1, std::memory_order_relaxed); }
    void leave() noexcept { total_.fetch_sub(1, std::memory_order_relaxed); }
    [[nodiscard]] std::int64_t total() const noexcept { return total_.load(std::memory_order_relaxed); }

    /// One more of this client; false: the client or its network has that many already.
    [[nodiscard]] bool enter(ip_address const& client);
    void leave(ip_address const& client);
    /// Would enter(client) fail?
    [[nodiscard]] bool is_full(ip_address const& client);

private:
    // The network of the client at a place of counted_networks; nullopt: the client is not counted by it.
    [[nodiscard]] std::optional<ip_address> network_of(ip_address const& client, std::size_t which) const noexcept;
    void leave_networks(ip_address const& client, std::size_t end);

    std::int64_t const most_;
    unsigned const ipv6_bits_;
    std::atomic<std::int64_t> total_{0};
    std::array<connections_by_address, counted_networks.size()> networks_;
    connections_by_address clients_;
};

/// A connection's place in the table, given back when it ends.
class connection_permit {
public:
    explicit connection_permit(connection_table& table) : table_(table) { table_.enter(); }
    ~connection_permit();
    connection_permit(connection_permit const&) = delete;
    connection_permit& operator=(connection_permit const&) = delete;

    /// Once the client is known. false: it has too many.
    [[nodiscard]] bool claim(ip_address const& client);

private:
    connection_table& table_;
    std::optional<ip_address> client_;
};

/// What there is to close for a new connection.
struct evictable {
    std::size_t unfinished{0}; // connections whose TLS handshake or request head is not complete
    std::chrono::milliseconds oldest_unfinished{0};
    std::size_t idle{0}; // connections between two requests
};
enum class victim { nobody, unfinished, idle, newcomer };
/// Which connection makes room. total: connections there are, without the new one. A client that keeps the gateway
/// waiting for its first complete request goes first, so that half requests never keep others out. It has a second's
/// grace, because every client begins this way, unless as many connections are like it as are idle.
[[nodiscard]] victim choose_victim(std::int64_t total, std::int64_t limit, evictable const& there) noexcept;

} // namespace recruiting::gateway
