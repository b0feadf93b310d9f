#include "gateway/tls_edge.hpp"

#include "core/log.hpp"

namespace recruiting::gateway {
namespace {

constexpr auto expiry_name = "recruiting_gateway_tls_certificate_expiry_timestamp_seconds";
constexpr auto expiry_help = "When a certificate expires, in seconds since 1970: the first of the listeners' own, and "
                             "the one that services are shown. No value where there is none.";

} // namespace

tls_metrics::tls_metrics(metrics::registry& registry)
    : failed(registry.add_counter("recruiting_gateway_tls_handshakes_failed_total",
                                  "TLS handshakes that were refused, given up or too slow.")),
      listener_expiry(registry.add_gauge(expiry_name, expiry_help, R"(certificate="listener")")),
      upstream_expiry(registry.add_gauge(expiry_name, expiry_help, R"(certificate="upstream")")) {
    constexpr std::array versions = {"1.2", "1.3"};
    constexpr std::array kinds = {"full", "resumed"};
    for (std::size_t v = 0; v < versions.size(); ++v)
        for (std::size_t k = 0; k < kinds.size(); ++k)
            handshakes[v][k] =
                &registry.add_counter("recruiting_gateway_tls_handshakes_total", "TLS handshakes done.",
                                      "version=\"" + std::string(versions[v]) + "\",kind=\"" + kinds[k] + "\"");
    listener_expiry.forget();
    upstream_expiry.forget();
}

void tls_metrics::tell_expiry(metrics::gauge& of, timestamp at) {
    of.set(std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count());
}

tls_edge::tls_edge(listener_settings const& settings, tls_metrics& counters)
    : server_(settings.server), hsts_line_(settings.hsts_line()), public_port_(settings.public_tls_port()),
      counters_(counters) {
    tls_metrics::tell_expiry(counters_.listener_expiry, server_.expires());
}

void tls_edge::count_handshake(tls_session const& done) noexcept {
    counters_.handshakes[done.version() == tls_version::tls1_3 ? 1 : 0][done.resumed() ? 1 : 0]->add();
}

void tls_edge::reload() {
    server_.reload();
    tls_metrics::tell_expiry(counters_.listener_expiry, server_.expires());
    log::info("tls_reloaded", {{"expires", format_time(server_.expires())}});
}

} // namespace recruiting::gateway
