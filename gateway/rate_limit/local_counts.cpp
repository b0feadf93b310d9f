#include "gateway/rate_limit/local_counts.hpp"

namespace recruiting::gateway {

local_counts::window_counts* local_counts::find_window(shard& in, std::int64_t window) noexcept {
    for (auto& one : in.windows)
        if (one.window == window) return &one;
    return nullptr;
}

// Replaces the window that was opened longest ago, not the one with the lowest number: clocks are also set back.
local_counts::window_counts& local_counts::open_window(shard& in, std::int64_t window) {
    if (auto* const open = find_window(in, window)) return *open;
    std::swap(in.windows[0], in.windows[1]);
    auto& fresh = in.windows[0];
    fresh.window = window;
    fresh.entries.clear();
    fresh.overflow = {};
    return fresh;
}

local_counts::delta local_counts::take_delta(client_key const& client, std::int64_t n, generation under) {
    auto& in = shard_of(shards_, client.address);
    std::lock_guard const lock(in.mutex);
    auto* const known = find_or_add(open_window(in, client.window).entries, client.address, shard_limit_);
    if (known == nullptr) return {n, 0, 0, true};
    return known->take_delta(n, under);
}

local_counts::ranked local_counts::answered(client_key const& client, std::int64_t n, generation under,
                                            delta const& sent, std::int64_t total) {
    auto& in = shard_of(shards_, client.address);
    std::lock_guard const lock(in.mutex);
    auto* const window = find_window(in, client.window);
    if (window == nullptr) return request_count::rank(n, sent, total);
    auto const found = window->entries.find(client.address);
    if (found == window->entries.end()) return request_count::rank(n, sent, total);
    return found->second.answered(n, under, sent, total);
}

std::int64_t local_counts::failed(client_key const& client, std::int64_t n, generation under, delta const& sent,
                                  bool may_have_counted) {
    auto& in = shard_of(shards_, client.address);
    std::lock_guard const lock(in.mutex);
    auto& window = open_window(in, client.window);
    auto const found = window.entries.find(client.address);
    if (found == window.entries.end()) return window.overflow.failed(n, under, sent, true);
    if (!may_have_counted) unreported_.store(true, std::memory_order_relaxed);
    return found->second.failed(n, under, sent, may_have_counted);
}

std::int64_t local_counts::count_locally(client_key const& client, std::int64_t n) {
    auto& in = shard_of(shards_, client.address);
    std::lock_guard const lock(in.mutex);
    auto& window = open_window(in, client.window);
    auto* known = find_or_add(window.entries, client.address, shard_limit_);
    if (known == nullptr) known = &window.overflow;
    unreported_.store(true, std::memory_order_relaxed);
    return known->count_locally(n);
}

std::vector<local_counts::unreported> local_counts::take_unreported(std::size_t part, std::int64_t window,
                                                                    generation under) {
    std::vector<unreported> out;
    auto& in = shards_[part];
    std::lock_guard const lock(in.mutex);
    auto* const open = find_window(in, window);
    if (open == nullptr) return out;
    for (auto& [address, known] : open->entries)
        if (known.has_unreported(under)) out.push_back({{address, window}, known.take_delta(0, under)});
    return out;
}

} // namespace recruiting::gateway
