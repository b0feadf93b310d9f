// What one thread's sessions share: nothing in it is used by another thread, save counters.
#pragma once
#include "crypto/tls_client.hpp"
#include "gateway/answers/exposure_reporter.hpp"
#include "gateway/connections.hpp"
#include "gateway/file_watch.hpp"
#include "gateway/http1/body_reader.hpp"
#include "gateway/rate_limit/limiter.hpp"
#include "gateway/settings.hpp"
#include "gateway/stream.hpp"
#include "gateway/tls_edge.hpp"
#include "gateway/upstream/health_check.hpp"
#include "gateway/upstream/pool.hpp"
#include "telemetry/metrics.hpp"
#include "tracing/exporter.hpp"

#include <array>
#include <list>
#include <vector>

namespace recruiting::gateway {

struct request_metrics {
    request_metrics(metrics::registry& registry, std::string const& route_prefix);
    std::array<metrics::counter*, 6> by_class{}; // [0]: no answer; [2]: 2xx …
    metrics::histogram& duration;
};

/// 501 and 505 count as 4xx: what was asked for no gateway does, and strangers could wake up its operators with 5xx.
[[nodiscard]] constexpr std::size_t class_to_count(unsigned status) noexcept {
    return status == 501 || status == 505 ? 4 : status / 100;
}

/// The process's metrics.
struct gateway_metrics {
    gateway_metrics(metrics::registry& registry, gateway_settings const& settings);
    limiter_metrics rate_limit;
    std::array<upstream_metrics, service_count> upstreams;
    std::vector<request_metrics> requests; // by route; the last: no route
    exposure_metrics exposures;
    tls_metrics tls;
    metrics::gauge& connections;
    metrics::counter& refused_connections;
    metrics::counter& evicted_connections;
    metrics::counter& failed_tls_reloads;
};

/// Every service's addresses, which the process's threads share.
struct upstream_directories {
    explicit upstream_directories(gateway_settings const& s)
        : each{{upstream_directory(s.upstreams[0]), upstream_directory(s.upstreams[1])}} {}
    std::array<upstream_directory, service_count> each;
    std::atomic_flag monitored; // by the first worker
};

/// The process's parts that threads share.
struct shared_parts {
    /// Throws std::runtime_error when a file of TLS can't be used.
    explicit shared_parts(gateway_settings s);
    /// SIGHUP: the files of TLS are read again. Any thread.
    void reload();
    gateway_settings settings;
    metrics::registry registry;
    gateway_metrics counters;
    tracing::exporter spans;
    tracing::tracer tracer;
    limiter_shared rate_limits;
    connection_table connections;
    upstream_directories directories;
    std::optional<tls_edge> tls;            // none: no listener speaks it
    std::optional<tls_client> upstream_tls; // none: services are spoken to in the clear

private:
    void watch_files();
    void tell_upstream_expiry();
    std::optional<file_watch> watch_; // last: its thread uses the rest
};

/// A client's connection, as the worker lists it.
class client_connection {
public:
    virtual void close() noexcept = 0;
    /// Ends one that is idle, unless its first request is still to come or one is there to be read.
    virtual void end_if_served() noexcept = 0;
    /// Ends one that is idle, to make room for another.
    virtual void evict() noexcept = 0;

protected:
    ~client_connection() = default;
};

/// For the first request of a connection that was taken at the very end.
constexpr std::chrono::milliseconds first_request_patience{1000};

struct worker {
    worker(asio::io_context& io, ticker& clock, shared_parts& shared, time_source const& time);
    /// Before the ticker goes. Sessions still open keep the worker alive until their io_context ends.
    void stop() noexcept;
    /// For one more connection: closes the one that is idle longest when there are as many as there may be. false: none
    /// is idle.
    [[nodiscard]] bool make_room() noexcept;

    gateway_settings const& settings;
    head_limits const heads;
    chunk_limits const chunks;
    gateway_metrics& counters;
    tracing::tracer const& tracer;
    asio::io_context& context;
    stream_watch watch;
    redis::connection redis;
    limiter rate_limiter;
    tls_client const* const upstream_tls; // nullptr: services are spoken to in the clear
    std::array<upstream, service_count> upstreams;
    exposure_reporter exposures;
    std::vector<std::unique_ptr<upstream_monitor>> monitors; // of one worker of the process
    connection_table& connections;
    tls_edge* const tls; // nullptr: no listener speaks it
    std::list<client_connection*> busy;
    std::list<client_connection*> idle; // between two requests, the longest first
    bool draining{false};               // every answer ends its connection
    bool closing{false};                // and nothing new is taken
};

} // namespace recruiting::gateway
