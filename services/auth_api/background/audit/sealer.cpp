#include "auth_api/background/audit/sealer.hpp"

#include "audit/event_store.hpp"
#include "audit/seal_store.hpp"
#include "auth_api/background/pause.hpp"
#include "core/log.hpp"
#include "pg/error.hpp"
#include "pg/traced.hpp"

#include <algorithm>

namespace recruiting::auth_api {

struct sealer::state : std::enable_shared_from_this<sealer::state> {
    state(asio::io_context& context, pg::pipeline& c, sealer_settings s, metrics::registry& metrics,
          tracing::tracer const* t)
        : connection(c), settings(s), tracer(t), waiting(context),
          sealed(metrics.add_counter("recruiting_audit_rows_sealed_total", "Audit rows sealed by this process.")),
          failed(metrics.add_counter("recruiting_audit_sealer_failures_total", "Rounds of the sealer that failed.")),
          elected(metrics.add_gauge("recruiting_audit_sealer_elected", "1 in the process that seals.")),
          lag(metrics.add_gauge("recruiting_audit_unsealed_age_seconds",
                                "Age of the oldest row not sealed yet; no value while it can't be looked at.")),
          own_horizon(metrics.add_gauge("recruiting_postgres_own_transactions_only",
                                        "1: sealing and syncs wait for transactions of this database only; 0: of every "
                                        "database of the server.")),
          known_line(
              metrics.add_gauge("recruiting_postgres_server_line_known",
                                "1: PostgreSQL says which server it is, and its timeline; 0: a second primary and "
                                "a failover go unnoticed.")) {
        lag.forget();
        own_horizon.forget();
        known_line.forget();
    }

    task<void> work();
    task<bool> round();
    task<std::vector<pg::rows>> run(std::vector<pg::statement> segment, pg::traced how = {});
    task<void> restart();
    task<void> write_counts();
    task<bool> seal_next(audit::seal_position from);
    void observe(audit::sealer_state const& now);

    pg::pipeline& connection;
    sealer_settings settings;
    tracing::tracer const* tracer;
    pause waiting;
    metrics::counter& sealed;
    metrics::counter& failed;
    metrics::gauge& elected;
    metrics::gauge& lag;
    metrics::gauge& own_horizon;
    metrics::gauge& known_line;
};

task<void> sealer::state::work() {
    auto const self = shared_from_this();
    while (!waiting.stopped()) {
        bool more = false;
        try {
            more = co_await round();
        } catch (std::exception const& error) {
            if (waiting.stopped()) break;
            elected.set(0);
            lag.forget();
            own_horizon.forget();
            known_line.forget();
            // While PostgreSQL is away the connection itself says so.
            if (connection.ready()) {
                failed.add();
                log::write(pg::severity(error), "audit_sealer_failed", {{"message", error.what()}});
            }
        }
        if (!more) co_await waiting.wait(settings.interval);
    }
}

// Once stopped, connection and metrics may be gone: nothing goes on after the answer then.
task<std::vector<pg::rows>> sealer::state::run(std::vector<pg::statement> segment, pg::traced how) {
    auto answer = co_await pg::run(connection, std::move(segment), how);
    if (waiting.stopped()) throw outage("stopped");
    co_return answer;
}

// True: there may be more rows to seal right away.
task<bool> sealer::state::round() {
    std::vector<pg::statement> segment;
    segment.push_back(audit::as_sealer());
    segment.push_back(audit::elect_sealer());
    auto const answer = co_await run(std::move(segment));
    auto const now = audit::read_sealer_state(answer.at(1));
    observe(now);
    if (!now.elected) co_return false;
    if (now.restored) {
        co_await restart();
        co_return true;
    }
    co_await write_counts();
    if (!now.oldest_unsealed) co_return false;
    bool const full = co_await seal_next(now.position);
    co_return full;
}

task<void> sealer::state::restart() {
    std::vector<pg::statement> segment;
    segment.push_back(audit::as_sealer());
    segment.push_back(audit::restart_sealer());
    auto const restarted = co_await run(std::move(segment));
    if (restarted.at(1).is_null(0, 0)) co_return;
    log::warning("audit_sealer_restarted",
                 {{"message", "the database was restored from a dump: reading from the beginning"},
                  {"rows", restarted.at(1).integer(0, 0)}});
}

// The one process that seals also writes the rows that counted requests become: of an older version, which would not
// seal their counts, none is elected meanwhile.
task<void> sealer::state::write_counts() {
    std::vector<pg::statement> segment;
    segment.push_back(audit::write_refused_counts());
    auto const written = co_await run(std::move(segment));
    auto const rows = written.at(0).integer(0, 0);
    if (rows > 0) log::info("audit_refusals_counted", {{"rows", rows}});
}

task<bool> sealer::state::seal_next(audit::seal_position from) {
    auto span = tracing::root_span(tracer, tracing::span_kind::internal, "seal audit rows");
    pg::traced const how_read{span.or_parent({}), "read unsealed rows"};
    std::vector<pg::statement> reading;
    reading.push_back(audit::as_sealer());
    reading.push_back(audit::select_unsealed(from, settings.batch));
    auto const answer = co_await run(std::move(reading), how_read);
    auto const batch = audit::seal_unsealed(answer.at(1));
    span.set("recruiting.rows", batch.rows);
    if (batch.rows == 0) co_return false; // their transactions, or older ones, are still running

    std::vector<pg::statement> writing;
    writing.push_back(audit::as_sealer());
    writing.push_back(audit::write_seals(batch.sealed, from, batch.last));
    pg::traced const how_written{span.or_parent({}), "write seals"};
    auto const written = co_await run(std::move(writing), how_written);
    if (!written.at(1).boolean(0, 0)) { // another sealer was quicker, or a head was changed by hand meanwhile
        log::warning("audit_sealer_outrun", {{"rows", batch.rows}});
        co_return false;
    }
    sealed.add(batch.sealed.seals().size());
    co_return batch.rows >= settings.batch;
}

void sealer::state::observe(audit::sealer_state const& now) {
    elected.set(now.elected ? 1 : 0);
    own_horizon.set(now.sees_transactions ? 1 : 0);
    known_line.set(now.knows_line ? 1 : 0);
    using std::chrono::seconds;
    auto const age = now.oldest_unsealed ? system_time().now() - *now.oldest_unsealed : timestamp::duration{0};
    lag.set(std::max<std::int64_t>(0, std::chrono::duration_cast<seconds>(age).count()));
}

sealer::sealer(asio::io_context& context, pg::pipeline& connection, sealer_settings settings,
               metrics::registry& metrics, tracing::tracer const* tracer)
    : state_(std::make_shared<state>(context, connection, settings, metrics, tracer)) {
    spawn(context, state_->work());
}

sealer::~sealer() { stop(); }

void sealer::stop() { state_->waiting.stop(); }

} // namespace recruiting::auth_api
