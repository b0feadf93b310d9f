#include "gateway/rate_limit/total_counts.hpp"

namespace recruiting::gateway {
namespace {

// Threads read the clock apart: one may still be in the window before, whose requests then count in this one.
bool has_ended(std::int64_t window, std::int64_t now) noexcept { return now > window || now < window - 1; }

// Refusals that are answered beyond a limit.
std::int64_t answered_refusals(std::int64_t limit) noexcept { return 60 + limit / 10; }

bool is_exceeded(std::int64_t count, std::int64_t limit) noexcept { return count > limit + answered_refusals(limit); }

decision refuse(std::int64_t limit, window const& when) {
    auto out = evaluate(limit + 1, {limit, 60, false}, when.seconds_left);
    out.name = total_counts::name;
    return out;
}

} // namespace

std::int64_t address_counts::add(ip_address const& address, std::int64_t window) {
    auto& in = shard_of(address);
    std::lock_guard const lock(in.mutex);
    if (has_ended(in.window, window)) {
        in.window = window;
        in.counts.clear();
    }
    if (in.counts.size() < most / shards) return ++in.counts[address];
    auto const found = in.counts.find(address);
    return found == in.counts.end() ? 0 : ++found->second;
}

std::int64_t address_counts::count_of(ip_address const& address, std::int64_t window) {
    auto& in = shard_of(address);
    std::lock_guard const lock(in.mutex);
    if (has_ended(in.window, window)) return 0;
    auto const found = in.counts.find(address);
    return found == in.counts.end() ? 0 : found->second;
}

// The widest network first: what it refuses takes no memory for its clients.
std::optional<decision> total_counts::count(ip_address const& client, timestamp now) {
    auto const when = window_at(now);
    for (std::size_t i = 0; i < networks_.size() && !client.is_v4(); ++i) {
        auto const [bits, share] = counted_networks[i];
        if (bits >= ipv6_bits_) continue;
        auto const limit = limit_ * share;
        if (networks_[i].add(count_address(client, bits), when.number) > limit) return refuse(limit, when);
    }
    if (clients_.add(count_address(client, ipv6_bits_), when.number) > limit_) return refuse(limit_, when);
    return std::nullopt;
}

bool total_counts::is_exhausted(ip_address const& client, timestamp now) {
    auto const window = window_at(now).number;
    for (std::size_t i = 0; i < networks_.size() && !client.is_v4(); ++i) {
        auto const [bits, share] = counted_networks[i];
        if (bits >= ipv6_bits_) continue;
        if (is_exceeded(networks_[i].count_of(count_address(client, bits), window), limit_ * share)) return true;
    }
    return is_exceeded(clients_.count_of(count_address(client, ipv6_bits_), window), limit_);
}

} // namespace recruiting::gateway
