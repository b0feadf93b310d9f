#include "core/ip.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <arpa/inet.h>

namespace recruiting {
namespace {

constexpr std::array<std::uint8_t, 12> mapped_prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

std::vector<ip_network> networks_of(std::initializer_list<std::string_view> blocks) {
    std::vector<ip_network> out;
    for (auto const block : blocks) out.push_back(parse_network(block).value());
    return out;
}

} // namespace

bool ip_address::is_v4() const noexcept {
    return std::equal(mapped_prefix.begin(), mapped_prefix.end(), bytes.begin());
}

std::optional<ip_address> parse_ip(std::string_view text) {
    if (text.find('\0') != std::string_view::npos) return std::nullopt; // inet_pton would end there
    std::string const terminated(text);
    ip_address address;
    std::copy(mapped_prefix.begin(), mapped_prefix.end(), address.bytes.begin());
    if (::inet_pton(AF_INET, terminated.c_str(), address.bytes.data() + 12) == 1) return address;
    if (::inet_pton(AF_INET6, terminated.c_str(), address.bytes.data()) == 1) return address;
    return std::nullopt;
}

// inet_ntop formats with printf, which every request would pay for.
ip_address first_bits(ip_address address, unsigned bits) noexcept {
    for (unsigned i = 0; i < 16; ++i) {
        unsigned const kept = bits > i * 8 ? std::min(8U, bits - i * 8) : 0;
        address.bytes[i] = static_cast<std::uint8_t>(address.bytes[i] & (0xff00U >> kept));
    }
    return address;
}

void append_ip(std::string& out, ip_address const& address) {
    if (address.is_v4()) {
        for (std::size_t i = 12; i < 16; ++i) {
            if (i > 12) out += '.';
            append_number(out, unsigned{address.bytes[i]});
        }
        return;
    }
    char text[INET6_ADDRSTRLEN] = {};
    ::inet_ntop(AF_INET6, address.bytes.data(), text, sizeof text);
    out += text;
}

std::string to_string(ip_address const& address) {
    std::string out;
    append_ip(out, address);
    return out;
}

bool ip_network::contains(ip_address const& address) const noexcept {
    auto const whole = prefix / 8;
    if (!std::equal(base.bytes.begin(), base.bytes.begin() + whole, address.bytes.begin())) return false;
    if (prefix % 8 == 0) return true;
    auto const mask = static_cast<std::uint8_t>(0xFFU << (8 - prefix % 8));
    return ((base.bytes[whole] ^ address.bytes[whole]) & mask) == 0;
}

std::optional<ip_network> parse_network(std::string_view text) {
    auto const slash = text.find('/');
    auto const address = parse_ip(text.substr(0, slash));
    if (!address) return std::nullopt;
    if (slash == std::string_view::npos) return ip_network{*address, 128};
    bool const v4 = text.substr(0, slash).find(':') == std::string_view::npos;
    auto const prefix = parse_number<unsigned>(text.substr(slash + 1));
    if (!prefix || *prefix > (v4 ? 32U : 128U)) return std::nullopt;
    return ip_network{*address, v4 ? *prefix + 96 : *prefix};
}

std::string to_string(ip_network const& network) {
    auto const prefix = network.base.is_v4() ? network.prefix - 96 : network.prefix;
    return to_string(network.base) + "/" + std::to_string(prefix);
}

bool is_global_unicast(ip_address const& address) noexcept {
    static std::vector<ip_network> const excluded =
        networks_of({"0.0.0.0/8",       "10.0.0.0/8",        "100.64.0.0/10",  "127.0.0.0/8",     "168.63.129.16/32",
                     "169.254.0.0/16",  "172.16.0.0/12",     "192.0.0.0/24",   "192.0.2.0/24",    "192.31.196.0/24",
                     "192.52.193.0/24", "192.88.99.0/24",    "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
                     "198.51.100.0/24", "203.0.113.0/24",    "224.0.0.0/3",    "2001::/23",       "2001:db8::/32",
                     "2002::/16",       "2620:4f:8000::/48", "3fff::/20"});
    static ip_network const nat64 = parse_network("64:ff9b::/96").value();
    static ip_network const global = parse_network("2000::/3").value();
    if (nat64.contains(address)) {
        ip_address embedded;
        std::copy(mapped_prefix.begin(), mapped_prefix.end(), embedded.bytes.begin());
        std::copy(address.bytes.begin() + 12, address.bytes.end(), embedded.bytes.begin() + 12);
        return is_global_unicast(embedded);
    }
    return (address.is_v4() || global.contains(address)) && !any_contains(excluded, address);
}

bool any_contains(std::vector<ip_network> const& networks, ip_address const& address) noexcept {
    return std::any_of(networks.begin(), networks.end(),
                       [&](auto const& network) { return network.contains(address); });
}

} // namespace recruiting
