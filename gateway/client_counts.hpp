// Counts of each client and, for IPv6, of the networks it is in: of the requests in a window, and of connections.
// Shared by the process's threads. No I/O.
#pragma once
#include "gateway/client_address.hpp"
#include "gateway/decision.hpp"

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace recruiting::gateway {

/// Counts by address in the current window.
class address_counts {
public:
    /// Bounds the memory of a window (about 70 bytes per address). Further addresses are not counted: nobody is refused
    /// for what others sent.
    static constexpr std::size_t most = 128 * 1024;

    /// Adds one and returns the sum; 0: the table is full.
    std::int64_t add(ip_address const& address, std::int64_t window);
    /// Adds one of what remove() takes away, in no window. It is always counted: what is entered bounds the memory.
    std::int64_t enter(ip_address const& address);
    void remove(ip_address const& address);
    [[nodiscard]] std::int64_t count_of(ip_address const& address, std::int64_t window);

private:
    struct alignas(64) shard {
        std::mutex mutex;
        std::int64_t window{0};
        std::unordered_map<ip_address, std::int64_t> counts;
    };
    // Threads lock the parts apart from each other.
    [[nodiscard]] shard& shard_of(ip_address const& address) noexcept {
        return shards_[std::hash<ip_address>{}(address) % shards_.size()];
    }
    std::array<shard, 32> shards_;
};

class client_counts {
public:
    /// limit: of one client, counted by its first ipv6_bits when it is an IPv6 address. An IPv6 /56 may have twice, a
    /// /48 four times as many: their owners have 256 or 65,536 clients to choose from.
    client_counts(std::int64_t limit, std::int64_t ipv6_bits) noexcept
        : levels_{{{48, 4 * limit, {}}, {56, 2 * limit, {}}, {ipv6_bits, limit, {}}}} {}

    /// One more. The limit that it exceeds, if any. What the widest network refuses takes no memory for its clients.
    [[nodiscard]] std::optional<std::int64_t> add(ip_address const& client, std::int64_t window);
    /// One more of what ends (in no window). false: it exceeds a limit, and is not counted.
    [[nodiscard]] bool enter(ip_address const& client);
    void leave(ip_address const& client);
    /// Would enter(client) fail?
    [[nodiscard]] bool is_full(ip_address const& client) {
        return is_beyond(client, 0, [](std::int64_t) { return -1; });
    }
    /// Is the count of the client, or of a network it is in, more than margin(its limit) beyond its limit?
    template <class Margin>
    [[nodiscard]] bool is_beyond(ip_address const& client, std::int64_t window, Margin margin) {
        auto const beyond = [window, margin](level& in, ip_address const& counted) {
            return in.counts.count_of(counted, window) > in.limit + margin(in.limit);
        };
        return find_level(client, beyond) != nullptr;
    }

private:
    struct level {
        std::int64_t bits;
        std::int64_t limit;
        address_counts counts;
    };
    // The first of those that count the client for which is_it is true.
    template <class Is>
    [[nodiscard]] level const* find_level(ip_address const& client, Is is_it) {
        auto& own = levels_.back();
        for (auto& one : levels_) {
            if (&one != &own && (client.is_v4() || one.bits >= own.bits)) continue;
            if (is_it(one, count_address(client, one.bits))) return &one;
        }
        return nullptr;
    }
    void leave_through(ip_address const& client, level const* last);

    std::array<level, 3> levels_; // the widest first
};

/// The second rate limit: all requests of a client, whatever they ask for, even those that the first limit leaves out
/// (unknown paths, preflights, redirects, documentation, malformed heads). It is generous and protects the gateway
/// itself, so each process counts for itself, without Redis.
class total_counts {
public:
    /// limit: requests of one client per minute.
    total_counts(std::int64_t limit, std::int64_t ipv6_bits) noexcept : counts_(limit, ipv6_bits) {}

    /// One more request. The decision of the limit that it exceeds; nullopt: it exceeds none.
    [[nodiscard]] std::optional<decision> count(ip_address const& client, timestamp now);
    /// Has the client been refused often enough in this window? Then its connections are closed without an answer,
    /// because even a refusal costs a connection and over TLS a handshake.
    [[nodiscard]] bool is_exhausted(ip_address const& client, timestamp now);

private:
    client_counts counts_;
};

} // namespace recruiting::gateway
