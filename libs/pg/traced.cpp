#include "pg/traced.hpp"

namespace recruiting::pg {
namespace {

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
