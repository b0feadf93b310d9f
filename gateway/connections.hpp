// Which connection is closed for another one. Pure.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace recruiting::gateway {

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
