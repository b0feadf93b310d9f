#include "gateway/worker.hpp"

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

namespace {

constexpr std::array<char const*, service_count> service_names = {"auth-api", "public-api"};

std::vector<request_metrics> by_route(metrics::registry& registry, route_table const& routes) {
    std::vector<request_metrics> out;
    for (auto const& row : routes) out.emplace_back(registry, row.prefix);
    out.emplace_back(registry, "none");
    return out;
}

redis::options redis_options(gateway_settings const& s, limiter& of) {
    redis::options how;
    how.answer_limit = s.redis_limit;
    how.on_state = [&of](bool up, std::string_view why) { of.redis_changed(up, why); };
    return how;
}

template <class Part>
void reload_or_tell(Part& part, metrics::counter& failed) {
    try {
        part.reload();
    } catch (std::exception const& error) {
        failed.add();
        log::error("tls_reload_failed", {{"message", error.what()}});
    }
}

} // namespace

request_metrics::request_metrics(metrics::registry& registry, std::string const& route_prefix)
    : duration(registry.add_histogram("recruiting_gateway_request_duration_seconds",
                                      "From a request's first byte to its answer's last.",
                                      "route=\"" + route_prefix + "\"")) {
    constexpr std::array names = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};
    for (std::size_t i = 0; i < names.size(); ++i)
        by_class[i] =
            &registry.add_counter("recruiting_gateway_requests_total", "Requests by route and class of status.",
                                  "route=\"" + route_prefix + "\",status=\"" + names[i] + "\"");
}

gateway_metrics::gateway_metrics(metrics::registry& registry, gateway_settings const& settings)
    : rate_limit(registry, settings.for_limiter()), upstreams{upstream_metrics(registry, service_names[0]),
                                                              upstream_metrics(registry, service_names[1])},
      requests(by_route(registry, settings.routes)), tls(registry),
      connections(registry.add_gauge("recruiting_gateway_connections", "Connections of clients.")),
      refused_connections(registry.add_counter("recruiting_gateway_connections_refused_total",
                                               "Connections closed at once: too many, in all or of one client.")),
      evicted_connections(registry.add_counter("recruiting_gateway_connections_evicted_total",
                                               "Unfinished or idle connections closed to make room for new ones.")),
      failed_tls_reloads(registry.add_counter("recruiting_gateway_tls_reloads_failed_total",
                                              "Reloads of TLS files that left the old ones in use.")) {
    registry.add_gauge("recruiting_gateway_connections_max", "Connections of clients there may be.")
        .set(settings.connections_limit);
}

shared_parts::shared_parts(gateway_settings s)
    : settings(std::move(s)), counters(registry, settings), spans(settings.trace, "recruiting-gateway", registry),
      tracer(settings.trace.share, spans.sink()),
      connections(settings.client_connections_limit, static_cast<unsigned>(settings.ipv6_bits)),
      totals(settings.total_limit(), static_cast<unsigned>(settings.ipv6_bits)),
      refusals(settings.access_log_refused, static_cast<unsigned>(settings.ipv6_bits)), directories(settings) {
    if (!is_none(settings.listeners.tls)) tls.emplace(settings.listeners, counters.tls);
    if (settings.upstream_tls.on) {
        upstream_tls.emplace(settings.upstream_tls.client);
        tell_upstream_expiry();
    }
    watch_files();
}

shared_parts::~shared_parts() { refusals.write_all(system_time().now()); }

void shared_parts::watch_files() {
    auto files = settings.tls_paths();
    if (files.empty() || settings.listeners.watch_interval == std::chrono::milliseconds::zero()) return;
    watch_.emplace(std::move(files), settings.listeners.watch_interval, [this] {
        log::info("reloading", {{"because", "files of TLS changed"}});
        reload();
    });
}

void shared_parts::reload() {
    if (tls) reload_or_tell(*tls, counters.failed_tls_reloads);
    if (!upstream_tls) return;
    reload_or_tell(*upstream_tls, counters.failed_tls_reloads);
    tell_upstream_expiry();
}

void shared_parts::tell_upstream_expiry() {
    if (auto const at = upstream_tls->expires()) tls_metrics::tell_expiry(counters.tls.upstream_expiry, *at);
}

worker::worker(asio::io_context& io, ticker& clock, shared_parts& shared, time_source const& time_now)
    : settings(shared.settings), heads(settings.heads()), chunks(settings.chunks()), counters(shared.counters),
      tracer(shared.tracer), context(io), watch(io, clock),
      redis(io, settings.redis, redis_options(settings, rate_limiter)),
      rate_limiter(io, redis, shared.rate_limits, time_now, settings.for_limiter(), counters.rate_limit),
      upstream_tls(shared.upstream_tls ? &*shared.upstream_tls : nullptr),
      upstreams{upstream(io, clock, watch, shared.directories.each[0], settings.upstream, counters.upstreams[0],
                         upstream_tls),
                upstream(io, clock, watch, shared.directories.each[1], settings.upstream, counters.upstreams[1],
                         upstream_tls)},
      exposures(io, upstreams[static_cast<std::size_t>(service::public_api)], settings.answer_timeout,
                shared.exposure_reports, shared.registry),
      connections(shared.connections), totals(shared.totals), refusals(shared.refusals), time(time_now),
      tls(shared.tls ? &*shared.tls : nullptr) {
    if (shared.directories.monitored.test_and_set()) return;
    for (std::size_t i = 0; i < service_count; ++i)
        monitors.push_back(start_monitor(io, clock, service_names[i], shared.directories.each[i], settings.upstream,
                                         shared.registry, upstream_tls));
}

bool worker::may_connect(ip_address const& peer) {
    if (any_contains(settings.trusted_proxies, peer)) return true;
    if (connections.is_full(peer)) return false;
    return settings.limit_mode != "enforce" || !totals.is_exhausted(peer, time.now());
}

bool worker::make_room() noexcept {
    evictable there{sessions.unfinished.size(), {}, sessions.idle.size()};
    if (there.unfinished > 0)
        there.oldest_unfinished = std::chrono::duration_cast<std::chrono::milliseconds>(
            watch.now() - sessions.unfinished.front()->unfinished_since);
    auto const chosen = choose_victim(connections.total(), settings.connections_limit, there);
    if (chosen == victim::nobody) return true;
    if (chosen == victim::newcomer) return false;
    (chosen == victim::idle ? sessions.idle : sessions.unfinished).front()->evict();
    counters.evicted_connections.add();
    return true;
}

void worker::count_handshake(ip_address const& client) {
    if (settings.limit_mode == "off" || any_contains(settings.trusted_proxies, client)) return;
    static_cast<void>(totals.count(client, time.now())); // whether it is one too many is told to a request
}

std::optional<decision> worker::count_in_total(ip_address const& client) {
    if (settings.limit_mode == "off" || any_contains(settings.trusted_proxies, client)) return std::nullopt;
    auto const over = totals.count(client, time.now());
    if (!over) return std::nullopt;
    bool const shadow = settings.limit_mode == "shadow";
    (shadow ? counters.rate_limit.total_shadow_refused : counters.rate_limit.total_refused).add();
    return shadow ? std::nullopt : over;
}

void worker::stop() noexcept {
    redis.stop();
    monitors.clear();
    for (auto& one : upstreams) one.stop();
    watch.stop();
}

} // namespace recruiting::gateway
