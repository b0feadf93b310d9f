// The PROXY protocol, versions 1 and 2 (haproxy.org: proxy-protocol.txt, sections 2.1 and 2.2): what a proxy says of
// the client before the connection's own bytes. Read strictly: one spelling, or the connection is refused. Pure.
#pragma once
#include "core/ip.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace recruiting::gateway {

enum class proxy_protocol { off, v1, v2, any };

struct proxy_header {
    enum class progress { complete, incomplete, malformed };
    progress state{progress::incomplete};
    std::size_t size{0};              // complete: what to take off the front
    std::optional<ip_address> client; // complete; none: the proxy speaks for itself, or its client has no IP address
};

/// received: a connection's first bytes. accepted: not off.
[[nodiscard]] proxy_header parse_proxy_header(std::string_view received, proxy_protocol accepted);

} // namespace recruiting::gateway
