// Sends ended spans to an OpenTelemetry collector by OTLP/HTTP: a bounded queue, and a thread of its own that empties
// it. Whatever the collector does, no request waits for it: what does not fit into the queue is dropped and counted.
#pragma once
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"
#include "tracing/trace_settings.hpp"

#include <memory>

namespace recruiting::tracing {

class exporter {
public:
    /// service: "recruiting-gateway". Without an endpoint there is no thread and no sink; the counters are there all
    /// the same.
    exporter(trace_settings const& settings, std::string service, metrics::registry& registry);
    /// Sends what waits, for settings.flush_timeout at most. No span may end after it.
    ~exporter();
    exporter(exporter const&) = delete;
    exporter& operator=(exporter const&) = delete;

    /// nullptr: nothing is exported.
    [[nodiscard]] span_sink* sink() noexcept;

private:
    class state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::tracing
