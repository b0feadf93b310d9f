#include "gateway/http1/proxy_protocol.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace recruiting::gateway {
namespace {

using progress = proxy_header::progress;
using namespace std::string_view_literals;

constexpr auto v1_signature = "PROXY "sv;
constexpr auto v2_signature = "\r\n\r\n\0\r\nQUIT\n"sv;
constexpr std::size_t v1_most = 107; // with its line end
constexpr std::size_t v2_head = 16;
constexpr std::size_t v2_most_rest = 4096; // addresses and extensions; those in use take some hundred bytes

proxy_header malformed() { return {progress::malformed, 0, std::nullopt}; }
bool is_prefix(std::string_view received, std::string_view of) { return of.starts_with(received.substr(0, of.size())); }

bool is_visible(char c) { return c >= ' ' && c <= '~'; }

// The next word of a line whose words stand one space apart. An empty one: there is none.
std::string_view take_word(std::string_view& line) {
    auto const space = line.find(' ');
    auto const word = line.substr(0, space);
    line.remove_prefix(space == std::string_view::npos ? line.size() : space + 1);
    return word;
}

bool is_port(std::string_view text) {
    return !text.empty() && (text == "0" || text.front() != '0') && parse_number<std::uint16_t>(text).has_value();
}

std::optional<ip_address> parse_of_family(std::string_view text, bool v4) {
    bool const has_colon = text.find(':') != std::string_view::npos;
    return has_colon == v4 ? std::nullopt : parse_ip(text);
}

proxy_header parse_v1(std::string_view received) {
    auto const end = received.substr(0, v1_most).find("\r\n");
    if (end == std::string_view::npos) return received.size() >= v1_most ? malformed() : proxy_header{};
    proxy_header out{progress::complete, end + 2, std::nullopt};
    auto line = received.substr(v1_signature.size(), end - v1_signature.size());
    if (!std::all_of(line.begin(), line.end(), is_visible)) return malformed();
    if (line == "UNKNOWN" || line.starts_with("UNKNOWN ")) return out;
    if (line.ends_with(' ')) return malformed();
    auto const family = take_word(line);
    if (family != "TCP4" && family != "TCP6") return malformed();
    out.client = parse_of_family(take_word(line), family == "TCP4");
    auto const destination = parse_of_family(take_word(line), family == "TCP4");
    bool const ports = is_port(take_word(line)) && is_port(take_word(line));
    return out.client && destination && ports && line.empty() ? out : malformed();
}

// The families and transports of section 2.2, as one byte.
enum : unsigned char { unspecified = 0x00, tcp4 = 0x11, tcp6 = 0x21, unix_stream = 0x31 };
enum : unsigned char { local = 0x20, proxied = 0x21 }; // version 2 and a command

std::optional<ip_address> read_v4(std::string_view bytes) {
    ip_address out{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}};
    std::copy_n(bytes.begin(), 4, out.bytes.begin() + 12);
    return out;
}

std::optional<ip_address> read_v6(std::string_view bytes) {
    ip_address out;
    std::copy_n(bytes.begin(), 16, out.bytes.begin());
    return out;
}

proxy_header parse_v2(std::string_view received) {
    if (received.size() < v2_head) return {};
    auto const byte = [received](std::size_t at) { return static_cast<unsigned char>(received[at]); };
    auto const command = byte(12);
    auto const family = byte(13);
    std::size_t const rest = byte(14) * 256U + byte(15);
    if ((command != local && command != proxied) || rest > v2_most_rest) return malformed();
    if (received.size() < v2_head + rest) return {};
    proxy_header out{progress::complete, v2_head + rest, std::nullopt};
    if (command == local) return out; // a health check of the proxy: whatever follows is passed over
    auto const addresses = received.substr(v2_head, rest);
    switch (family) {
    case unspecified: return out;
    case tcp4:
        if (rest < 12) return malformed();
        out.client = read_v4(addresses);
        return out;
    case tcp6:
        if (rest < 36) return malformed();
        out.client = read_v6(addresses);
        return out;
    case unix_stream: return rest < 216 ? malformed() : out;
    default: return malformed(); // datagrams, or nothing the specification knows
    }
}

} // namespace

proxy_header parse_proxy_header(std::string_view received, proxy_protocol accepted) {
    bool const v1 = accepted != proxy_protocol::v2 && is_prefix(received, v1_signature);
    bool const v2 = accepted != proxy_protocol::v1 && is_prefix(received, v2_signature);
    if (v1 && received.size() >= v1_signature.size()) return parse_v1(received);
    if (v2 && received.size() >= v2_signature.size()) return parse_v2(received);
    return v1 || v2 ? proxy_header{} : malformed();
}

} // namespace recruiting::gateway
