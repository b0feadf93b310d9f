#include "gateway/http1/proxy_protocol.hpp"

#include "core/text.hpp"

#include <algorithm>
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

bool is_port(std::string_view text) {
    return text == "0" || (!text.starts_with('0') && parse_number<std::uint16_t>(text).has_value());
}

std::optional<ip_address> parse_of_family(std::string_view text, bool v4) {
    bool const has_colon = text.find(':') != std::string_view::npos;
    return has_colon == v4 ? std::nullopt : parse_ip(text);
}

proxy_header parse_v1(std::string_view received) {
    auto const end = received.substr(0, v1_most).find("\r\n");
    if (end == std::string_view::npos) return received.size() >= v1_most ? malformed() : proxy_header{};
    proxy_header out{progress::complete, end + 2, std::nullopt};
    auto const line = received.substr(v1_signature.size(), end - v1_signature.size());
    if (!is_printable_ascii(line)) return malformed();
    if (line == "UNKNOWN" || line.starts_with("UNKNOWN ")) return out;
    auto const words = split(line, ' ');
    bool const v4 = words.front() == "TCP4";
    if (words.size() != 5 || (!v4 && words.front() != "TCP6")) return malformed();
    out.client = parse_of_family(words[1], v4);
    bool const good = out.client && parse_of_family(words[2], v4) && is_port(words[3]) && is_port(words[4]);
    return good ? out : malformed();
}

// The families and transports of section 2.2, as one byte.
enum : unsigned char { unspecified = 0x00, tcp4 = 0x11, tcp6 = 0x21, unix_stream = 0x31 };
enum : unsigned char { local = 0x20, proxied = 0x21 }; // version 2 and a command

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
    std::size_t const needed = family == tcp4 ? 12 : family == tcp6 ? 36 : family == unix_stream ? 216 : 0;
    // Else datagrams, or nothing the specification knows.
    if ((needed == 0 && family != unspecified) || rest < needed) return malformed();
    auto const source = received.substr(v2_head);
    ip_address client{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}};
    if (family == tcp4) std::copy_n(source.begin(), 4, client.bytes.begin() + 12);
    if (family == tcp6) std::copy_n(source.begin(), 16, client.bytes.begin());
    if (family == tcp4 || family == tcp6) out.client = client;
    return out;
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
