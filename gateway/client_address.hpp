// Who is counted: the socket's peer, or what trusted proxies say about it (design: Edge). Pure.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::gateway {

/// IPv4 is kept as IPv4-mapped IPv6, so both spellings of an address are one.
struct ip_address {
    std::array<std::uint8_t, 16> bytes{};
    [[nodiscard]] bool is_v4() const noexcept;
    auto operator<=>(ip_address const&) const = default;
};

[[nodiscard]] std::optional<ip_address> parse_ip(std::string_view text);
[[nodiscard]] ip_address ip_from_v4(std::uint32_t host_order) noexcept;
[[nodiscard]] std::string to_string(ip_address const& address);

/// An address range, "10.0.0.0/8" or "2001:db8::/32" or one address.
struct cidr {
    ip_address first;
    unsigned bits{128}; // of the IPv6 form
    [[nodiscard]] bool contains(ip_address const& address) const noexcept;
};
[[nodiscard]] std::optional<cidr> parse_cidr(std::string_view text);

/// forwarded_for: the values of the X-Forwarded-For fields in the order of the request. Read from the right while the
/// address at hand is a trusted proxy's. An entry that is no address ends the search: what stands right of it counts.
[[nodiscard]] ip_address resolve_client(ip_address const& peer, std::span<std::string_view const> forwarded_for,
                                        std::vector<cidr> const& trusted);

/// What is counted: an IPv4 address, or the first bits of an IPv6 address.
[[nodiscard]] ip_address count_address(ip_address const& client, unsigned ipv6_bits) noexcept;
/// "203.0.113.7", or "2001:db8:1:2::/64": the client's name in a key.
[[nodiscard]] std::string count_name(ip_address const& counted, unsigned ipv6_bits);

} // namespace recruiting::gateway

template <>
struct std::hash<recruiting::gateway::ip_address> {
    std::size_t operator()(recruiting::gateway::ip_address const& address) const noexcept {
        return std::hash<std::string_view>{}({reinterpret_cast<char const*>(address.bytes.data()), address.bytes.size()});
    }
};
