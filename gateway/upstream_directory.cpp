#include "gateway/upstream_directory.hpp"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cstring>

namespace recruiting::gateway {
namespace {

using asio::ip::tcp;

socket_address with_port(socket_address const& at, std::uint16_t port) {
    tcp::endpoint moved;
    moved.resize(at.size());
    std::memcpy(moved.data(), at.data(), at.size());
    moved.port(port);
    return moved;
}

} // namespace

std::optional<socket_address> literal_address(endpoint const& where) {
    if (!where.unix_path.empty()) return asio::local::stream_protocol::endpoint(where.unix_path);
    boost::system::error_code error;
    auto const address = asio::ip::make_address(where.host, error);
    if (error) return std::nullopt;
    return tcp::endpoint(address, where.port);
}

upstream_directory::upstream_directory(service_addresses configured) : configured_(std::move(configured)) {
    for (std::size_t i = 0; i < configured_.size(); ++i) {
        if (auto const at = literal_address(configured_[i].where)) targets_.push_back(make_target(i, *at));
        else unasked_.fetch_add(1);
    }
}

std::shared_ptr<upstream_target> upstream_directory::make_target(std::size_t configured,
                                                                 socket_address const& at) const {
    auto const& [where, health] = configured_[configured];
    auto made = std::make_shared<upstream_target>();
    made->configured = configured;
    made->where = at;
    made->host = where.unix_path.empty() ? to_string(where) : "localhost";
    made->name = where.host;
    if (!health) return made;
    bool const its_own_port = health->unix_path.empty() && (health->host.empty() || health->host == where.host);
    if (its_own_port) made->health = with_port(at, health->port);
    else made->health = literal_address(*health);
    return made;
}

target_list upstream_directory::targets() const {
    std::lock_guard const lock(mutex_);
    return targets_;
}

void upstream_directory::note_asked() noexcept {
    unasked_.fetch_sub(1, std::memory_order_acq_rel);
    next_epoch();
}

void upstream_directory::replace(std::size_t configured, std::vector<socket_address> const& found) {
    if (found.empty()) return;
    std::lock_guard const lock(mutex_);
    target_list next;
    for (auto const& one : targets_) {
        bool const stays =
            one->configured != configured || std::find(found.begin(), found.end(), one->where) != found.end();
        if (stays) next.push_back(one);
    }
    for (auto const& at : found) {
        bool const known = std::any_of(next.begin(), next.end(), [&](auto const& one) {
            return one->configured == configured && one->where == at;
        });
        if (!known) next.push_back(make_target(configured, at));
    }
    if (next == targets_) return;
    targets_ = std::move(next);
    next_epoch();
}

void upstream_directory::note_verdict(upstream_target& target, health_verdict said) noexcept {
    if (target.said.exchange(said, std::memory_order_acq_rel) != said) next_epoch();
}

} // namespace recruiting::gateway
