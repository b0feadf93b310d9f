#include "gateway/tls_edge.hpp"

#include "core/log.hpp"

namespace recruiting::gateway {

tls_edge::tls_edge(listener_settings const& settings, metrics::registry& registry)
    : server_(settings.server), hsts_line_(settings.hsts_line()), public_port_(settings.public_tls_port()),
      failed_(registry.add_counter("recruiting_gateway_tls_handshakes_failed_total",
                                   "TLS handshakes that were refused, given up or too slow.")),
      expires_(registry.add_gauge("recruiting_gateway_tls_certificate_expiry_timestamp_seconds",
                                  "When the first of the certificates expires.")) {
    constexpr std::array versions = {"1.2", "1.3"};
    constexpr std::array kinds = {"full", "resumed"};
    for (std::size_t v = 0; v < versions.size(); ++v)
        for (std::size_t k = 0; k < kinds.size(); ++k)
            handshakes_[v][k] =
                &registry.add_counter("recruiting_gateway_tls_handshakes_total", "TLS handshakes done.",
                                      "version=\"" + std::string(versions[v]) + "\",kind=\"" + kinds[k] + "\"");
    tell_expiry();
}

void tls_edge::count_handshake(tls_session const& done) noexcept {
    handshakes_[done.version() == tls_version::tls1_3 ? 1 : 0][done.resumed() ? 1 : 0]->add();
}

void tls_edge::reload() {
    server_.reload();
    tell_expiry();
    log::info("tls_reloaded", {{"expires", format_time(server_.expires())}});
}

void tls_edge::tell_expiry() {
    expires_.set(std::chrono::floor<std::chrono::seconds>(server_.expires()).time_since_epoch().count());
}

} // namespace recruiting::gateway
