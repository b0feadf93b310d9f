// A row of the audit log, and the statements that write many of them at a time into the intake, move them from there
// into the log, each with its sequence and its hash, and read sealed rows (proto-docs/audit.md).
#pragma once
#include "audit/seal.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace recruiting::audit {

/// One row of the audit log. It never holds prompts or candidates' data.
struct event {
    uuid id{new_record_id()};
    timestamp occurred_at{system_time().now()};
    uuid organization_id;
    std::optional<uuid> credential_id;
    std::string credential_name;       // empty texts are stored as NULL
    std::string actor_type{"api_key"}; // api_key, member, agent, system
    std::optional<uuid> actor_member_id;
    std::string actor_email;
    std::string actor_role;
    std::string action; // api.request, key.revoked, …
    std::string method;
    std::string endpoint; // the route's template
    std::string path;     // without the query string
    std::string target_type;
    std::string target_id;
    std::optional<std::int64_t> status_code;
    bool success{true};
    std::string error_code;
    std::string required_scope;
    std::string ip_address;
    std::string user_agent;
    std::string request_id;
    std::optional<uuid> session_id;
    std::optional<uuid> correlation_id;
    std::optional<std::int64_t> duration_ms;
    /// Not a column: of rows with a refused credential only some per minute and key are written, the rest counted.
    bool credential_refused{false};
};

/// Events travel in PostgreSQL's binary form, which names their type: its oid, which a restored database changes.
[[nodiscard]] pg::statement select_event_type();
[[nodiscard]] std::uint32_t read_event_type(pg::rows const& rows);

/// One row of the intake, whatever the number of events; seal_rows moves them into the log.
[[nodiscard]] pg::statement insert_events(std::span<event const> events, std::uint32_t event_type);

/// For events whose credential is refused. Over all instances, single_rows of them a minute and key become rows of
/// their own: the result's rows are their ids. The others are counted, as durably. counters: of each event, the zero id
/// or an instance's own once it knows that the minute of that key is full.
[[nodiscard]] pg::statement count_refused_events(std::span<event const> events, std::uint32_t event_type,
                                                 std::span<uuid const> counters, std::int64_t single_rows);
/// Turns the counts of minutes that have ended into one row per minute and key.
[[nodiscard]] pg::statement write_refused_counts();
/// How many rows were written.
[[nodiscard]] std::int64_t read_counts_written(pg::rows const& rows);

/// Seals the rows that wait, the oldest first, until at least most are sealed. PostgreSQL does the work in its owner's
/// name, one session at a time. Rows committed before this was sent are in the log once it has committed, if they are
/// among the oldest. It holds up others that seal until its transaction ends: nothing slow belongs behind it.
[[nodiscard]] pg::statement seal_rows(std::int64_t most);
/// How many were sealed; nullopt: others were sealing all the time that this may wait.
[[nodiscard]] std::optional<std::int64_t> read_sealed(pg::rows const& rows);

struct intake_state {
    std::optional<std::chrono::milliseconds> oldest_waits; // for so long by PostgreSQL's clock; none: no row waits
    bool sees_transactions{false}; // else syncs wait for transactions of every database of the server
    bool knows_line{false};        // PostgreSQL tells which server this is, and its timeline
};
[[nodiscard]] pg::statement select_intake_state();
[[nodiscard]] intake_state read_intake_state(pg::rows const& rows);

/// The columns of audit_log (alias l) in the order read_stored_event takes them.
[[nodiscard]] std::string_view stored_event_columns() noexcept;
/// What stands in FROM, as l, to read all rows that chains are made of: `kept` is true of those that retention took,
/// whose id, organization, time, sequence and hash are left.
[[nodiscard]] std::string_view chained_rows() noexcept;
/// The texts point into the row.
[[nodiscard]] stored_event read_stored_event(pg::row from);

} // namespace recruiting::audit
