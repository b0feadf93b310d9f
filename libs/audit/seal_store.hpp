// The sealer's statements. Each belongs into a segment that begins with as_sealer(): row-level security asks for it.
#pragma once
#include "audit/seal.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <optional>

namespace recruiting::audit {

/// The columns of audit_log (alias l) in the order read_stored_event takes them.
[[nodiscard]] std::string_view stored_event_columns() noexcept;
/// The texts point into source.
[[nodiscard]] stored_event read_stored_event(pg::rows const& source, int row, int first_column = 0);
/// A bytea column of 32 bytes; anything else throws std::logic_error.
[[nodiscard]] digest read_digest(pg::rows const& source, int row, int column);

[[nodiscard]] pg::statement as_sealer();

/// How far the sealer has read, in the order of (inserted_xid, id).
struct seal_position {
    std::string inserted_xid{"0"};
    uuid audit_id;
};

struct sealer_state {
    bool elected{false};  // this connection holds the lock of the one sealer
    bool restored{false}; // the position is another database's: this one came from a dump
    seal_position position;
    std::optional<timestamp> oldest_unsealed;
    bool sees_transactions{false}; // else it waits for transactions of every database of the server
    bool knows_line{false};        // PostgreSQL tells which server this is, and its timeline
};
/// Elects: the lock belongs to the connection, so it is free again as soon as that is gone.
[[nodiscard]] pg::statement elect_sealer();
[[nodiscard]] sealer_state read_sealer_state(pg::rows const& rows);

/// The next rows after a position that no running transaction can still add to.
[[nodiscard]] pg::statement select_unsealed(seal_position const& after, std::int64_t most);
struct unsealed_batch {
    sealed_batch sealed;
    seal_position last; // what the position becomes
    int rows{0};
};
[[nodiscard]] unsealed_batch seal_unsealed(pg::rows const& rows);

/// Seals, heads and position in one statement, all or nothing: only when position and heads are still the ones read.
[[nodiscard]] pg::statement write_seals(sealed_batch const& batch, seal_position const& from, seal_position const& to);
/// Whether they were.
[[nodiscard]] bool read_seals_written(pg::rows const& rows);
/// Starts again at the beginning after a restore; rows that have their seal are passed over.
[[nodiscard]] pg::statement restart_sealer();
/// How many rows were given a transaction number of this server; nullopt: another sealer has restarted already.
[[nodiscard]] std::optional<std::int64_t> read_restarted(pg::rows const& rows);

} // namespace recruiting::audit
