// Ends on the server what a connection is given up with: statements, and commits that wait for a standby.
#pragma once
#include "pg/connect.hpp"

#include <atomic>
#include <memory>

namespace recruiting::pg {

/// How many given-up connections of one pipeline are not closed yet.
using abandoned_count = std::shared_ptr<std::atomic<int>>;

/// Cancels one statement after the other until all segments (so many Syncs) have their answers or the server has closed
/// the connection, then closes it. In a pipeline, the next segment begins when one is cancelled, and its commit may
/// wait as well. Gives up after two minutes without any answer. On a thread of its own, for PQcancel blocks for as long
/// as the server is silent.
void abandon(connection_handle connection, std::size_t segments, abandoned_count const& count) noexcept;

} // namespace recruiting::pg
