#include "gateway/upstream/directory.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cstring>
#include <map>

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
        else unresolved_.insert(i);
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

namespace {

std::optional<endpoint> parse_health(std::string_view text) {
    if (!text.starts_with(':')) return parse_endpoint(text);
    auto const port = parse_number<std::uint16_t>(text.substr(1));
    if (!port || *port == 0) return std::nullopt;
    return endpoint{{}, *port, {}};
}

// A name's addresses come and go: its health can only be checked at a port of each of them, or at one fixed address.
std::optional<std::string> objection(service_address const& to, endpoint const& health) {
    bool const port_only = health.host.empty() && health.unix_path.empty();
    if (port_only && !to.where.unix_path.empty()) return "can't be a port alone for a unix socket";
    if (!port_only && is_name(health) && health.host != to.where.host)
        return "names the host \"" + health.host + "\", which is not that of the address " + to_string(to.where);
    return std::nullopt;
}

} // namespace

bool is_name(endpoint const& where) { return !literal_address(where); }

std::optional<std::string> read_addresses(std::string_view text, service_addresses& out) {
    service_addresses list;
    for (auto const part : split(text, ',')) {
        auto where = parse_endpoint(trim(part));
        if (!where) return "must be host:port, [address]:port or unix:/path, several comma-separated";
        list.push_back({std::move(*where), std::nullopt});
    }
    out = std::move(list);
    return std::nullopt;
}

std::optional<std::string> read_health_addresses(std::string_view text, service_addresses& out) {
    for (auto& one : out) one.health.reset();
    if (trim(text).empty()) return std::nullopt;
    auto const parts = split(text, ',');
    bool const one_for_all = parts.size() == 1 && trim(text).starts_with(':');
    if (!one_for_all && parts.size() != out.size())
        return "must be :port, or one entry for each of the " + std::to_string(out.size()) + " addresses";
    for (std::size_t i = 0; i < out.size(); ++i) {
        auto health = parse_health(trim(parts[one_for_all ? 0 : i]));
        if (!health) return "must be :port, or host:port, [address]:port or unix:/path for each address";
        if (auto wrong = objection(out[i], *health)) return wrong;
        out[i].health = std::move(*health);
    }
    return std::nullopt;
}

std::string to_string(service_addresses const& list) {
    std::string out;
    for (auto const& one : list) out.append(out.empty() ? "" : ",").append(to_string(one.where));
    return out;
}

} // namespace recruiting::gateway
