#include "gateway/worker.hpp"

#include "core/log.hpp"

namespace recruiting::gateway {
namespace {

std::vector<request_metrics> by_route(metrics::registry& registry, route_table const& routes) {
    std::vector<request_metrics> out;
    for (auto const& row : routes) out.emplace_back(registry, row.prefix);
    out.emplace_back(registry, "none");
    return out;
}

template <class Part>
bool reload_or_log(std::optional<Part>& part, metrics::counter& failed) {
    try {
        if (part) part->reload();
        return part.has_value();
    } catch (std::exception const& error) {
        failed.add();
        log::error("tls_reload_failed", {{"message", error.what()}});
        return false;
    }
}

} // namespace

request_metrics::request_metrics(metrics::registry& registry, std::string const& route_prefix)
    : duration_(registry.add_histogram("recruiting_gateway_request_duration_seconds",
                                       "Time from the first byte of a request to the last byte of its response.",
                                       "route=\"" + route_prefix + "\"")) {
    constexpr std::array names = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};
    for (std::size_t i = 0; i < names.size(); ++i)
        by_class_[i] = &registry.add_counter("recruiting_gateway_requests_total",
                                             "Answered requests, by route and class of status.",
                                             "route=\"" + route_prefix + "\",status=\"" + names[i] + "\"");
}

// 501 and 505 count as 4xx: what was asked for no gateway does, and strangers could wake up its operators with 5xx.
void request_metrics::count(unsigned status, std::chrono::nanoseconds duration) noexcept {
    by_class_[status == 501 || status == 505 ? 4 : status / 100]->add();
    duration_.observe(duration);
}

gateway_metrics::gateway_metrics(metrics::registry& in, gateway_settings const& settings)
    : registry(in), requests(by_route(in, settings.routes)) {
    constexpr std::array versions = {"1.2", "1.3"};
    constexpr std::array kinds = {"full", "resumed"};
    for (std::size_t v = 0; v < versions.size(); ++v)
        for (std::size_t k = 0; k < kinds.size(); ++k)
            tls_handshakes[v][k] =
                &in.add_counter("recruiting_gateway_tls_handshakes_total", "Completed TLS handshakes.",
                                "version=\"" + std::string(versions[v]) + "\",kind=\"" + kinds[k] + "\"");
    in.add_gauge("recruiting_gateway_connections_max", "Maximum number of client connections.")
        .set(settings.connections_limit);
    rate_limit.enforced.set(settings.limits.mode == "enforce" ? 1 : 0);
}

void gateway_metrics::count_handshake(tls_session const& done) noexcept {
    tls_handshakes[done.version() == tls_version::tls1_3 ? 1 : 0][done.resumed() ? 1 : 0]->add();
}

shared_parts::shared_parts(gateway_settings s) : settings(std::move(s)) {
    if (!is_none(settings.listeners.tls)) tls.emplace(settings.listeners.server);
    if (!settings.upstream_tls.ca_file.empty()) upstream_tls.emplace(settings.upstream_tls);
    report_expiry();
    watch_files();
}

void shared_parts::watch_files() {
    // A renewed certificate is used within twice this time; a look costs a few calls of stat().
    constexpr std::chrono::seconds interval{5};
    auto files = settings.tls_paths();
    if (files.empty()) return;
    watch_.emplace(std::move(files), interval, [this] {
        log::info("reloading", {{"because", "TLS files changed"}});
        reload();
    });
}

void shared_parts::reload() {
    bool const has_new = reload_or_log(tls, counters.failed_tls_reloads);
    static_cast<void>(reload_or_log(upstream_tls, counters.failed_tls_reloads));
    report_expiry();
    if (has_new) log::info("tls_reloaded", {{"expires", format_time(tls->expires())}});
}

void shared_parts::report_expiry() {
    auto const report = [this](char const* whose, std::optional<timestamp> at) {
        auto& expiry = registry.add_gauge(
            "recruiting_gateway_tls_certificate_expiry_timestamp_seconds",
            "Time at which a certificate expires, in seconds since 1970: the first of the listeners' certificates to "
            "expire, and the gateway's client certificate. No value without a certificate.",
            "certificate=\"" + std::string(whose) + "\"");
        if (at) expiry.set(std::chrono::floor<std::chrono::seconds>(*at).time_since_epoch().count());
        else expiry.forget();
    };
    report("listener", tls ? std::optional(tls->expires()) : std::nullopt);
    report("upstream", upstream_tls ? upstream_tls->expires() : std::nullopt);
}

bool connection_lists::empty() const noexcept { return count_unfinished() == 0 && busy.empty() && idle.empty(); }

std::size_t connection_lists::count_unfinished() const noexcept {
    auto sum = unfinished.size();
    for (auto const& one : withheld) sum += one.size();
    return sum;
}

worker::worker(asio::io_context& io, ticker& clock, shared_parts& process, time_source const& time_now)
    : shared(process), settings(process.settings), counters(process.counters), tracer(process.tracer), context(io),
      time(time_now), watch(io, clock),
      rate_limiter(io, process.rate_limits), upstreams{upstream(io, clock, watch, process.directories[0],
                                                                settings.upstream_requests, counters.upstreams[0],
                                                                process.upstream_client()),
                                                       upstream(io, clock, watch, process.directories[1],
                                                                settings.upstream_requests, counters.upstreams[1],
                                                                process.upstream_client())} {
    if (process.monitored.test_and_set()) return;
    for (std::size_t i = 0; i < service_count; ++i)
        monitors.push_back(start_monitor(io, clock, service_names[i], process.directories[i], process.registry,
                                         process.upstream_client()));
}

bool worker::may_connect(ip_address const& peer) {
    if (any_contains(settings.trusted_proxies, peer)) return true;
    if (shared.connections.is_full(peer)) return false;
    return settings.limits.mode != "enforce" || !shared.totals.is_exhausted(peer, time.now());
}

std::optional<decision> worker::count_in_total(ip_address const& client) {
    if (!settings.limits.counts() || any_contains(settings.trusted_proxies, client)) return std::nullopt;
    auto over = shared.totals.count(client, time.now());
    if (over) over->shadow = settings.limits.shadow();
    return over;
}

void worker::stop() noexcept {
    rate_limiter.stop();
    monitors.clear();
    for (auto& one : upstreams) one.stop();
    watch.stop();
}

} // namespace recruiting::gateway
