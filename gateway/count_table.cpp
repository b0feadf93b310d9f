#include "gateway/count_table.hpp"

#include <algorithm>

namespace recruiting::gateway {

count_table::shard& count_table::shard_of(std::string_view key) noexcept { return shards_[text_hash{}(key) % shards]; }

count_table::entry* count_table::find(shard& in, std::string_view key, std::int64_t window) {
    if (window < in.window) return nullptr;
    if (window > in.window) {
        in.window = window;
        in.entries.clear();
        in.overflow = {};
    }
    if (auto const found = in.entries.find(key); found != in.entries.end()) return &found->second;
    if (in.entries.size() >= shard_limit_) return nullptr;
    return &in.entries.emplace(key, entry{}).first->second;
}

count_table::claim count_table::claim_for(std::string_view key, std::int64_t window, std::int64_t n) {
    auto& in = shard_of(key);
    std::lock_guard const lock(in.mutex);
    auto* const known = find(in, key, window);
    if (known == nullptr) return {0, n, true, 0};
    auto const epoch = epoch_.load(std::memory_order_relaxed);
    claim const out{known->total, n + known->unreported, known->epoch != epoch, known->total - known->unreported};
    known->unreported = 0;
    known->epoch = epoch;
    return out;
}

std::int64_t count_table::answered(std::string_view key, std::int64_t window, std::int64_t n, claim const& sent,
                                   std::int64_t total) {
    // A total below what was known before means that Redis forgot: the process's own knowledge then holds.
    auto const base = std::max(total - n, sent.known);
    auto& in = shard_of(key);
    std::lock_guard const lock(in.mutex);
    if (auto* const known = find(in, key, window)) known->total = std::max(known->total, base + n);
    return base;
}

std::int64_t count_table::count_alone(std::string_view key, std::int64_t window, std::int64_t n, std::int64_t unsent) {
    auto& in = shard_of(key);
    std::lock_guard const lock(in.mutex);
    auto* known = find(in, key, window);
    if (known == nullptr) known = &in.overflow;
    auto const base = known->total;
    known->total += n;
    known->unreported += unsent;
    known->epoch = entry{}.epoch; // a SET on its way with these may be lost too: the next write sends it again
    return base;
}

} // namespace recruiting::gateway
