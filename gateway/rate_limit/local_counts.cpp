#include "gateway/rate_limit/local_counts.hpp"

#include <algorithm>

namespace recruiting::gateway {

local_counts::report_state& local_counts::report_to(entry& of, generation under) noexcept {
    auto& [first, second] = of.reports;
    if (first.under == under) return first;
    if (second.under != under) second = {under, 0, 0, false};
    std::swap(first, second);
    return first;
}

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

local_counts::delta local_counts::delta_from(entry& known, std::int64_t n, generation under) noexcept {
    auto& reported = report_to(known, under);
    auto const unreported = known.mine - reported.reported;
    delta const out{unreported + n, known.total - unreported, reported.seen, !reported.has_lifetime};
    known.mine += n;
    reported.reported = known.mine;
    reported.has_lifetime = true;
    return out;
}

local_counts::delta local_counts::take_delta(client_key const& client, std::int64_t n, generation under) {
    auto& in = shard_of(shards_, client.address);
    std::lock_guard const lock(in.mutex);
    auto* const known = find_or_add(open_window(in, client.window).entries, client.address, shard_limit_);
    if (known == nullptr) return {n, 0, 0, true};
    return delta_from(*known, n, under);
}

local_counts::ranked local_counts::answered(client_key const& client, std::int64_t n, generation under,
                                            delta const& sent, std::int64_t total) {
    ranked out{total - n, total - sent.report < sent.seen};
    auto& in = shard_of(shards_, client.address);
    std::lock_guard const lock(in.mutex);
    auto* const window = find_window(in, client.window);
    if (window == nullptr) return out;
    auto const found = window->entries.find(client.address);
    if (found == window->entries.end()) return out;
    auto& known = found->second;
    // Redis may know less than this process: what others have not reported yet, or what it has lost. Its totals then
    // rank no client lower than this process does. Else they are exact, in whatever order the answers come.
    if (total - sent.report < sent.known) out.base = std::max(out.base, known.total);
    known.total = std::max(known.total, out.base + n);
    auto& reported = report_to(known, under);
    reported.seen = out.counter_decreased ? total : std::max(reported.seen, total);
    return out;
}

std::int64_t local_counts::failed(client_key const& client, std::int64_t n, generation under, delta const& sent,
                                  bool may_have_counted) {
    auto& in = shard_of(shards_, client.address);
    std::lock_guard const lock(in.mutex);
    auto& window = open_window(in, client.window);
    auto const found = window.entries.find(client.address);
    auto& known = found == window.entries.end() ? window.overflow : found->second;
    auto& reported = report_to(known, under);
    if (sent.fresh) reported.has_lifetime = false; // the SET may be lost as well
    if (!may_have_counted && found != window.entries.end()) {
        reported.reported = std::max<std::int64_t>(0, reported.reported - sent.report);
        unreported_.store(true, std::memory_order_relaxed);
    }
    auto const base = known.total;
    known.total += n;
    return base;
}

std::int64_t local_counts::count_locally(client_key const& client, std::int64_t n) {
    auto& in = shard_of(shards_, client.address);
    std::lock_guard const lock(in.mutex);
    auto& window = open_window(in, client.window);
    auto* known = find_or_add(window.entries, client.address, shard_limit_);
    if (known == nullptr) known = &window.overflow;
    auto const base = known->total;
    known->total += n;
    known->mine += n;
    unreported_.store(true, std::memory_order_relaxed);
    return base;
}

std::vector<local_counts::unreported> local_counts::take_unreported(std::size_t part, std::int64_t window,
                                                                    generation under) {
    std::vector<unreported> out;
    auto& in = shards_[part];
    std::lock_guard const lock(in.mutex);
    auto* const open = find_window(in, window);
    if (open == nullptr) return out;
    for (auto& [address, known] : open->entries)
        if (known.mine > report_to(known, under).reported)
            out.push_back({{address, window}, delta_from(known, 0, under)});
    return out;
}

} // namespace recruiting::gateway
