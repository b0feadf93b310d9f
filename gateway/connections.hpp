// How many connections there are, in all and of each client, and which one is closed for another: shared by the
// process's threads, asked when a connection begins and ends. No I/O.
#pragma once
#include "gateway/client_counts.hpp"

#include <atomic>
#include <chrono>
#include <optional>

namespace recruiting::gateway {

class connection_table {
public:
    /// most: connections of one client, as client_counts counts it.
    connection_table(std::int64_t most, std::int64_t ipv6_bits) noexcept : clients_(most, ipv6_bits) {}

    /// Of all clients, whether there are too many or not.
    [[nodiscard]] std::int64_t total() const noexcept { return total_.load(std::memory_order_relaxed); }

    /// One more of this client; false: the client or its network has that many already.
    [[nodiscard]] bool enter(ip_address const& client) { return clients_.enter(client); }
    void leave(ip_address const& client) { clients_.leave(client); }
    /// Would enter(client) fail?
    [[nodiscard]] bool is_full(ip_address const& client) {
        return clients_.is_beyond(client, 0, [](std::int64_t) { return -1; });
    }

private:
    friend class connection_permit;
    std::atomic<std::int64_t> total_{0};
    client_counts clients_;
};

/// A connection's entry in the table, removed when it ends.
class connection_permit {
public:
    explicit connection_permit(connection_table& table) : table_(table) { ++table_.total_; }
    ~connection_permit() {
        --table_.total_;
        if (client_) table_.leave(*client_);
    }
    connection_permit(connection_permit const&) = delete;
    connection_permit& operator=(connection_permit const&) = delete;

    /// Once the client is known. false: it has too many.
    [[nodiscard]] bool enter(ip_address const& client) {
        bool const entered = table_.enter(client);
        if (entered) client_ = client;
        return entered;
    }

private:
    connection_table& table_;
    std::optional<ip_address> client_;
};

/// What there is to close for a new connection.
struct evictable {
    std::size_t unfinished{0}; // connections whose client keeps the gateway waiting
    std::chrono::milliseconds oldest_unfinished{0};
    std::size_t idle{0}; // connections between two requests
};
enum class victim { nobody, unfinished, idle, incoming };
/// A client may keep the gateway waiting for this long: every request begins this way, and a large response goes on so.
inline constexpr std::chrono::milliseconds eviction_grace{1000};
/// Which connection is closed for a new one. total: connections there are, without the new one. A client that keeps the
/// gateway waiting, for its request or for what it takes of the response, goes first, so that neither half requests nor
/// unread responses keep others out. It has its grace, unless as many connections are like it as are idle.
[[nodiscard]] inline victim choose_victim(std::int64_t total, std::int64_t limit, evictable const& there) noexcept {
    constexpr std::int64_t part_kept_free = 16; // of the table, for newcomers
    if (total < limit - limit / part_kept_free) return victim::nobody;
    if (there.unfinished > 0 && there.oldest_unfinished >= eviction_grace) return victim::unfinished;
    if (total < limit) return victim::nobody;
    if (there.unfinished > 0 && there.unfinished >= there.idle) return victim::unfinished;
    return there.idle > 0 ? victim::idle : victim::incoming;
}

} // namespace recruiting::gateway
