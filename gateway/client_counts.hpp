// How clients are counted: by what, for how many requests in a window and how many connections, and what a count means
// for a request (proto-docs/limits.md). A client with IPv6 counts also for the networks it is in. The counts are shared
// by the process's threads. No I/O.
#pragma once
#include "core/ip.hpp"
#include "core/text.hpp"
#include "rate_limit/counts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

template <>
struct std::hash<recruiting::ip_address> {
    std::size_t operator()(recruiting::ip_address const& address) const noexcept {
        return recruiting::rate_limit::client_hash{}(address.bytes);
    }
};

namespace recruiting::gateway {

/// What is counted: an IPv4 address, or the first bits of an IPv6 address.
[[nodiscard]] inline ip_address count_address(ip_address const& client, std::int64_t ipv6_bits) noexcept {
    return client.is_v4() ? client : first_bits(client, static_cast<unsigned>(ipv6_bits));
}

/// "203.0.113.7", or "2001:db8:1:2::/64": the client's name in a key.
inline void append_count_name(std::string& out, ip_address const& counted, std::int64_t ipv6_bits) {
    append_ip(out, counted);
    if (counted.is_v4() || ipv6_bits == 128) return;
    out += '/';
    append_number(out, ipv6_bits);
}

using rate_limit::window_at;

/// The name of the limit on all requests of a client, in RateLimit and in metrics.
inline constexpr std::string_view total_limit_name = "total";

/// The rate limit's decision about one request.
struct decision {
    bool allowed{true};
    std::int64_t limit{0};
    std::int64_t remaining{0};
    int seconds_left{60};
    std::int64_t window_seconds{60};
    bool shadow{false};          // only counted: nothing is refused or announced
    bool over{false};            // refused, or would be
    std::string_view name{"ip"}; // of the limit, as RateLimit has it
    bool operator==(decision const&) const = default;
    [[nodiscard]] std::string_view text() const noexcept {
        return !over ? "allowed" : shadow ? "shadow_rejected" : "rejected";
    }
};

/// About the request that is its client's number-th of the window.
[[nodiscard]] inline decision evaluate(rate_limit::count const& counted, std::int64_t limit,
                                       std::int64_t window_seconds = 60, bool shadow = false) noexcept {
    bool const over = counted.number > limit;
    auto const remaining = std::max<std::int64_t>(0, limit - counted.number);
    return {!over || shadow, limit, remaining, counted.seconds_left, window_seconds, shadow, over};
}

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
