// The settings of what the gateway listens on: plain, TLS, and a plain address that only redirects to TLS; and of TLS
// towards the services.
#pragma once
#include "core/settings.hpp"
#include "crypto/tls_client.hpp"
#include "crypto/tls_server.hpp"
#include "gateway/http1/proxy_protocol.hpp"
#include "gateway/upstream/directory.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::gateway {

/// What a connection is, by the address it came in at.
struct listener_kind {
    bool tls{false};
    bool redirects{false}; // answers nothing but where to go with TLS
    proxy_protocol proxy{proxy_protocol::off};
};

struct listener_settings {
    endpoint plain{"127.0.0.1", 8080, {}}; // each: is_none, and it is not listened on
    endpoint tls;
    endpoint redirect;
    proxy_protocol proxy{proxy_protocol::off};

    tls_server_settings server;
    std::int64_t redirect_port{0}; // 0: that of tls
    std::string hsts;              // the field's value (RFC 6797 section 6.1); empty: it is not sent

    struct listener {
        endpoint where;
        listener_kind kind;
    };
    [[nodiscard]] std::vector<listener> all() const;
    /// The port clients reach TLS at.
    [[nodiscard]] std::uint16_t public_tls_port() const noexcept;
    /// The field with its line end, or empty.
    [[nodiscard]] std::string hsts_line() const;
};

[[nodiscard]] inline bool is_none(endpoint const& where) noexcept {
    return where.host.empty() && where.unix_path.empty();
}

/// "chain.pem:key.pem,…". Returns what is wrong, or nothing.
[[nodiscard]] std::optional<std::string> read_certificates(std::string_view text, std::vector<tls_files>& out);
void declare_listeners(settings_reader& reader, listener_settings& out, std::vector<ip_network> const& trusted_proxies);
/// services: what is connected to; each must have a name that its certificate can be held against.
void declare_upstream_tls(settings_reader& reader, tls_client_settings& out,
                          std::span<service_addresses const> services);

} // namespace recruiting::gateway
