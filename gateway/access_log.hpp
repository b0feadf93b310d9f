// One JSON line per request on standard output. Never a query, a credential or a token.
#pragma once
#include "gateway/request_context.hpp"

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace recruiting::gateway {

/// The line of a request that was answered (or not: status 0), with its newline.
void append_access_line(std::string& out, request_context const& x, timestamp now, std::chrono::microseconds duration);

/// Of each client and minute the first refused requests have lines of their own. The others are counted, and one line
/// with the count is written when the minute has ended: a flood does not fill disks. Shared by all threads.
class refusal_log {
public:
    static constexpr std::int64_t lines_per_minute = 60; // of each client: one per second shows what a client does

    /// IPv6 clients are counted by their first ipv6_bits.
    explicit refusal_log(std::int64_t ipv6_bits) noexcept : ipv6_bits_(ipv6_bits) {}

    /// Does this refused request have a line of its own? If not, it is counted.
    [[nodiscard]] bool note(ip_address const& client, unsigned status, timestamp now);
    /// Appends the lines of the minutes before this one. Asked again with the same minute, it costs nothing.
    void append_ended(std::string& out, std::int64_t minute, timestamp now);
    /// Gives the lines of the minutes that have ended to the log.
    void write_ended(timestamp now) { write_before(window_at(now).number, now); }
    /// At the end: all there are.
    void write_all(timestamp now) { write_before(window_at(now).number + 1, now); }

private:
    struct entry {
        std::int64_t requests{0};
        std::map<unsigned, std::int64_t> counted; // by status: those without a line
    };
    struct minute_counts {
        std::int64_t minute{0};
        std::unordered_map<ip_address, entry> clients{};
        entry others{}; // clients beyond most
    };
    struct alignas(64) shard {
        std::mutex mutex;
        minute_counts current;
        std::vector<minute_counts> ended;
        void end_before(std::int64_t minute);
    };
    static constexpr std::size_t most = 16 * 1024; // clients per minute that are counted apart
    void write_before(std::int64_t minute, timestamp now);

    std::int64_t const ipv6_bits_;
    std::atomic<std::int64_t> written_{0}; // minutes before this one
    std::array<shard, 16> shards_;
};

} // namespace recruiting::gateway
