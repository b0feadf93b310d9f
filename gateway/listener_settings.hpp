// The settings of what the gateway listens on: plain, TLS, and a plain address that only redirects to TLS.
#pragma once
#include "core/settings.hpp"
#include "crypto/tls_server.hpp"
#include "gateway/http1/proxy_protocol.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
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
    proxy_protocol plain_proxy{proxy_protocol::off}; // redirect's too
    proxy_protocol tls_proxy{proxy_protocol::off};

    tls_server_settings server;
    std::chrono::milliseconds handshake_timeout{10'000};
    std::chrono::milliseconds watch_interval{60'000}; // 0: files are read again on SIGHUP only
    std::int64_t redirect_port{0};                    // 0: that of tls
    std::int64_t hsts_seconds{0};                     // 0: no HSTS
    bool hsts_subdomains{false};

    struct listener {
        endpoint where;
        listener_kind kind;
    };
    [[nodiscard]] std::vector<listener> all() const;
    /// The port clients reach TLS at.
    [[nodiscard]] std::uint16_t public_tls_port() const noexcept;
    /// "Strict-Transport-Security: max-age=…" with its line end (RFC 6797 section 6.1), or empty.
    [[nodiscard]] std::string hsts_line() const;
};

[[nodiscard]] inline bool is_none(endpoint const& where) noexcept {
    return where.host.empty() && where.unix_path.empty();
}

/// "chain.pem:key.pem,…". Returns what is wrong, or nothing.
[[nodiscard]] std::optional<std::string> read_certificates(std::string_view text, std::vector<tls_files>& out);
void declare_listeners(settings_reader& reader, listener_settings& out, std::vector<ip_network> const& trusted_proxies);

} // namespace recruiting::gateway
