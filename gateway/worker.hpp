// What one thread's sessions share: nothing in it is used by another thread, save counters and shared_parts.
#pragma once
#include "core/file.hpp"
#include "crypto/stream.hpp"
#include "gateway/settings.hpp"
#include "gateway/upstream/pool.hpp"
#include "http/message_head.hpp"
#include "http/threads.hpp"
#include "telemetry/metrics.hpp"
#include "tracing/exporter.hpp"

#include <array>
#include <list>
#include <string>
#include <vector>

namespace recruiting::gateway {

struct session;

/// Counts one route's requests.
struct request_metrics {
    request_metrics(metrics::registry& registry, std::string const& route_prefix);
    void count(unsigned status, std::chrono::nanoseconds duration) noexcept;

private:
    std::array<metrics::counter*, 6> by_class_{}; // [0]: no answer; [2]: 2xx …
    metrics::histogram& duration_;
};

/// Decisions of one limit.
struct rejection_counters {
    metrics::registry& registry;
    std::string_view limit;
    [[nodiscard]] metrics::counter& add(std::string_view decision) const {
        std::string labels = "policy=\"";
        labels.append(limit).append("\",decision=\"").append(decision).append("\"");
        return registry.add_counter("recruiting_gateway_rate_limit_decisions_total", "Rate limit decisions.",
                                    std::move(labels));
    }
    metrics::counter& rejected = add("rejected");
    metrics::counter& shadow_rejected = add("shadow_rejected");
    void count(decision const& over) const noexcept { (over.shadow ? shadow_rejected : rejected).add(); }
};
struct policy_counters : rejection_counters {
    metrics::counter& allowed = add("allowed");
    void count(decision const& made) const noexcept {
        if (made.over) rejection_counters::count(made);
        else allowed.add();
    }
};

struct limiter_metrics {
    metrics::registry& registry;
    std::array<policy_counters, rate_policy_count> by_policy{
        {{{registry, policy_names[0]}}, {{registry, policy_names[1]}}, {{registry, policy_names[2]}}}};
    rejection_counters total{registry, total_limit_name};
    metrics::gauge& enforced =
        registry.add_gauge("recruiting_gateway_rate_limit_enforced",
                           "1: requests over the rate limit are rejected; 0: shadow mode, or no rate limit.");
};

inline constexpr std::array<char const*, service_count> service_names = {"auth-api", "public-api"};

/// The process's metrics. Those of TLS stay at 0 in a gateway without it.
struct gateway_metrics {
    gateway_metrics(metrics::registry& in, gateway_settings const& settings);
    void count_handshake(tls_session const& done) noexcept;

    metrics::registry& registry;
    std::vector<request_metrics> requests;                            // by route; the last: no route
    std::array<std::array<metrics::counter*, 2>, 2> tls_handshakes{}; // by version, by resumption
    limiter_metrics rate_limit{registry};
    std::array<upstream_metrics, service_count> upstreams{
        {{registry, "upstream=\"auth-api\""}, {registry, "upstream=\"public-api\""}}};
    metrics::counter& exposed_keys =
        registry.add_counter("recruiting_gateway_exposed_keys_total",
                             "Requests to the public API or a page that were rejected because of an API key.");
    metrics::gauge& connections = registry.add_gauge("recruiting_gateway_connections", "Open client connections.");
    metrics::counter& rejected_connections =
        registry.add_counter("recruiting_gateway_connections_rejected_total",
                             "Connections that were closed at once: too many in total or of one client.");
    metrics::counter& evicted_connections = registry.add_counter(
        "recruiting_gateway_connections_evicted_total",
        "Connections that were closed to make room for others: idle ones, and those whose client kept "
        "the gateway waiting for a request or the end of a response.");
    metrics::counter& failed_tls_handshakes = registry.add_counter(
        "recruiting_gateway_tls_handshakes_failed_total", "TLS handshakes that were rejected, aborted or timed out.");
    metrics::counter& failed_tls_reloads = registry.add_counter(
        "recruiting_gateway_tls_reloads_failed_total", "Reloads of TLS files that failed; the old files stay in use.");
};

/// Lines of the access log per client and minute for requests that the gateway refuses: one per second shows what a
/// client does, and a flood fills no disk.
inline constexpr std::int64_t most_refusal_lines = 60;

/// Request bodies of one client that are passed on as they come: each holds a permit of its service for as long as its
/// client likes, so no client gets more than a sixteenth of the 1024 that a thread has by default.
inline constexpr std::int64_t client_uploads = 64;

/// The process's parts that threads share.
struct shared_parts {
    /// Throws std::runtime_error when a file of TLS can't be used.
    explicit shared_parts(gateway_settings s);
    shared_parts(shared_parts const&) = delete;
    shared_parts& operator=(shared_parts const&) = delete;
    /// SIGHUP: the files of TLS are read again. Any thread.
    void reload();

    gateway_settings settings;
    std::string const hsts_line{settings.listeners.hsts_line()};
    metrics::registry registry;
    gateway_metrics counters{registry, settings};
    tracing::exporter spans{settings.trace, "recruiting-gateway", registry};
    tracing::tracer tracer{settings.trace.share, spans.sink()};
    rate_limit::shared_parts rate_limits{settings.limits.options(), registry};
    client_counts connections{settings.client_connections_limit, settings.limits.ipv6_bits}; // open
    client_counts uploads{client_uploads, settings.limits.ipv6_bits};                        // in progress
    total_counts totals{settings.limits.total_limit(), settings.limits.ipv6_bits};
    client_counts refusal_lines{most_refusal_lines, settings.limits.ipv6_bits}; // of the log, per minute
    std::array<upstream_directory, service_count> directories{upstream_directory(settings.upstreams[0]),
                                                              upstream_directory(settings.upstreams[1])};
    std::atomic_flag monitored;             // the directories, by the first worker
    std::optional<tls_server> tls;          // none: no listener speaks it
    std::optional<tls_client> upstream_tls; // none: connections to services are not encrypted
    [[nodiscard]] tls_client const* upstream_client() const noexcept { return upstream_tls ? &*upstream_tls : nullptr; }

private:
    void watch_files();
    void report_expiry();
    std::optional<file_watch> watch_; // last: its thread uses the rest
};

/// A worker's connections, by what their clients do. Each list begins with the connection that is in it longest.
struct connection_lists {
    using list = std::list<session*>;
    list unfinished; // the client keeps the gateway waiting: for a handshake, a head, a body, or the response's end
    std::array<list, service_count> withheld; // unfinished, and the request holds a permit of this service meanwhile
    list busy;                                // with a request
    list idle;                                // between two requests
    [[nodiscard]] bool empty() const noexcept;
    /// The unfinished and the withheld.
    [[nodiscard]] std::size_t count_unfinished() const noexcept;
};

/// For the first request of a connection that was taken at the very end.
constexpr std::chrono::milliseconds first_request_limit{1000};

/// What a request needs memory for: a thread's connections share it, so that those that wait hold none.
struct request_storage {
    std::string head; // as received
    std::string out;  // a head being sent to one side
    std::vector<http::field> fields;
    std::vector<http::field> answer_fields;
};

struct worker {
    worker(asio::io_context& io, ticker& clock, shared_parts& process, time_source const& time_now);
    /// Before the ticker goes. Sessions still open keep the worker alive until their io_context ends.
    void stop() noexcept;
    /// May this address connect? Not when it has as many connections as it may, or was refused too often
    /// (total_counts).
    [[nodiscard]] bool may_connect(ip_address const& peer);
    /// Is the request one too many of all its client sent? Trusted proxies themselves are not counted.
    [[nodiscard]] std::optional<decision> count_in_total(ip_address const& client);

    shared_parts& shared;
    gateway_settings const& settings;
    gateway_metrics& counters;
    tracing::tracer const& tracer;
    asio::io_context& context;
    time_source const& time;
    stream_watch watch;
    rate_limit::limiter rate_limiter;
    std::array<upstream, service_count> upstreams;
    std::vector<std::shared_ptr<void>> monitors; // of one worker of the process
    connection_lists sessions;
    std::vector<request_storage> spare; // of connections that wait
    bool draining{false};               // every answer ends its connection
    bool closing{false};                // and nothing new is taken
};

/// A connection within the limits gets a session; any other is closed.
void begin_session(std::shared_ptr<worker> const& of, listener_kind const& kind, stream_socket connected,
                   socket_address const& remote);
/// While requests wait for a service's permits, closes the connections whose clients withhold theirs longest.
void free_permits(worker& of, coarse_clock::time_point now) noexcept;

/// What one thread of the gateway runs: its listening sockets, worker and sessions; the first thread also answers the
/// admin port. Throws std::runtime_error when an address can't be listened on.
[[nodiscard]] std::unique_ptr<http::thread_part> make_gateway_thread(asio::io_context& context, ticker& clock,
                                                                     shared_parts& shared, time_source const& time,
                                                                     bool with_admin);

} // namespace recruiting::gateway
