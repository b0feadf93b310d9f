#include "auth_api/background/tasks.hpp"

#include "audit/event_store.hpp"
#include "auth_api/background/clocks.hpp"
#include "core/log.hpp"
#include "pg/periodic_task.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

// Dropping a partition locks the whole audit log, and a reader waits behind the waiter for that lock:
// so this gives up soon and tries again later. Keeping the ends of the chains may take longer than a request's
// statement may.
constexpr auto partition_limits_sql =
    "SELECT set_config('lock_timeout', '500ms', true), set_config('statement_timeout', '60s', true)";
constexpr auto make_partitions_sql = "SELECT recruiting.make_audit_partitions($1::boolean)";
constexpr auto drop_partitions_sql = "SELECT recruiting.drop_audit_partitions(make_interval(secs => $1::bigint)) "
                                     "WHERE " RECRUITING_CLOCKS_AGREE("$2");

constexpr std::chrono::minutes retry_interval{1}; // after a failure, such as a lock held by others

class partitions_task final : public pg::periodic_task {
public:
    partitions_task(asio::io_context& context, pg::pipeline& connection, audit_partitions_settings settings)
        : pg::periodic_task(context, connection, retry_interval, "audit_partitions_failed"), settings_(settings) {}

private:
    task<std::chrono::milliseconds> round() override;

    audit_partitions_settings settings_;
    coarse_clock::time_point next_drop_{coarse_clock::now()};
};

// Two transactions: partitions ahead must be made even while an old one can't be dropped.
task<std::chrono::milliseconds> partitions_task::round() {
    std::vector<pg::statement> making = {{partition_limits_sql, {}},
                                         {make_partitions_sql, pg::params().boolean(settings_.daily)}};
    auto const made = co_await run(std::move(making));
    static_cast<void>(made);
    if (coarse_clock::now() < next_drop_) co_return settings_.making;
    auto const oldest = std::chrono::duration_cast<std::chrono::seconds>(settings_.retention);
    std::vector<pg::statement> dropping = {
        {partition_limits_sql, {}},
        {drop_partitions_sql, pg::params().integer(oldest.count()).time(system_time().now())}};
    auto const answer = co_await run(std::move(dropping));
    next_drop_ = coarse_clock::now() + settings_.interval;
    if (answer.back().empty()) {
        log::warning("audit_retention_waits",
                     {{"message", "the clocks of PostgreSQL and of this program differ by more than an hour"}});
        co_return settings_.making;
    }
    auto const count = answer.back().integer(0, 0);
    if (count > 0) log::info("audit_partitions_dropped", {{"partitions", count}});
    co_return std::min(settings_.making, settings_.interval);
}

struct sealer_task final : pg::periodic_task {
    sealer_task(asio::io_context& context, pg::pipeline& c, sealer_settings s, metrics::registry& metrics,
                tracing::tracer const* t)
        : pg::periodic_task(context, c), settings(s), tracer(t),
          sealed(metrics.add_counter("recruiting_audit_rows_sealed_total", "Audit rows that this process sealed.")),
          failures(metrics.add_counter("recruiting_audit_sealer_failures_total", "Rounds of the sealer that failed.")),
          lag(metrics.add_gauge(
              "recruiting_audit_unsealed_age_seconds",
              "Age of the oldest row that is not sealed; no value while PostgreSQL cannot be queried.")),
          own_horizon(metrics.add_gauge("recruiting_postgres_own_transactions_only",
                                        "1: syncs wait for transactions of this database only; 0: of every database of "
                                        "the server.")),
          known_line(
              metrics.add_gauge("recruiting_postgres_server_line_known",
                                "1: PostgreSQL says which server it is, and its timeline; 0: a second primary and "
                                "a failover go unnoticed.")) {
        forget_gauges();
    }

    task<std::chrono::milliseconds> round() override;
    std::chrono::milliseconds failed(std::exception const& error) override;
    void forget_gauges();
    task<std::optional<std::int64_t>> seal();
    void observe(audit::intake_state const& now);

    sealer_settings settings;
    tracing::tracer const* tracer;
    metrics::counter& sealed;
    metrics::counter& failures;
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
    forget_gauges();
    if (!connection().ready()) return settings.interval; // the connection itself logs that PostgreSQL is unavailable
    failures.add();
    log::write(pg::severity(error), "audit_sealer_failed", {{"message", error.what()}});
    return settings.interval;
}

// Where others seal all the time, this has nothing to do.
task<std::chrono::milliseconds> sealer_task::round() {
    std::vector<pg::statement> segment = {audit::write_refused_counts(), audit::select_intake_state()};
    auto const answer = co_await run(std::move(segment));
    auto const counted = audit::read_counts_written(answer.at(0));
    if (counted > 0) log::info("audit_rejections_counted", {{"rows", counted}});
    auto const now = audit::read_intake_state(answer.at(1));
    observe(now);
    if (!now.oldest_waits) co_return settings.interval;
    auto const began = std::chrono::steady_clock::now();
    auto const rows = co_await seal();
    auto const took = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
    co_return pause_after_sealing(settings, rows.value_or(0), took, *now.oldest_waits);
}

task<std::optional<std::int64_t>> sealer_task::seal() {
    auto span = tracing::root_span(tracer, tracing::span_kind::internal, "seal audit rows");
    pg::traced const how{span.or_parent({}), "seal rows"};
    std::vector<pg::statement> segment = {audit::seal_rows(settings.batch)};
    auto const answer = co_await run(std::move(segment), how);
    auto const rows = audit::read_sealed(answer.at(0));
    span.set("recruiting.rows", rows.value_or(0));
    sealed.add(static_cast<std::uint64_t>(rows.value_or(0)));
    co_return rows;
}

void sealer_task::observe(audit::intake_state const& now) {
    own_horizon.set(now.sees_transactions ? 1 : 0);
    known_line.set(now.knows_line ? 1 : 0);
    auto const age = now.oldest_waits.value_or(std::chrono::milliseconds{0});
    lag.set(std::chrono::floor<std::chrono::seconds>(age).count());
}

} // namespace

std::chrono::milliseconds pause_after_sealing(sealer_settings const& settings, std::int64_t rows,
                                              std::chrono::milliseconds took, std::chrono::milliseconds oldest_waits) {
    if (rows < settings.batch) return settings.interval;
    constexpr int rest_per_work = 3; // a quarter of the time is work
    auto const patience = std::max(settings.interval - oldest_waits, std::chrono::milliseconds{0});
    return took * rest_per_work * patience.count() / settings.interval.count();
}

task_owner keep_audit_partitions(asio::io_context& context, pg::pipeline& connection,
                                 audit_partitions_settings settings) {
    return task_owner(std::make_shared<partitions_task>(context, connection, settings));
}

task_owner start_sealer(asio::io_context& context, pg::pipeline& connection, sealer_settings settings,
                        metrics::registry& metrics, tracing::tracer const* tracer) {
    return task_owner(std::make_shared<sealer_task>(context, connection, settings, metrics, tracer));
}

} // namespace recruiting::auth_api
