// What is told of one service at /metrics. Labels come from the settings only: they do not grow with a name's
// addresses.
#pragma once
#include "telemetry/metrics.hpp"

#include <string>

namespace recruiting::gateway {

struct upstream_metrics {
    upstream_metrics(metrics::registry& registry, std::string const& service);
    metrics::counter& connects;
    metrics::counter& connect_failures;
    metrics::counter& losses;
    metrics::counter& retries;
    metrics::counter& ejections;
    metrics::counter& refused_down; // answered 503 because …
    metrics::counter& refused_full;
    metrics::counter& refused_late;
    metrics::gauge& under_way;
    metrics::gauge& waiting;
    metrics::gauge& up; // as the health checks have it: 0 when no address answers them
};

/// Of one configured address, which may be a name with several addresses.
struct address_metrics {
    address_metrics(metrics::registry& registry, std::string const& service, std::string const& address);
    metrics::gauge& known;
    metrics::gauge& ready;
    metrics::gauge& answering; // ready or not
};

} // namespace recruiting::gateway
