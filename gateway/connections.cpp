#include "gateway/connections.hpp"

namespace recruiting::gateway {

bool connection_table::enter(ip_address const& client, std::int64_t most) {
    auto& in = shard_of(client);
    std::lock_guard const lock(in.mutex);
    auto const found = in.count.try_emplace(client, 0).first;
    if (found->second >= most) return false;
    ++found->second;
    return true;
}

void connection_table::leave(ip_address const& client) {
    auto& in = shard_of(client);
    std::lock_guard const lock(in.mutex);
    auto const found = in.count.find(client);
    if (found != in.count.end() && --found->second <= 0) in.count.erase(found);
}

connection_permit::~connection_permit() {
    table_.leave();
    if (client_) table_.leave(*client_);
}

bool connection_permit::claim(ip_address const& client, std::int64_t most) {
    if (!table_.enter(client, most)) return false;
    client_ = client;
    return true;
}

} // namespace recruiting::gateway
