// The periodic tasks of auth-api that share nothing with requests. Each stops when its owner is destroyed; any number
// of instances may run them at once. The connection given to a task outlives its owner.
#pragma once
#include "async/periodic_task.hpp"
#include "auth_api/background/settings.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace recruiting::auth_api {

struct audit_partitions_settings {
    std::chrono::milliseconds retention{std::chrono::hours{400 * 24}}; // at least 30 days: PostgreSQL refuses less
    std::chrono::milliseconds interval{std::chrono::hours{1}};
    std::chrono::milliseconds making{std::chrono::seconds{15}}; // nothing is written while partitions are missing
    bool daily{false};
};

/// Keeps the audit log's partitions, monthly or daily: makes those of the time ahead, again and again because
/// PostgreSQL's clock may jump, and drops those past retention every hour. PostgreSQL does the work (functions of its
/// own rights).
/// The connection's segment timeout bounds how long dropping a partition may take.
[[nodiscard]] task_owner keep_audit_partitions(asio::io_context& context, pg::pipeline& connection,
                                               audit_partitions_settings settings);

struct sealer_settings {
    std::chrono::milliseconds interval{1'000}; // after a round that was not full
    std::int64_t batch{1'000};                 // rows per round, at least: some 20 ms of PostgreSQL
};

/// The wait after a round that sealed so many rows. Full rounds are spread over the time, so that requests get the
/// processors in between: PostgreSQL seals for a quarter of it while the oldest row has just come, and for more the
/// longer that row waits. Once it has waited for an interval, rounds follow each other at once.
[[nodiscard]] std::chrono::milliseconds pause_after_sealing(sealer_settings const& settings, std::int64_t rows,
                                                            std::chrono::milliseconds took,
                                                            std::chrono::milliseconds oldest_waits);

/// Moves new audit rows into the log, where they get their sequence and are chained (proto-docs/audit.md). PostgreSQL
/// lets one instance at a time do it. Killed at any instant it leaves right chains: a round is one statement. Before it
/// seals it writes the rows of counted requests.
[[nodiscard]] task_owner start_sealer(asio::io_context& context, pg::pipeline& connection, sealer_settings settings,
                                      metrics::registry& metrics, tracing::tracer const* tracer = nullptr);

/// Below recruiting.retention_floors PostgreSQL refuses to delete agent sessions, and keeps mails.
struct retention_settings {
    std::chrono::milliseconds agent_sessions;     // since their last run
    std::chrono::milliseconds unmatched_requests; // since they were last received
    std::chrono::milliseconds mails;              // since they were sent or dead-lettered
};

struct expired_records {
    std::string_view kind;   // as the log names it
    std::string_view worker; // whose rows row-level security shows; "": a function of its own rights deletes
    std::int64_t batch;
    std::string_view sql;                                 // $1: the batch, $2: this program's time, $3: retention
    std::optional<std::chrono::milliseconds> retention{}; // none: the record itself says when it expires
};

[[nodiscard]] std::vector<expired_records> expired_records_of(retention_settings const& settings);
[[nodiscard]] pg::statement delete_batch(expired_records const& of);

/// Deletes what is past its retention or its expiry, in batches, at start and every hour: one table of statements.
[[nodiscard]] task_owner start_retention(asio::io_context& context, pg::pipeline& connection,
                                         retention_settings const& settings);

namespace booking {

/// Takes up booking requests and books (proto-docs/booking.md). Rounds at a fixed pace, so that nothing about a request
/// shows in when it is taken up. An instance that dies loses nothing: its leases run out.
[[nodiscard]] task_owner start_worker(asio::io_context& context, pg::pipeline& connection, booking_settings settings,
                                      metrics::registry& metrics, tracing::tracer const* tracer = nullptr);

} // namespace booking

namespace sign_in {

/// Turns requests for sign-in links into mails, for every member and invited person (proto-docs/console.md).
[[nodiscard]] task_owner start_worker(asio::io_context& context, pg::pipeline& connection,
                                      std::chrono::milliseconds interval, metrics::registry& metrics);

} // namespace sign_in

namespace webhooks {

/// Tells receivers what has changed: compares, and sends (proto-docs/webhooks.md).
class workers {
public:
    workers(asio::io_context& context, pg::pipeline& connection, webhook_settings settings, metrics::registry& metrics);
    /// Drops the attempts in progress: their messages are sent again once their leases have run out.
    ~workers();
    workers(workers const&) = delete;
    workers& operator=(workers const&) = delete;
    void stop();

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace webhooks
} // namespace recruiting::auth_api
