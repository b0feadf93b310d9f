// IP addresses and networks as values, without I/O. IPv4-mapped IPv6 addresses are IPv4 ones (RFC 4291
// section 2.5.5.2).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting {

struct ip_address {
    std::array<std::uint8_t, 16> bytes{}; // IPv4 in its mapped form
    auto operator<=>(ip_address const&) const = default;
    [[nodiscard]] bool is_v4() const noexcept;
};

/// "192.0.2.1", "2001:db8::1"; no zone, no port, no brackets.
[[nodiscard]] std::optional<ip_address> parse_ip(std::string_view text);
[[nodiscard]] std::string to_string(ip_address const& address);
void append_ip(std::string& out, ip_address const& address);

/// The address with all but its first bits zero: the network it belongs to. bits: of the 16 bytes, as in ip_network.
[[nodiscard]] ip_address first_bits(ip_address address, unsigned bits) noexcept;

struct ip_network {
    ip_address base;
    unsigned prefix{128}; // in bits of the 16 bytes: an IPv4 /24 is 120
    bool operator==(ip_network const&) const = default;
    [[nodiscard]] bool contains(ip_address const& address) const noexcept;
};

/// "192.0.2.0/24", or a single address.
[[nodiscard]] std::optional<ip_network> parse_network(std::string_view text);
/// "192.0.2.0/24", "::1/128"
[[nodiscard]] std::string to_string(ip_network const& network);
/// Globally reachable unicast, as the registries of IANA have it (RFC 6890), and no address at which clouds serve
/// metadata. What embeds an IPv4 address (NAT64, RFC 6052) is as reachable as that one.
[[nodiscard]] bool is_global_unicast(ip_address const& address) noexcept;
[[nodiscard]] bool any_contains(std::vector<ip_network> const& networks, ip_address const& address) noexcept;

} // namespace recruiting
