// What is recorded of pipelines: metrics and spans.
#include "pg/pipeline.hpp"

namespace recruiting::pg {
namespace {

std::string label(std::string const& pool) { return "pool=\"" + pool + "\""; }

task<std::vector<rows>> run_recorded(pipeline& on, std::vector<statement> segment, traced how) {
    auto span = segment_span(how, segment.size());
    try {
        auto results = co_await on.run(std::move(segment));
        co_return results;
    } catch (query_error const& error) {
        note_failure(span, error);
        throw;
    } catch (std::exception const&) {
        span.fail("connection_lost");
        throw;
    }
}

} // namespace

pipeline_metrics::pipeline_metrics(metrics::registry& registry, std::string const& pool)
    : expected(registry.add_gauge("recruiting_postgres_connections_expected",
                                  "Connections to PostgreSQL that should be up.", label(pool))),
      connections(registry.add_gauge("recruiting_postgres_connections", "Connections to PostgreSQL.", label(pool))),
      in_flight(registry.add_gauge("recruiting_postgres_pipelines_in_flight",
                                   "Pipelined transactions (segments) waiting for a reply.", label(pool))),
      lost(registry.add_counter("recruiting_postgres_connections_lost_total",
                                "Connections that PostgreSQL closed, or that did not reply in time.", label(pool))),
      connect_failures(registry.add_counter("recruiting_postgres_connect_failures_total",
                                            "Connection attempts to PostgreSQL that failed.", label(pool))),
      failed(registry.add_counter("recruiting_postgres_pipelines_failed_total", "Pipelined transactions that failed.",
                                  label(pool))),
      rejected(registry.add_counter("recruiting_postgres_pipelines_rejected_total",
                                    "Pipelined transactions not sent because too many were waiting.", label(pool))),
      seconds(registry.add_histogram("recruiting_postgres_pipeline_duration_seconds",
                                     "Time from sending a pipelined transaction to its reply.", label(pool))) {}

task<std::vector<rows>> run(pipeline& on, std::vector<statement> segment, traced how) {
    if (!how.under.records()) return on.run(std::move(segment)); // no coroutine more than without tracing
    return run_recorded(on, std::move(segment), how);
}

tracing::span segment_span(traced how, std::size_t statements) {
    tracing::span made(how.under, tracing::span_kind::client, how.operation);
    made.set("db.system.name", "postgresql").set("db.query.summary", how.operation);
    if (statements > 1) made.set("db.operation.batch.size", statements);
    return made;
}

void note_failure(tracing::span& of, query_error const& why) {
    of.set("db.response.status_code", why.sqlstate()).fail(why.sqlstate());
}

} // namespace recruiting::pg
