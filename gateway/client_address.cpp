#include "gateway/client_address.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::gateway {
namespace {

// An entry of X-Forwarded-For: an address, some proxies add a port.
std::optional<ip_address> parse_entry(std::string_view entry) {
    if (entry.starts_with('[')) {
        auto const end = entry.find(']');
        if (end == std::string_view::npos) return std::nullopt;
        return parse_ip(entry.substr(1, end - 1));
    }
    if (std::count(entry.begin(), entry.end(), ':') == 1) entry = entry.substr(0, entry.find(':'));
    return parse_ip(entry);
}

} // namespace

ip_address resolve_client(ip_address const& peer, std::span<std::string_view const> forwarded_for,
                          std::vector<ip_network> const& trusted) {
    auto client = peer;
    if (!any_contains(trusted, peer)) return client;
    for (auto field = forwarded_for.rbegin(); field != forwarded_for.rend(); ++field) {
        for (auto rest = *field; !rest.empty();) {
            auto const comma = rest.rfind(',');
            auto const entry = trim(comma == std::string_view::npos ? rest : rest.substr(comma + 1));
            rest = comma == std::string_view::npos ? std::string_view() : rest.substr(0, comma);
            auto const address = parse_entry(entry);
            if (!address) return client;
            client = *address;
            if (!any_contains(trusted, client)) return client;
        }
    }
    return client;
}

ip_address count_address(ip_address const& client, unsigned ipv6_bits) noexcept {
    return client.is_v4() ? client : first_bits(client, ipv6_bits);
}

void append_count_name(std::string& out, ip_address const& counted, unsigned ipv6_bits) {
    append_ip(out, counted);
    if (counted.is_v4() || ipv6_bits == 128) return;
    out += '/';
    append_number(out, ipv6_bits);
}

std::string count_name(ip_address const& counted, unsigned ipv6_bits) {
    std::string name;
    append_count_name(name, counted, ipv6_bits);
    return name;
}

} // namespace recruiting::gateway
