#include "auth_api/background/tasks.hpp"

#include "auth_api/background/clocks.hpp"
#include "core/log.hpp"
#include "core/time.hpp"
#include "pg/periodic_task.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::int64_t rows_at_once = 1'000;
constexpr std::int64_t sessions_at_once = 100;   // some thousand messages
constexpr std::int64_t candidates_at_once = 500; // with their applications, interviews and terms

// Rows are found by index, whatever the statistics say, and what is locked or slow is left for the next hour.
constexpr auto limits_sql =
    "SELECT set_config('lock_timeout', '500ms', true), set_config('statement_timeout', '60s', true), "
    "set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true), "
    "set_config('enable_bitmapscan', 'off', true), set_config('enable_hashjoin', 'off', true), "
    "set_config('enable_mergejoin', 'off', true)";

constexpr auto agent_sessions_sql =
    "SELECT recruiting.drop_agent_sessions($3::bigint * interval '1 millisecond', $1::bigint) "
    "WHERE " RECRUITING_CLOCKS_AGREE("$2");

// Organizations say how long their candidates are kept (proto-docs/secrets.md).
constexpr auto candidates_sql =
    "SELECT recruiting.delete_inactive_candidates($1::bigint) WHERE " RECRUITING_CLOCKS_AGREE("$2");

// A batch of a table's rows, oldest first: those whose column is past the bound.
#define RECRUITING_DELETE_PAST(table, key, column, bound)                                                              \
    "DELETE FROM recruiting." table " WHERE (" key ") IN (SELECT " key " FROM recruiting." table " WHERE " column      \
    " " bound " AND " RECRUITING_CLOCKS_AGREE("$2") " ORDER BY " column " LIMIT $1::bigint)"

constexpr auto unmatched_requests_sql = RECRUITING_DELETE_PAST("unmatched_booking_requests", "id", "last_received_at",
                                                               "< now() - $3::bigint * interval '1 millisecond'");
constexpr auto decline_links_sql =
    RECRUITING_DELETE_PAST("decline_tokens", "hash", "expires_at", "< clock_timestamp()");
constexpr auto mail_counts_sql = RECRUITING_DELETE_PAST("booking_mail_counts", "recipient, day", "day",
                                                        "< (clock_timestamp() AT TIME ZONE 'UTC')::date - 1");
constexpr auto console_sessions_sql = RECRUITING_DELETE_PAST("console_sessions", "id", "idle_expires_at", "<= now()");
constexpr auto sign_in_links_sql = RECRUITING_DELETE_PAST("sign_in_tokens", "hash", "expires_at", "<= now()");
constexpr auto sign_in_counts_sql =
    RECRUITING_DELETE_PAST("sign_in_counts", "subject, hour", "hour", "< now() - interval '2 hours'");
#undef RECRUITING_DELETE_PAST

constexpr auto mails_sql = R"sql(
DELETE FROM recruiting.mail_outbox WHERE id IN (
    SELECT id FROM recruiting.mail_outbox
     WHERE status <> 'waiting' AND finished_at < clock_timestamp() - $3::bigint * interval '1 millisecond'
       AND )sql" RECRUITING_CLOCKS_AGREE("$2") R"sql(
     ORDER BY finished_at LIMIT $1::bigint FOR UPDATE SKIP LOCKED)
)sql";

// All links of a booking end together, when the last of them does.
constexpr auto booking_links_sql = R"sql(
DELETE FROM recruiting.booking_tokens WHERE hash IN (
    SELECT t.hash FROM recruiting.booking_tokens t
     WHERE t.expires_at < clock_timestamp() AND )sql" RECRUITING_CLOCKS_AGREE("$2") R"sql(
       AND NOT EXISTS (SELECT FROM recruiting.booking_tokens o
                        WHERE o.booking_id = t.booking_id AND o.expires_at >= clock_timestamp())
     ORDER BY t.expires_at LIMIT $1::bigint)
)sql";

class retention_task final : public pg::periodic_task {
public:
    retention_task(asio::io_context& context, pg::pipeline& connection, retention_settings const& settings)
        : pg::periodic_task(context, connection, std::chrono::hours{1}, "retention_failed"),
          expired_(expired_records_of(settings)) {}

private:
    task<std::chrono::milliseconds> round() override;
    task<void> delete_expired(expired_records const& of);

    std::vector<expired_records> expired_;
};

task<std::chrono::milliseconds> retention_task::round() {
    for (auto const& one : expired_) co_await delete_expired(one);
    co_return interval();
}

// A statement that fails keeps no other from running.
task<void> retention_task::delete_expired(expired_records const& of) {
    std::int64_t total = 0;
    try {
        for (auto deleted = of.batch; deleted >= of.batch;) {
            std::vector<pg::statement> segment = {{limits_sql, {}}, pg::as_worker(of.worker), delete_batch(of)};
            auto const answer = co_await run(std::move(segment));
            bool const counted = of.worker.empty() && !answer.back().empty();
            deleted = counted ? answer.back().integer(0, 0) : answer.back().affected();
            total += deleted;
        }
    } catch (pg::query_error const& error) {
        log::write(pg::severity(error), "retention_failed",
                   {{"kind", of.kind}, {"sqlstate", error.sqlstate()}, {"constraint", error.constraint()}});
    }
    if (total > 0) log::info("expired_deleted", {{"kind", of.kind}, {"records", total}});
}

} // namespace

std::vector<expired_records> expired_records_of(retention_settings const& settings) {
    return {
        {"agent_session", "", sessions_at_once, agent_sessions_sql, settings.agent_sessions},
        {"candidate", "", candidates_at_once, candidates_sql},
        {"unmatched_request", "booking", rows_at_once, unmatched_requests_sql, settings.unmatched_requests},
        {"mail", "mailer", rows_at_once, mails_sql, settings.mails},
        {"booking_link", "mailer", rows_at_once, booking_links_sql},
        {"decline_link", "mailer", rows_at_once, decline_links_sql},
        {"mail_count", "mailer", rows_at_once, mail_counts_sql},
        {"console_session", "sign_in", rows_at_once, console_sessions_sql},
        {"sign_in_link", "sign_in", rows_at_once, sign_in_links_sql},
        {"sign_in_count", "sign_in", rows_at_once, sign_in_counts_sql},
    };
}

pg::statement delete_batch(expired_records const& of) {
    auto values = pg::params().integer(of.batch).time(system_time().now());
    if (of.retention) values.integer(of.retention->count());
    return {std::string(of.sql), std::move(values)};
}

task_owner start_retention(asio::io_context& context, pg::pipeline& connection, retention_settings const& settings) {
    return task_owner(std::make_shared<retention_task>(context, connection, settings));
}

} // namespace recruiting::auth_api
