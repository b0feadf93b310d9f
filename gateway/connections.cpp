#include "gateway/connections.hpp"

namespace recruiting::gateway {
namespace {

constexpr std::chrono::milliseconds grace{1000};
constexpr std::int64_t part_kept_free = 16; // of the table, for newcomers

} // namespace

bool connections_by_address::enter(ip_address const& address, std::int64_t most) {
    auto& in = shard_of(address);
    std::lock_guard const lock(in.mutex);
    auto const found = in.count.try_emplace(address, 0).first;
    if (found->second >= most) return false;
    ++found->second;
    return true;
}

void connections_by_address::leave(ip_address const& address) {
    auto& in = shard_of(address);
    std::lock_guard const lock(in.mutex);
    auto const found = in.count.find(address);
    if (found != in.count.end() && --found->second <= 0) in.count.erase(found);
}

std::int64_t connections_by_address::count_of(ip_address const& address) {
    auto& in = shard_of(address);
    std::lock_guard const lock(in.mutex);
    auto const found = in.count.find(address);
    return found == in.count.end() ? 0 : found->second;
}

std::optional<ip_address> connection_table::network_of(ip_address const& client, std::size_t which) const noexcept {
    auto const bits = counted_networks[which].bits;
    if (client.is_v4() || bits >= ipv6_bits_) return std::nullopt;
    return count_address(client, bits);
}

bool connection_table::enter(ip_address const& client) {
    for (std::size_t i = 0; i < networks_.size(); ++i) {
        auto const network = network_of(client, i);
        if (!network || networks_[i].enter(*network, most_ * counted_networks[i].share)) continue;
        leave_networks(client, i);
        return false;
    }
    if (clients_.enter(count_address(client, ipv6_bits_), most_)) return true;
    leave_networks(client, networks_.size());
    return false;
}

void connection_table::leave(ip_address const& client) {
    leave_networks(client, networks_.size());
    clients_.leave(count_address(client, ipv6_bits_));
}

void connection_table::leave_networks(ip_address const& client, std::size_t end) {
    for (std::size_t i = 0; i < end; ++i)
        if (auto const network = network_of(client, i)) networks_[i].leave(*network);
}

bool connection_table::is_full(ip_address const& client) {
    for (std::size_t i = 0; i < networks_.size(); ++i) {
        auto const network = network_of(client, i);
        if (network && networks_[i].count_of(*network) >= most_ * counted_networks[i].share) return true;
    }
    return clients_.count_of(count_address(client, ipv6_bits_)) >= most_;
}

connection_permit::~connection_permit() {
    table_.leave();
    if (client_) table_.leave(*client_);
}

bool connection_permit::claim(ip_address const& client) {
    if (!table_.enter(client)) return false;
    client_ = client;
    return true;
}

victim choose_victim(std::int64_t total, std::int64_t limit, evictable const& there) noexcept {
    if (total < limit - limit / part_kept_free) return victim::nobody;
    if (there.unfinished > 0 && there.oldest_unfinished >= grace) return victim::unfinished;
    if (total < limit) return victim::nobody;
    if (there.unfinished > 0 && there.unfinished >= there.idle) return victim::unfinished;
    return there.idle > 0 ? victim::idle : victim::newcomer;
}

} // namespace recruiting::gateway
