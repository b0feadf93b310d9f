// Moves rows of the intake into the log, each with its sequence and its hash; and reads sealed rows.
#pragma once
#include "audit/seal.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <optional>

namespace recruiting::audit {

/// Seals the rows that wait, the oldest first, until at least most are sealed. PostgreSQL does the work in its owner's
/// name, one session at a time. Rows committed before this was sent are in the log once it has committed, if they are
/// among the oldest. It holds up others that seal until its transaction ends: nothing slow belongs behind it.
[[nodiscard]] pg::statement seal_rows(std::int64_t most);
/// How many were sealed; nullopt: others were sealing all the time that this may wait.
[[nodiscard]] std::optional<std::int64_t> read_sealed(pg::rows const& rows);

struct intake_state {
    std::optional<timestamp> waiting_since; // of the oldest row
    bool sees_transactions{false};          // else syncs wait for transactions of every database of the server
    bool knows_line{false};                 // PostgreSQL tells which server this is, and its timeline
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
