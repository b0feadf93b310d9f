#include "gateway/upstream_address.hpp"

#include "core/ip.hpp"
#include "core/text.hpp"

namespace recruiting::gateway {
namespace {

std::optional<endpoint> parse_health(std::string_view text) {
    if (!text.starts_with(':')) return parse_endpoint(text);
    auto const port = parse_number<std::uint16_t>(text.substr(1));
    if (!port || *port == 0) return std::nullopt;
    return endpoint{{}, *port, {}};
}

// A name's addresses come and go: its health can only be told by a port of each of them, or by one fixed address.
std::optional<std::string> objection(service_address const& to, endpoint const& health) {
    bool const port_only = health.host.empty() && health.unix_path.empty();
    if (port_only && !to.where.unix_path.empty()) return "can't be a port alone for a unix socket";
    if (!port_only && is_name(health) && health.host != to.where.host)
        return "names the host \"" + health.host + "\", which is not that of the address " + to_string(to.where);
    return std::nullopt;
}

} // namespace

bool is_name(endpoint const& where) { return where.unix_path.empty() && !parse_ip(where.host); }

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
