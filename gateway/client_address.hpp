// By what a client is counted, and tables by it. Pure.
#pragma once
#include "core/ip.hpp"
#include "core/text.hpp"
#include "crypto/digest.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>

namespace recruiting::gateway {

inline std::array<std::uint64_t, 5> const address_hash_keys = [] {
    std::array<std::uint64_t, 5> made{};
    auto const random = random_bytes(sizeof made);
    std::memcpy(made.data(), random.data(), sizeof made);
    return made;
}();

} // namespace recruiting::gateway

/// Multilinear hashing (Lemire and Kaser, "Strongly universal string hashing is fast", 2014) under random keys of this
/// process: two addresses share a hash with a probability of 2^-32, whoever chose them. Without keys, the owner of many
/// addresses could choose those that meet in one bucket of a table.
template <>
struct std::hash<recruiting::ip_address> {
    std::size_t operator()(recruiting::ip_address const& address) const noexcept {
        auto const& keys = recruiting::gateway::address_hash_keys;
        auto const words = std::bit_cast<std::array<std::uint32_t, 4>>(address.bytes);
        auto sum = keys.back();
        for (std::size_t i = 0; i < words.size(); ++i) sum += keys[i] * words[i];
        return sum >> 32U;
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

/// Threads lock the parts of a table apart from each other.
template <class Shards>
[[nodiscard]] auto& shard_of(Shards& shards, ip_address const& address) noexcept {
    return shards[std::hash<ip_address>{}(address) % shards.size()];
}

/// The address's own entry; nullptr: there are as many others as there may be.
template <class Entries>
[[nodiscard]] auto* find_or_add(Entries& in, ip_address const& address, std::size_t most) {
    if (in.size() < most) return &in[address];
    auto const found = in.find(address);
    return found == in.end() ? nullptr : &found->second;
}

} // namespace recruiting::gateway
