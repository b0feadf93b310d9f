// What one thread's sessions share: nothing in it is used by another thread, save counters.
#pragma once
#include "core/file_watch.hpp"
#include "crypto/stream.hpp"
#include "crypto/tls_client.hpp"
#include "crypto/tls_server.hpp"
#include "gateway/access_log.hpp"
#include "gateway/answers/credential_exposure.hpp"
#include "gateway/connections.hpp"
#include "gateway/listener_settings.hpp"
#include "gateway/rate_limit/limiter.hpp"
#include "gateway/rate_limit/total_counts.hpp"
#include "gateway/settings.hpp"
#include "gateway/upstream/pool.hpp"
#include "telemetry/metrics.hpp"
#include "tracing/exporter.hpp"

#include <array>
#include <list>
#include <string>
#include <vector>

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
    ~shared_parts();
    shared_parts(shared_parts const&) = delete;
    shared_parts& operator=(shared_parts const&) = delete;
    /// SIGHUP: the files of TLS are read again. Any thread.
    void reload();
    gateway_settings settings;
    metrics::registry registry;
    gateway_metrics counters;
    tracing::exporter spans;
    tracing::tracer tracer;
    limiter_shared rate_limits;
    connection_table connections;
    total_counts totals;
    refusal_log refusals;
    fair_budget exposure_reports{{}, std::chrono::minutes{1}};
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
    /// Ends one that is idle, unless a request is there to be read.
    virtual void end_if_quiet() noexcept = 0;
    /// Ends one that has not sent a byte of its first request.
    virtual void end_if_unused() noexcept = 0;
    /// Ends one that is unfinished or idle, to make room for another.
    virtual void evict() noexcept = 0;
    coarse_clock::time_point unfinished_since{};

protected:
    ~client_connection() = default;
};

/// A worker's connections, by what their clients do. Each list begins with the connection that is in it longest.
struct connection_lists {
    std::list<client_connection*> unfinished; // in a TLS handshake, or before the end of a request's head
    std::list<client_connection*> busy;       // with a request
    std::list<client_connection*> idle;       // between two requests
    [[nodiscard]] bool empty() const noexcept { return unfinished.empty() && busy.empty() && idle.empty(); }
};

/// For the first request of a connection that was taken at the very end.
constexpr std::chrono::milliseconds first_request_patience{1000};

/// What a request needs memory for: a thread's connections share it, so that those that wait hold none.
struct request_storage {
    std::string head; // as received
    std::string out;  // a head on its way to one side
    std::vector<field> fields;
    std::vector<field> answer_fields;
};

struct worker {
    worker(asio::io_context& io, ticker& clock, shared_parts& shared, time_source const& time_now);
    /// Before the ticker goes. Sessions still open keep the worker alive until their io_context ends.
    void stop() noexcept;
    /// May this address connect? Not when it has as many connections as it may, or was refused too often
    /// (total_counts).
    [[nodiscard]] bool may_connect(ip_address const& peer);
    /// For one more connection: closes another one when there are too many. false: none can be closed.
    [[nodiscard]] bool make_room() noexcept;
    /// Is the request one too many of all its client sent? Trusted proxies themselves are not counted.
    [[nodiscard]] std::optional<decision> count_in_total(ip_address const& client);
    /// A TLS handshake counts like a request, because it costs more than most.
    void count_handshake(ip_address const& client);

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
    std::vector<std::shared_ptr<void>> monitors; // of one worker of the process
    connection_table& connections;
    total_counts& totals;
    refusal_log& refusals;
    time_source const& time;
    tls_edge* const tls; // nullptr: no listener speaks it
    connection_lists sessions;
    std::vector<request_storage> spare; // of connections that wait
    bool draining{false}; // every answer ends its connection
    bool closing{false};  // and nothing new is taken
};

} // namespace recruiting::gateway
