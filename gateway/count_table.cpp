#include "gateway/count_table.hpp"

#include <algorithm>

namespace recruiting::gateway {

count_table::shard& count_table::shard_of(ip_address const& address) noexcept {
    return shards_[std::hash<ip_address>{}(address) % shards];
}

count_table::told& count_table::told_to(entry& of, reign under) noexcept {
    auto& [first, second] = of.reigns;
    if (first.under == under) return first;
    if (second.under != under) second = {under, 0, 0, false};
    std::swap(first, second);
    return first;
}

count_table::generation* count_table::find_window(shard& in, std::int64_t window) noexcept {
    for (auto& one : in.generations)
        if (one.window == window) return &one;
    return nullptr;
}

// The one opened longest ago makes room: clocks are set back, too.
count_table::generation& count_table::open_window(shard& in, std::int64_t window) {
    if (auto* const open = find_window(in, window)) return *open;
    std::swap(in.generations[0], in.generations[1]);
    auto& fresh = in.generations[0];
    fresh.window = window;
    fresh.entries.clear();
    fresh.overflow = {};
    return fresh;
}

count_table::entry* count_table::find_or_add(generation& in, ip_address const& address) {
    if (in.entries.size() < shard_limit_) return &in.entries[address];
    auto const found = in.entries.find(address);
    return found == in.entries.end() ? nullptr : &found->second;
}

count_table::claim count_table::claim_from(entry& known, std::int64_t n, reign under) noexcept {
    auto& reported = told_to(known, under);
    auto const owed = known.mine - reported.reported;
    claim const out{owed + n, known.total - owed, reported.seen, !reported.has_lifetime};
    known.mine += n;
    reported.reported = known.mine;
    reported.has_lifetime = true;
    return out;
}

count_table::claim count_table::claim_for(client const& who, std::int64_t n, reign under) {
    auto& in = shard_of(who.address);
    std::lock_guard const lock(in.mutex);
    auto* const known = find_or_add(open_window(in, who.window), who.address);
    if (known == nullptr) return {n, 0, 0, true};
    return claim_from(*known, n, under);
}

count_table::ranked count_table::answered(client const& who, std::int64_t n, reign under, claim const& sent,
                                          std::int64_t total) {
    ranked out{total - n, total - sent.report < sent.seen};
    auto& in = shard_of(who.address);
    std::lock_guard const lock(in.mutex);
    auto* const window = find_window(in, who.window);
    if (window == nullptr) return out;
    auto const found = window->entries.find(who.address);
    if (found == window->entries.end()) return out;
    auto& known = found->second;
    // Redis may know less than this process: what it has not been told of by others yet, or has lost. Its totals then
    // rank nobody lower than this process knows. Else they are exact, in whatever order the answers come.
    if (total - sent.report < sent.known) out.base = std::max(out.base, known.total);
    known.total = std::max(known.total, out.base + n);
    auto& reported = told_to(known, under);
    reported.seen = out.redis_forgot ? total : std::max(reported.seen, total);
    return out;
}

std::int64_t count_table::failed(client const& who, std::int64_t n, reign under, claim const& sent,
                                 bool may_have_counted) {
    auto& in = shard_of(who.address);
    std::lock_guard const lock(in.mutex);
    auto& window = open_window(in, who.window);
    auto const found = window.entries.find(who.address);
    auto& known = found == window.entries.end() ? window.overflow : found->second;
    auto& reported = told_to(known, under);
    if (sent.fresh) reported.has_lifetime = false; // the SET may be lost as well
    if (!may_have_counted && found != window.entries.end()) {
        reported.reported = std::max<std::int64_t>(0, reported.reported - sent.report);
        in_debt_.store(true, std::memory_order_relaxed);
    }
    auto const base = known.total;
    known.total += n;
    return base;
}

std::int64_t count_table::count_alone(client const& who, std::int64_t n) {
    auto& in = shard_of(who.address);
    std::lock_guard const lock(in.mutex);
    auto& window = open_window(in, who.window);
    auto* known = find_or_add(window, who.address);
    if (known == nullptr) known = &window.overflow;
    auto const base = known->total;
    known->total += n;
    known->mine += n;
    in_debt_.store(true, std::memory_order_relaxed);
    return base;
}

std::vector<count_table::debt> count_table::claim_debts(std::size_t part, std::int64_t window, reign under) {
    std::vector<debt> out;
    auto& in = shards_[part];
    std::lock_guard const lock(in.mutex);
    auto* const open = find_window(in, window);
    if (open == nullptr) return out;
    for (auto& [address, known] : open->entries)
        if (known.mine > told_to(known, under).reported)
            out.push_back({{address, window}, claim_from(known, 0, under)});
    return out;
}

} // namespace recruiting::gateway
