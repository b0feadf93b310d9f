// The request target (RFC 9112 section 3.2). The gateway normalises its path once: policy, route and service all see
// the same spelling (proto-docs/decisions/0030). Pure.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::http {

struct target {
    enum class form { path, asterisk };
    form type{form::path};
    std::string_view path;      // lies in the target as received or, when it was changed, in storage
    std::string_view query;     // with its '?', or empty; as received
    std::string_view authority; // of the absolute form, else empty
    std::string storage;
};

enum class target_fault { none, malformed, unsafe_path };

/// The origin form ("/path?query"), the absolute form of http and https, and "*"; false: none of these. The authority
/// form belongs to CONNECT. The path stays as received.
[[nodiscard]] bool split_target(std::string_view received, target& out);
/// Splits the target as split_target does, and normalises the path. out keeps its storage from call to call. In this
/// order: letters, digits, '-', '.', '_' and '~' are decoded and other escapes written in upper case; "//" becomes "/";
/// "." and ".." segments are resolved. unsafe_path: an escape that is none, a slash, backslash or control character
/// (also escaped), a character RFC 3986 has no place for, ".." above the root, or a dot segment with a parameter
/// ("..;x").
[[nodiscard]] target_fault parse_target(std::string_view received, target& out);

/// host[:port] as the Host field carries it (RFC 9110 section 7.2): name, IPv4 or [IPv6]; a port from 1 to 65535,
/// plainly written.
[[nodiscard]] bool is_authority(std::string_view text);

} // namespace recruiting::http
