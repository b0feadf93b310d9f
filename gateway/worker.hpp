// What one thread's sessions share: nothing in it is used by another thread, save counters.
#pragma once
#include "gateway/access_log.hpp"
#include "gateway/ceiling.hpp"
#include "gateway/settings.hpp"
#include "gateway/stream.hpp"
#include "gateway/upstream.hpp"
#include "telemetry/metrics.hpp"

#include <array>
#include <list>

namespace recruiting::gateway {

struct request_metrics {
    request_metrics(metrics::registry& registry, std::string const& route_prefix);
    std::array<metrics::counter*, 6> by_class{}; // [0]: no answer; [2]: 2xx …
    metrics::histogram& duration;
};

/// The process's metrics.
struct gateway_metrics {
    gateway_metrics(metrics::registry& registry, route_table const& routes);
    ceiling_metrics ceiling;
    std::array<upstream_metrics, route_count> upstreams;
    std::array<request_metrics, route_count + 1> requests; // by route; the last: no route
    metrics::gauge& connections;
    metrics::gauge& redis_up; // threads connected to Redis
};

class session;

struct worker {
    worker(asio::io_context& io, ticker& clock, gateway_settings const& s, gateway_metrics& m, count_table& table,
           time_source const& time);
    /// Before the ticker goes. Sessions still open keep the worker alive until their io_context ends.
    void stop() noexcept;

    gateway_settings const& settings;
    head_limits const heads;
    gateway_metrics& counters;
    asio::io_context& context;
    stream_watch watch;
    redis::connection redis;
    ceiling limiter;
    std::array<upstream, route_count> upstreams;
    access_log log;
    std::list<session*> sessions;
    bool draining{false};
};

} // namespace recruiting::gateway
