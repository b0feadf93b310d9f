// Ends on the server what a connection is given up with: a statement, or a commit that waits for a standby.
#pragma once

struct pg_conn;

namespace recruiting::pg {

/// Asks the server to cancel what it does for this connection, which may be closed right after. On a thread of its own,
/// for PQcancel blocks; with sixteen under way (servers that don't answer) no further one is sent.
void cancel_statement(pg_conn* connection) noexcept;

} // namespace recruiting::pg
