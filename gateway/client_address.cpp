#include "gateway/client_address.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>

namespace recruiting::gateway {
namespace {

constexpr std::array<std::uint8_t, 12> mapped_prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

ip_address keep_bits(ip_address address, unsigned bits) noexcept {
    for (unsigned i = 0; i < 16; ++i) {
        unsigned const kept = bits > i * 8 ? std::min(8U, bits - i * 8) : 0;
        address.bytes[i] = static_cast<std::uint8_t>(address.bytes[i] & (0xff00U >> kept));
    }
    return address;
}

bool is_trusted(ip_address const& address, std::vector<cidr> const& trusted) noexcept {
    return std::any_of(trusted.begin(), trusted.end(), [&](cidr const& range) { return range.contains(address); });
}

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

bool ip_address::is_v4() const noexcept { return std::equal(mapped_prefix.begin(), mapped_prefix.end(), bytes.begin()); }

ip_address ip_from_v4(std::uint32_t host_order) noexcept {
    ip_address out;
    std::copy(mapped_prefix.begin(), mapped_prefix.end(), out.bytes.begin());
    for (unsigned i = 0; i < 4; ++i) out.bytes[12 + i] = static_cast<std::uint8_t>(host_order >> (24 - 8 * i));
    return out;
}

std::optional<ip_address> parse_ip(std::string_view text) {
    char buffer[INET6_ADDRSTRLEN + 1];
    if (text.empty() || text.size() >= sizeof buffer || text.find('\0') != std::string_view::npos) return std::nullopt;
    std::memcpy(buffer, text.data(), text.size());
    buffer[text.size()] = '\0';
    ip_address out;
    in_addr v4{};
    if (::inet_pton(AF_INET, buffer, &v4) == 1) return ip_from_v4(ntohl(v4.s_addr));
    if (::inet_pton(AF_INET6, buffer, out.bytes.data()) == 1) return out;
    return std::nullopt;
}

std::string to_string(ip_address const& address) {
    char buffer[INET6_ADDRSTRLEN];
    if (address.is_v4()) ::inet_ntop(AF_INET, address.bytes.data() + 12, buffer, sizeof buffer);
    else ::inet_ntop(AF_INET6, address.bytes.data(), buffer, sizeof buffer);
    return buffer;
}

bool cidr::contains(ip_address const& address) const noexcept { return keep_bits(address, bits) == first; }

std::optional<cidr> parse_cidr(std::string_view text) {
    auto const slash = text.find('/');
    auto const address = parse_ip(text.substr(0, slash));
    if (!address) return std::nullopt;
    bool const v4_text = text.substr(0, slash).find(':') == std::string_view::npos;
    unsigned const most = v4_text ? 32 : 128;
    unsigned bits = most;
    if (slash != std::string_view::npos) {
        auto const given = parse_number<unsigned>(text.substr(slash + 1));
        if (!given || *given > most) return std::nullopt;
        bits = *given;
    }
    if (v4_text) bits += 96;
    return cidr{keep_bits(*address, bits), bits};
}

ip_address resolve_client(ip_address const& peer, std::span<std::string_view const> forwarded_for,
                          std::vector<cidr> const& trusted) {
    auto client = peer;
    if (trusted.empty() || !is_trusted(peer, trusted)) return client;
    for (auto field = forwarded_for.rbegin(); field != forwarded_for.rend(); ++field) {
        for (auto rest = *field; !rest.empty();) {
            auto const comma = rest.rfind(',');
            auto const entry = trim(comma == std::string_view::npos ? rest : rest.substr(comma + 1));
            rest = comma == std::string_view::npos ? std::string_view() : rest.substr(0, comma);
            auto const address = parse_entry(entry);
            if (!address) return client;
            client = *address;
            if (!is_trusted(client, trusted)) return client;
        }
    }
    return client;
}

ip_address count_address(ip_address const& client, unsigned ipv6_bits) noexcept {
    return client.is_v4() ? client : keep_bits(client, ipv6_bits);
}

std::string count_name(ip_address const& counted, unsigned ipv6_bits) {
    auto name = to_string(counted);
    if (!counted.is_v4() && ipv6_bits < 128) name += "/" + std::to_string(ipv6_bits);
    return name;
}

} // namespace recruiting::gateway
