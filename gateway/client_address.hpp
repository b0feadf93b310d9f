// Who is counted: the socket's peer, or what trusted proxies say about it (design: Edge). Pure.
#pragma once
#include "core/ip.hpp"
#include "crypto/keyed_hash.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::gateway {

/// forwarded_for: the values of the X-Forwarded-For fields in the order of the request. Read from the right while the
/// address at hand is a trusted proxy's. An entry that is no address ends the search: what stands right of it counts.
[[nodiscard]] ip_address resolve_client(ip_address const& peer, std::span<std::string_view const> forwarded_for,
                                        std::vector<ip_network> const& trusted);

/// Networks that IPv6 clients are also counted by: their owners have 256 or 65,536 clients to choose from. share: how
/// many clients' worth the network may have.
struct counted_network {
    unsigned bits;
    std::int64_t share;
};
inline constexpr std::array counted_networks = {counted_network{48, 4}, counted_network{56, 2}}; // the widest first

/// What is counted: an IPv4 address, or the first bits of an IPv6 address.
[[nodiscard]] ip_address count_address(ip_address const& client, unsigned ipv6_bits) noexcept;
/// "203.0.113.7", or "2001:db8:1:2::/64": the client's name in a key.
[[nodiscard]] std::string count_name(ip_address const& counted, unsigned ipv6_bits);
void append_count_name(std::string& out, ip_address const& counted, unsigned ipv6_bits);

} // namespace recruiting::gateway

/// Keyed, because the owner of many addresses could otherwise choose those that meet in one bucket of a table.
template <>
struct std::hash<recruiting::ip_address> {
    std::size_t operator()(recruiting::ip_address const& address) const noexcept {
        return recruiting::keyed_hash({reinterpret_cast<char const*>(address.bytes.data()), address.bytes.size()});
    }
};
