// What this process knows of every client's count in the current window: shared by its threads. Redis holds the count
// of all gateways; this table lets the process go on alone when Redis is away, tells Redis later what it missed, and
// notices when Redis forgot (restarted, flushed). No I/O.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace recruiting::gateway {

class count_table {
public:
    /// clients_limit bounds the memory (about 150 bytes a client). Beyond it, clients share a count while Redis is
    /// away.
    explicit count_table(std::size_t clients_limit = 256 * 1024) : shard_limit_(clients_limit / shards) {}

    /// What to send for n more requests of a key.
    struct claim {
        std::int64_t known{0};  // requests this process has seen counted before these
        std::int64_t report{0}; // INCRBY: these, and those counted alone before
        bool restore{true};     // first send SET key base NX EX: the key is new, or may be gone
        std::int64_t base{0};
    };
    [[nodiscard]] claim claim_for(std::string_view key, std::int64_t window, std::int64_t n);
    /// Redis answered the INCRBY with total. Gives the rank before the first of the n requests: they are base + 1 …
    [[nodiscard]] std::int64_t answered(std::string_view key, std::int64_t window, std::int64_t n, claim const& sent,
                                        std::int64_t total);
    /// Redis did not count them. unsent: what to report later; 0 when it may have counted them all the same.
    [[nodiscard]] std::int64_t count_alone(std::string_view key, std::int64_t window, std::int64_t n,
                                           std::int64_t unsent);
    /// A connection was lost: Redis may come back empty, keys are restored on their next use.
    void note_loss() noexcept { epoch_.fetch_add(1, std::memory_order_relaxed); }

private:
    struct entry {
        std::int64_t total{0};
        std::int64_t unreported{0};
        std::uint64_t epoch{std::numeric_limits<std::uint64_t>::max()};
    };
    struct text_hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    static constexpr std::size_t shards = 64;
    struct alignas(64) shard {
        std::mutex mutex;
        std::int64_t window{0};
        std::unordered_map<std::string, entry, text_hash, std::equal_to<>> entries;
        entry overflow;
    };

    [[nodiscard]] shard& shard_of(std::string_view key) noexcept;
    // nullptr: of a window that is over, or no room. Called with the shard locked.
    [[nodiscard]] entry* find(shard& in, std::string_view key, std::int64_t window);

    std::size_t shard_limit_;
    std::atomic<std::uint64_t> epoch_{0};
    std::array<shard, shards> shards_;
};

} // namespace recruiting::gateway
