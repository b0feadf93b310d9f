#include "gateway/upstream/directory.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <boost/asio/local/stream_protocol.hpp>
#include <map>

namespace recruiting::gateway {
namespace {

using asio::ip::tcp;

// A service on a unix socket is on this machine.
socket_address with_port(socket_address const& at, std::uint16_t port) {
    if (at.protocol().family() == AF_UNIX) return tcp::endpoint(asio::ip::address_v4::loopback(), port);
    auto moved = tcp_endpoint_of(at);
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
        else unresolved_.insert(i);
    }
}

std::shared_ptr<upstream_target> upstream_directory::make_target(std::size_t configured,
                                                                 socket_address const& at) const {
    auto const& [where, health_port] = configured_[configured];
    auto made = std::make_shared<upstream_target>();
    made->configured = configured;
    made->where = at;
    made->host = where.unix_path.empty() ? to_string(where) : "localhost";
    made->name = where.host;
    if (health_port != 0) made->health = with_port(at, health_port);
    return made;
}

target_list upstream_directory::targets() const {
    std::lock_guard const lock(mutex_);
    return targets_;
}

bool upstream_directory::is_resolved() const {
    std::lock_guard const lock(mutex_);
    return unresolved_.empty();
}

bool upstream_directory::is_up() const {
    std::lock_guard const lock(mutex_);
    return std::any_of(targets_.begin(), targets_.end(), [](auto const& one) { return answers(one->checked); });
}

void upstream_directory::replace(std::size_t configured, std::vector<socket_address> const& found) {
    std::lock_guard const lock(mutex_);
    bool changed = unresolved_.erase(configured) > 0;
    auto const is_gone = [&](auto const& one) {
        return one->configured == configured && std::find(found.begin(), found.end(), one->where) == found.end();
    };
    if (!found.empty()) changed = std::erase_if(targets_, is_gone) > 0 || changed;
    for (auto const& at : found) {
        auto const is_it = [&](auto const& one) { return one->configured == configured && one->where == at; };
        if (std::any_of(targets_.begin(), targets_.end(), is_it)) continue;
        targets_.push_back(make_target(configured, at));
        changed = true;
    }
    if (changed) next_epoch();
}

void upstream_directory::note_state(upstream_target& target, health_state found) noexcept {
    if (target.checked.exchange(found, std::memory_order_acq_rel) != found) next_epoch();
}

void upstream_directory::declare_metrics(metrics::registry& registry, std::string const& service) const {
    auto const label = "upstream=\"" + service + '"';
    auto const add = [&](std::string name, std::string help, bool (*counts)(health_state state)) {
        registry.add_readings(std::move(name), std::move(help), "gauge", [this, label, counts] {
            auto const labels = [&](std::size_t at) {
                return label + ",address=\"" + to_string(configured_[at].where) + '"';
            };
            std::map<std::string, double> found;
            for (std::size_t at = 0; at < configured_.size(); ++at) found[labels(at)] = 0;
            for (auto const& one : targets()) found[labels(one->configured)] += counts(one->checked) ? 1 : 0;
            return metrics::registry::labelled_values(found.begin(), found.end());
        });
    };
    add("recruiting_gateway_upstream_addresses", "Addresses that an entry of the setting resolves to.",
        [](health_state) { return true; });
    add("recruiting_gateway_upstream_addresses_ready", "Addresses of an entry whose health check reports ready.",
        [](health_state state) { return state == health_state::ready; });
    registry.add_readings("recruiting_gateway_upstream_up",
                          "Whether any address of a service answers its health checks.", "gauge", [this, label] {
                              return metrics::registry::labelled_values{{label, is_up() ? 1 : 0}};
                          });
}

std::optional<std::string> read_addresses(std::string_view text, service_addresses& out) {
    service_addresses list;
    for (auto const part : split(text, ',')) {
        auto where = parse_endpoint(trim(part));
        if (!where) return "must be host:port, [address]:port or unix:/path, several comma-separated";
        list.push_back({std::move(*where)});
    }
    out = std::move(list);
    return std::nullopt;
}

std::optional<std::string> read_health_ports(std::string_view text, service_addresses& out) {
    for (auto& one : out) one.health_port = 0;
    if (trim(text).empty()) return std::nullopt;
    auto const parts = split(text, ',');
    if (parts.size() != 1 && parts.size() != out.size())
        return "must be :port, or one for each of the " + std::to_string(out.size()) + " addresses";
    for (std::size_t i = 0; i < out.size(); ++i) {
        auto const part = trim(parts[parts.size() == 1 ? 0 : i]);
        auto const port = part.starts_with(':') ? parse_number<std::uint16_t>(part.substr(1)) : std::nullopt;
        if (!port || *port == 0) return "must be :port, or one for each address, comma-separated";
        out[i].health_port = *port;
    }
    return std::nullopt;
}

std::string to_string(service_addresses const& list) {
    std::string out;
    for (auto const& one : list) out.append(out.empty() ? "" : ",").append(to_string(one.where));
    return out;
}

} // namespace recruiting::gateway
