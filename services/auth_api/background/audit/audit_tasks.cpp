#include "auth_api/background/tasks.hpp"

#include "audit/event_store.hpp"
#include "audit/seal_store.hpp"
#include "core/log.hpp"
#include "pg/periodic_task.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

// Dropping a partition locks the whole audit log, and the audit row of every request then waits behind whatever waits
// for that lock: so this gives up soon and tries again later. The search for unsealed rows in a partition may take
// longer than a request's statement may.
constexpr auto partition_limits_sql =
    "SELECT set_config('lock_timeout', '500ms', true), set_config('statement_timeout', '60s', true)";
constexpr auto make_partitions_sql = "SELECT recruiting.make_audit_partitions($1::boolean)";
constexpr auto drop_partitions_sql = "SELECT recruiting.drop_audit_partitions(make_interval(secs => $1::bigint))";
struct drop_partitions_columns {
    enum : int { dropped };
};

class partitions_task final : public pg::periodic_task {
public:
    partitions_task(asio::io_context& context, pg::pipeline& connection, audit_partitions_settings settings)
        : pg::periodic_task(context, connection), settings_(settings) {}

private:
    task<std::chrono::milliseconds> round() override;
    std::chrono::milliseconds failed(std::exception const& error) override;

    audit_partitions_settings settings_;
};

// Two transactions: partitions ahead must be made even while an old one can't be dropped.
task<std::chrono::milliseconds> partitions_task::round() {
    std::vector<pg::statement> making = {{partition_limits_sql, {}},
                                         {make_partitions_sql, pg::params().boolean(settings_.daily)}};
    auto const made = co_await run(std::move(making));
    static_cast<void>(made);
    auto const oldest = std::chrono::duration_cast<std::chrono::seconds>(settings_.retention);
    std::vector<pg::statement> dropping = {{partition_limits_sql, {}},
                                           {drop_partitions_sql, pg::params().integer(oldest.count())}};
    auto const answer = co_await run(std::move(dropping));
    auto const count = answer.back().integer(0, drop_partitions_columns::dropped);
    if (count > 0) log::info("audit_partitions_dropped", {{"partitions", count}});
    co_return settings_.interval;
}

std::chrono::milliseconds partitions_task::failed(std::exception const& error) {
    if (!connection().ready()) return std::min(settings_.retry, std::chrono::milliseconds{1'000});
    log::warning("audit_partitions_failed", {{"message", error.what()}});
    return settings_.retry;
}

struct sealer_task final : pg::periodic_task {
    sealer_task(asio::io_context& context, pg::pipeline& c, sealer_settings s, metrics::registry& metrics,
                tracing::tracer const* t)
        : pg::periodic_task(context, c), settings(s), tracer(t),
          sealed(metrics.add_counter("recruiting_audit_rows_sealed_total", "Audit rows sealed by this process.")),
          failures(metrics.add_counter("recruiting_audit_sealer_failures_total", "Rounds of the sealer that failed.")),
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
        forget_gauges();
    }

    task<std::chrono::milliseconds> round() override;
    std::chrono::milliseconds failed(std::exception const& error) override;
    void forget_gauges();
    task<void> restart();
    task<void> write_counts();
    task<bool> seal_next(audit::seal_position from);
    void observe(audit::sealer_state const& now);

    sealer_settings settings;
    tracing::tracer const* tracer;
    metrics::counter& sealed;
    metrics::counter& failures;
    metrics::gauge& elected;
    metrics::gauge& lag;
    metrics::gauge& own_horizon;
    metrics::gauge& known_line;
};

void sealer_task::forget_gauges() {
    lag.forget();
    own_horizon.forget();
    known_line.forget();
}

std::chrono::milliseconds sealer_task::failed(std::exception const& error) {
    elected.set(0);
    forget_gauges();
    if (!connection().ready()) return settings.interval; // the connection itself logs that PostgreSQL is unavailable
    failures.add();
    log::write(pg::severity(error), "audit_sealer_failed", {{"message", error.what()}});
    return settings.interval;
}

// A full batch is followed by the next at once.
task<std::chrono::milliseconds> sealer_task::round() {
    std::chrono::milliseconds const at_once{0};
    std::vector<pg::statement> segment = {audit::as_sealer(), audit::elect_sealer()};
    auto const answer = co_await run(std::move(segment));
    auto const now = audit::read_sealer_state(answer.at(1));
    observe(now);
    if (!now.elected) co_return settings.interval;
    if (now.restored) {
        co_await restart();
        co_return at_once;
    }
    co_await write_counts();
    if (!now.oldest_unsealed) co_return settings.interval;
    bool const full = co_await seal_next(now.position);
    co_return full ? at_once : settings.interval;
}

task<void> sealer_task::restart() {
    std::vector<pg::statement> segment = {audit::as_sealer(), audit::restart_sealer()};
    auto const answer = co_await run(std::move(segment));
    auto const rows = audit::read_restarted(answer.at(1));
    if (!rows) co_return;
    log::warning("audit_sealer_restarted",
                 {{"message", "the database was restored from a dump: reading from the beginning"}, {"rows", *rows}});
}

// The one process that seals also writes the rows that counted requests become: of an older version, which would not
// seal their counts, none is elected meanwhile.
task<void> sealer_task::write_counts() {
    std::vector<pg::statement> segment = {audit::write_refused_counts()};
    auto const written = co_await run(std::move(segment));
    auto const rows = audit::read_counts_written(written.at(0));
    if (rows > 0) log::info("audit_refusals_counted", {{"rows", rows}});
}

task<bool> sealer_task::seal_next(audit::seal_position from) {
    auto span = tracing::root_span(tracer, tracing::span_kind::internal, "seal audit rows");
    pg::traced const how_read{span.or_parent({}), "read unsealed rows"};
    std::vector<pg::statement> reading = {audit::as_sealer(), audit::select_unsealed(from, settings.batch)};
    auto const answer = co_await run(std::move(reading), how_read);
    auto const batch = audit::seal_unsealed(answer.at(1));
    span.set("recruiting.rows", batch.rows);
    if (batch.rows == 0) co_return false; // their transactions, or older ones, are still running

    std::vector<pg::statement> writing = {audit::as_sealer(), audit::write_seals(batch.sealed, from, batch.last)};
    pg::traced const how_written{span.or_parent({}), "write seals"};
    auto const written = co_await run(std::move(writing), how_written);
    if (!audit::read_seals_written(
            written.at(1))) { // another sealer was quicker, or a head was changed by hand meanwhile
        log::warning("audit_sealer_outrun", {{"rows", batch.rows}});
        co_return false;
    }
    sealed.add(batch.sealed.seals().size());
    co_return batch.rows >= settings.batch;
}

void sealer_task::observe(audit::sealer_state const& now) {
    elected.set(now.elected ? 1 : 0);
    own_horizon.set(now.sees_transactions ? 1 : 0);
    known_line.set(now.knows_line ? 1 : 0);
    using std::chrono::seconds;
    auto const age = now.oldest_unsealed ? system_time().now() - *now.oldest_unsealed : timestamp::duration{0};
    lag.set(std::max<std::int64_t>(0, std::chrono::duration_cast<seconds>(age).count()));
}

} // namespace

audit_partitions::audit_partitions(asio::io_context& context, pg::pipeline& connection,
                                   audit_partitions_settings settings)
    : task_owner(std::make_shared<partitions_task>(context, connection, settings)) {}

sealer::sealer(asio::io_context& context, pg::pipeline& connection, sealer_settings settings,
               metrics::registry& metrics, tracing::tracer const* tracer)
    : task_owner(std::make_shared<sealer_task>(context, connection, settings, metrics, tracer)) {}

} // namespace recruiting::auth_api
