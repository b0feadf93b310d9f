#include "gateway/client_counts.hpp"

namespace recruiting::gateway {
namespace {

// Threads read the clock apart: one may still be in the window before, whose requests then count in this one.
bool has_ended(std::int64_t window, std::int64_t now) noexcept { return now > window || now < window - 1; }

} // namespace

std::int64_t address_counts::add(ip_address const& address, std::int64_t window) {
    auto& in = shard_of(address);
    std::lock_guard const lock(in.mutex);
    if (has_ended(in.window, window)) {
        in.window = window;
        in.counts.clear();
    }
    bool const is_full = in.counts.size() >= most / shards_.size() && !in.counts.contains(address);
    return is_full ? 0 : ++in.counts[address];
}

std::int64_t address_counts::enter(ip_address const& address) {
    auto& in = shard_of(address);
    std::lock_guard const lock(in.mutex);
    return ++in.counts[address];
}

void address_counts::remove(ip_address const& address) {
    auto& in = shard_of(address);
    std::lock_guard const lock(in.mutex);
    auto const found = in.counts.find(address);
    if (found != in.counts.end() && --found->second <= 0) in.counts.erase(found);
}

std::int64_t address_counts::count_of(ip_address const& address, std::int64_t window) {
    auto& in = shard_of(address);
    std::lock_guard const lock(in.mutex);
    auto const found = in.counts.find(address);
    return found == in.counts.end() || has_ended(in.window, window) ? 0 : found->second;
}

std::optional<std::int64_t> client_counts::add(ip_address const& client, std::int64_t window) {
    auto const* const over = find_level(
        client, [window](level& in, ip_address const& counted) { return in.counts.add(counted, window) > in.limit; });
    return over == nullptr ? std::nullopt : std::optional(over->limit);
}

bool client_counts::enter(ip_address const& client) {
    auto const* const over =
        find_level(client, [](level& in, ip_address const& counted) { return in.counts.enter(counted) > in.limit; });
    if (over != nullptr) leave_through(client, over);
    return over == nullptr;
}

void client_counts::leave(ip_address const& client) { leave_through(client, nullptr); }

void client_counts::leave_through(ip_address const& client, level const* last) {
    static_cast<void>(find_level(client, [last](level& in, ip_address const& counted) {
        in.counts.remove(counted);
        return &in == last;
    }));
}

std::optional<decision> total_counts::count(ip_address const& client, timestamp now) {
    auto const when = window_at(now);
    auto const limit = counts_.add(client, when.number);
    if (!limit) return std::nullopt;
    auto out = evaluate({*limit + 1, when.seconds_left}, *limit);
    out.name = total_limit_name;
    return out;
}

bool total_counts::is_exhausted(ip_address const& client, timestamp now) {
    auto const answered_refusals = [](std::int64_t limit) { return 60 + limit / 10; };
    return counts_.is_beyond(client, window_at(now).number, answered_refusals);
}

} // namespace recruiting::gateway
