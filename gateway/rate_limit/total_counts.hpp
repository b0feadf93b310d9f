// The second rate limit: all requests of a client, whatever they ask for, even those that the first limit leaves out
// (unknown paths, preflights, redirects, documentation, malformed heads). It is generous and protects the gateway
// itself, so each process counts for itself, without Redis. Shared by the process's threads. No I/O.
#pragma once
#include "gateway/client_address.hpp"
#include "gateway/rate_limit/window.hpp"

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace recruiting::gateway {

/// Counts by address in the current window.
class address_counts {
public:
    /// Adds one and returns the sum; 0: there is no room for the address.
    std::int64_t add(ip_address const& address, std::int64_t window);
    [[nodiscard]] std::int64_t count_of(ip_address const& address, std::int64_t window);

    /// Bounds the memory (about 70 bytes per address). Further addresses are not counted: nobody is refused for what
    /// others sent.
    static constexpr std::size_t most = 128 * 1024;

private:
    static constexpr std::size_t shards = 32;
    struct alignas(64) shard {
        std::mutex mutex;
        std::int64_t window{0};
        std::unordered_map<ip_address, std::int64_t> counts;
    };
    [[nodiscard]] shard& shard_of(ip_address const& address) noexcept {
        return shards_[std::hash<ip_address>{}(address) % shards];
    }

    std::array<shard, shards> shards_;
};

class total_counts {
public:
    static constexpr std::string_view name = "total"; // of the limit, in RateLimit and in metrics

    /// limit: requests of one client per minute. An IPv6 /56 and a /48 may send what counted_networks says.
    total_counts(std::int64_t limit, unsigned ipv6_bits) noexcept : limit_(limit), ipv6_bits_(ipv6_bits) {}

    /// One more request. The decision of the limit that it exceeds; nullopt: it exceeds none.
    [[nodiscard]] std::optional<decision> count(ip_address const& client, timestamp now);
    /// Has the client been refused often enough in this window? Then its connections are closed without an answer,
    /// because even a refusal costs a connection and over TLS a handshake.
    [[nodiscard]] bool is_exhausted(ip_address const& client, timestamp now);

private:
    std::int64_t const limit_;
    unsigned const ipv6_bits_;
    std::array<address_counts, counted_networks.size()> networks_;
    address_counts clients_;
};

} // namespace recruiting::gateway
