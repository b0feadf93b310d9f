#include "http/request_target.hpp"

#include "core/ip.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace recruiting::http {
namespace {

constexpr std::string_view other_path_chars = "!$&'()*+,;=:@/"; // pchar beside unreserved and escapes, and the slash

constexpr bool is_unreserved(char c) noexcept {
    return is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

constexpr auto plain_path_chars = [] {
    std::array<bool, 256> table{};
    for (unsigned c = 0; c < 128; ++c) table[c] = is_unreserved(static_cast<char>(c));
    for (char const c : other_path_chars) table[static_cast<unsigned char>(c)] = true;
    return table;
}();

// Whether the path needs no change: no escape, no "//", no segment that begins with a dot.
bool is_normal(std::string_view path) noexcept {
    for (std::size_t i = 0; i < path.size(); ++i) {
        char const c = path[i];
        if (!plain_path_chars[static_cast<unsigned char>(c)]) return false;
        if (c == '/' && i + 1 < path.size() && (path[i + 1] == '/' || path[i + 1] == '.')) return false;
    }
    return true;
}

bool decode_unreserved(std::string_view path, std::string& out) {
    constexpr std::string_view upper = "0123456789ABCDEF";
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] != '%') {
            if (!plain_path_chars[static_cast<unsigned char>(path[i])]) return false;
            out += path[i];
            continue;
        }
        if (i + 2 >= path.size()) return false;
        int const high = hex_value(path[i + 1]);
        int const low = hex_value(path[i + 2]);
        if (high < 0 || low < 0) return false;
        auto const byte = static_cast<unsigned char>(high * 16 + low);
        if (byte < 0x20 || byte == 0x7f || byte == '/' || byte == '\\') return false;
        if (is_unreserved(static_cast<char>(byte))) {
            out += static_cast<char>(byte);
        } else {
            out += '%';
            out += upper[byte >> 4U];
            out += upper[byte & 15U];
        }
        i += 2;
    }
    return true;
}

// "..;x": servers that take what follows the semicolon for a parameter read a dot segment here.
bool is_disguised_dots(std::string_view segment) noexcept {
    segment.remove_prefix(std::min({segment.find_first_not_of('.'), segment.size(), std::size_t{2}}));
    return segment.starts_with(';') || segment.starts_with("%3B");
}

// In place: RFC 3986 section 5.2.4. An empty segment is left out, and a slash ends the path instead: "//jobs" is
// "/jobs/", which is counted where "/jobs" is and is no path of an API. false: ".." above the root, or disguised.
bool resolve_segments(std::string& path) {
    std::size_t kept = 0; // path[0, kept) is done and ends before a '/'
    bool has_empty_segment = false;
    bool slash_at_end = false;
    for (std::size_t at = 0; at < path.size();) {
        auto const begin = at + 1; // path[at] is '/'
        auto const end = std::min(path.find('/', begin), path.size());
        std::string_view const segment(path.data() + begin, end - begin);
        if (segment.starts_with('.') && is_disguised_dots(segment)) return false;
        has_empty_segment |= segment.empty();
        slash_at_end = segment.empty() || segment == "." || segment == "..";
        if (segment == "..") {
            if (kept == 0) return false;
            kept = path.rfind('/', kept - 1);
        } else if (!slash_at_end) {
            std::memmove(path.data() + kept, path.data() + at, end - at);
            kept += end - at;
        }
        at = end;
    }
    path.resize(kept);
    if (slash_at_end || has_empty_segment || path.empty()) path += '/';
    return true;
}

bool take_absolute_form(std::string_view& rest, target& out) {
    std::size_t const scheme = iequals(rest.substr(0, 7), "http://")    ? 7
                               : iequals(rest.substr(0, 8), "https://") ? 8
                                                                        : 0;
    if (scheme == 0) return false;
    rest.remove_prefix(scheme);
    auto const end = std::min(rest.find_first_of("/?"), rest.size());
    out.authority = rest.substr(0, end);
    rest.remove_prefix(end);
    return is_authority(out.authority);
}

// Letters, digits, '-' and '_' in labels; one dot may end it. An IPv4 address is one of these.
bool is_host_name(std::string_view name) noexcept {
    if (name.empty() || name.size() > 255 || name.front() == '.' || name.find("..") != name.npos) return false;
    return std::all_of(name.begin(), name.end(), [](char c) { return is_unreserved(c) && c != '~'; });
}

// "[2001:db8::1]"
bool is_ipv6_literal(std::string_view text) {
    auto const address = text.substr(1, text.size() - 2);
    return address.find(':') != std::string_view::npos && parse_ip(address).has_value();
}

} // namespace

bool split_target(std::string_view received, target& out) {
    out.type = target::form::path;
    out.path = out.authority = out.query = {};
    if (received == "*") {
        out.type = target::form::asterisk;
        out.path = received;
        return true;
    }
    if (!received.starts_with('/') && !take_absolute_form(received, out)) return false;
    auto const question = received.find('?');
    out.path = received.substr(0, question);
    if (question != std::string_view::npos) out.query = received.substr(question);
    if (out.path.empty()) out.path = "/";
    return true;
}

target_fault parse_target(std::string_view received, target& out) {
    out.storage.clear();
    if (!split_target(received, out)) return target_fault::malformed;
    if (out.type == target::form::asterisk || is_normal(out.path)) return target_fault::none;
    if (!decode_unreserved(out.path, out.storage) || !resolve_segments(out.storage)) return target_fault::unsafe_path;
    out.path = out.storage;
    return target_fault::none;
}

bool is_authority(std::string_view text) {
    auto const name_end = text.starts_with('[') ? text.find(']') + 1 : std::min(text.find(':'), text.size());
    auto const name = text.substr(0, name_end);
    if (name_end == 0 || !(text.starts_with('[') ? is_ipv6_literal(name) : is_host_name(name))) return false;
    auto const port = text.substr(name_end);
    if (port.empty()) return true;
    return port.front() == ':' && !port.starts_with(":0") && parse_number<std::uint16_t>(port.substr(1));
}

} // namespace recruiting::http
