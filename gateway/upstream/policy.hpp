// How requests are spread over a service's addresses, and the metrics of it.
#pragma once
#include "core/settings.hpp"
#include "crypto/tls_client.hpp"
#include "gateway/upstream/choice.hpp"
#include "gateway/upstream/directory.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

namespace recruiting::gateway {

struct upstream_metrics {
    upstream_metrics(metrics::registry& in, std::string const& service);
    std::string const label;
    metrics::counter& connects;
    metrics::counter& connect_failures;
    metrics::counter& requests_lost;
    metrics::counter& retries;
    metrics::counter& ejections;
    metrics::counter& rejected_down; // answered 503 because …
    metrics::counter& rejected_full;
    metrics::counter& rejected_late;
    metrics::gauge& in_flight;
    metrics::gauge& waiting;
};

/// What the health checks found. Labels come from the settings only: they do not grow with a name's addresses.
void declare_address_metrics(metrics::registry& registry, std::string const& service, upstream_directory const& of);

struct upstream_policy {
    std::int64_t tries{3};
    std::chrono::milliseconds connect_timeout{2'000};
    std::chrono::milliseconds idle_timeout{30'000};
    std::int64_t pool{512};      // an address and thread
    std::int64_t requests{1024}; // a service and thread
    std::int64_t waiting{1024};
    std::chrono::milliseconds waiting_timeout{5'000};
    std::string health_path{"/readyz"};
    std::chrono::milliseconds health_interval{500};
    std::chrono::milliseconds health_timeout{1'000};
    std::chrono::milliseconds resolve_interval{10'000};
    ejection_policy ejection;
};

void declare_upstream_policy(settings_reader& reader, upstream_policy& out);

struct upstream_tls_settings {
    bool on{false};
    tls_client_settings client;
};

/// services: what is connected to; each must have a name that its certificate can be held against.
void declare_upstream_tls(settings_reader& reader, upstream_tls_settings& out,
                          std::span<service_addresses const> services);

} // namespace recruiting::gateway
