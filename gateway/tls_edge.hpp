// TLS as the gateway's threads share it: certificates and tickets, their reload, what is counted of handshakes.
#pragma once
#include "crypto/tls_server.hpp"
#include "gateway/listener_settings.hpp"
#include "telemetry/metrics.hpp"

#include <array>
#include <string>

namespace recruiting::gateway {

/// Of a gateway without TLS they stay at 0, and nothing expires.
struct tls_metrics {
    explicit tls_metrics(metrics::registry& registry);
    static void tell_expiry(metrics::gauge& of, timestamp at);
    std::array<std::array<metrics::counter*, 2>, 2> handshakes{}; // by version, by resumption
    metrics::counter& failed;
    metrics::gauge& listener_expiry;
    metrics::gauge& upstream_expiry; // of the certificate that services are shown
};

class tls_edge {
public:
    /// Throws std::runtime_error naming the file at fault.
    tls_edge(listener_settings const& settings, tls_metrics& counters);

    [[nodiscard]] tls_session accept_session() const { return server_.accept_session(); }
    /// Do we have a certificate for this name or address? Any thread.
    [[nodiscard]] bool serves(std::string_view host) const { return server_.serves(host); }
    void count_handshake(tls_session const& done) noexcept;
    void count_failure() noexcept { counters_.failed.add(); }
    /// Reads the files again. Throws as the constructor does; then the old ones stay.
    void reload();
    /// A field line for answers over TLS, or empty.
    [[nodiscard]] std::string_view hsts_line() const noexcept { return hsts_line_; }
    [[nodiscard]] std::uint16_t public_port() const noexcept { return public_port_; }

private:
    tls_server server_;
    std::string const hsts_line_;
    std::uint16_t const public_port_;
    tls_metrics& counters_;
};

} // namespace recruiting::gateway
