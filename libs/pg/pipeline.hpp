// One PostgreSQL connection in pipeline mode, shared by every request of a thread. A segment (statements and a Sync) is
// one implicit transaction: statements of one segment see each other's transaction-local settings, and an error in one
// segment touches no other. Few connections, many segments in flight: measured at half the CPU of a pool.
// Reconnects for ever by itself; while it is unavailable, run() throws connection_lost at once. A heartbeat notices a
// server that has fallen silent, also while nothing is asked of it, and one that has been replaced
// (servers.hpp).
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "pg/error.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::pg {

class known_servers;
class schema_gate;

/// What is counted of pipelines, together for those of one purpose ("pool") in a process' threads.
struct pipeline_metrics {
    pipeline_metrics(metrics::registry& registry, std::string const& pool);

    metrics::gauge& expected;
    metrics::gauge& connections;
    metrics::gauge& in_flight;
    metrics::counter& lost;
    metrics::counter& connect_failures;
    metrics::counter& failed;
    metrics::counter& rejected;
    metrics::histogram& seconds;
};

struct pipeline_settings {
    std::string url; // libpq's; several hosts and target_session_attrs are followed
    std::string application_name;
    std::string options; // of each session, set before anything else is sent: "-c statement_timeout=4000"
    // Without the answer that is due next for this long, the connection is given up. Longer than statement_timeout,
    // which ends one statement and leaves the connection to the others.
    std::chrono::milliseconds segment_timeout{5'000};
    std::chrono::milliseconds connect_timeout{2'000}; // of one host; connect_timeout in the url replaces it
    std::size_t most_in_flight{1024};                 // more waiting segments than that: refused as an outage
    std::optional<pipeline_metrics> counts{};         // none: nothing is counted
    std::shared_ptr<schema_gate> schema{};    // none: any will do; else what it refuses is as if it were unavailable
    std::shared_ptr<known_servers> servers{}; // shared by the connections with this url; none: of this one alone
};

class pipeline {
public:
    pipeline(asio::io_context& context, ticker& clock, pipeline_settings settings);
    ~pipeline();
    pipeline(pipeline const&) = delete;
    pipeline& operator=(pipeline const&) = delete;

    /// Runs the statements as one transaction and returns their rows in order. Throws connection_lost when the
    /// connection went away before the answer (a segment that changes something may or may not have happened), and
    /// query_error when a statement failed (nothing of the segment happened).
    [[nodiscard]] task<std::vector<rows>> run(std::vector<statement> segment);

    [[nodiscard]] bool ready() const noexcept;
    /// Why it is not ready, in words; empty when it is.
    [[nodiscard]] std::string fault() const;
    /// Called for every NOTIFY; set before the first run. on_connect runs at each (re)connect.
    void listen(std::string const& channel, std::function<void(std::string_view payload)> on_notify,
                std::function<void()> on_connect);
    /// Gives the connection up; what is in flight fails. Does not reconnect.
    void stop();

private:
    struct state;
    std::shared_ptr<state> state_;
};

// Segments as spans, by OpenTelemetry's semantic conventions for databases: what they are for, how many statements, how
// they failed. Never a statement's text or values.
struct traced {
    tracing::parent under;
    std::string_view operation; // what for, of few values: "authenticate and read"
};

/// pipeline::run, recorded if what it is part of is.
[[nodiscard]] task<std::vector<rows>> run(pipeline& on, std::vector<statement> segment, traced how);

/// For callers that wait for a segment that others share.
[[nodiscard]] tracing::span segment_span(traced how, std::size_t statements);
void note_failure(tracing::span& of, query_error const& why);

} // namespace recruiting::pg
