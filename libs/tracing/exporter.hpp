// Sends ended spans to an OpenTelemetry collector by OTLP/HTTP: a bounded queue, and a thread of its own that empties
// it. Whatever the collector does, no request waits for it: what does not fit into the queue is dropped and counted.
#pragma once
#include "core/settings.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recruiting::tracing {

/// What can be set of tracing, under the same names in every program.
struct trace_settings {
    std::string endpoint;                                        // "http://127.0.0.1:4318"; empty: nothing is exported
    double share{0.1};                                           // of new traces
    std::vector<std::pair<std::string, std::string>> attributes; // of the resource
    std::vector<std::string> headers;                            // "Name: value", secret
    std::string ca_file;                                         // PEM; empty: the system's

    // No settings.
    std::int64_t queue{8'192};                      // spans: four seconds of 1,000 requests a second, some 4 MiB
    std::int64_t batch{512};                        // a request of some 200 KiB, which every collector takes
    std::chrono::milliseconds interval{2'000};      // traces are looked at later than that
    std::chrono::milliseconds timeout{10'000};      // as the OpenTelemetry specification has it
    std::chrono::milliseconds flush_timeout{2'000}; // the last spans are worth no slower restart
};

void declare(settings_reader& reader, trace_settings& target);

/// "key=value,key=value", values percent-encoded as in OTEL_RESOURCE_ATTRIBUTES; nullopt: not of that form.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, std::string>>>
parse_trace_attributes(std::string_view text);
/// "Name: value" lines; empty ones and those that begin with # are left out. nullopt: another line is there.
[[nodiscard]] std::optional<std::vector<std::string>> parse_trace_headers(std::string_view file);

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
