// By what a client is counted. Pure.
#pragma once
#include "core/ip.hpp"
#include "core/text.hpp"
#include "rate_limit/counts.hpp"

#include <cstdint>
#include <functional>
#include <string>

template <>
struct std::hash<recruiting::ip_address> {
    std::size_t operator()(recruiting::ip_address const& address) const noexcept {
        return recruiting::rate_limit::client_hash{}(address.bytes);
    }
};

namespace recruiting::gateway {

/// What is counted: an IPv4 address, or the first bits of an IPv6 address.
[[nodiscard]] inline ip_address count_address(ip_address const& client, std::int64_t ipv6_bits) noexcept {
    return client.is_v4() ? client : first_bits(client, static_cast<unsigned>(ipv6_bits));
}

/// "203.0.113.7", or "2001:db8:1:2::/64": the client's name in a key.
inline void append_count_name(std::string& out, ip_address const& counted, std::int64_t ipv6_bits) {
    append_ip(out, counted);
    if (counted.is_v4() || ipv6_bits == 128) return;
    out += '/';
    append_number(out, ipv6_bits);
}

} // namespace recruiting::gateway
