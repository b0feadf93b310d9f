// A segment under way in a pipeline: what was sent of it, and what PostgreSQL still owes. Used by pipeline.cpp only.
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "pg/prepared_statements.hpp"
#include "pg/rows.hpp"

#include <chrono>
#include <deque>
#include <exception>
#include <string>
#include <vector>

struct pg_conn;
struct pg_result;

namespace recruiting::pg {

using outcome = std::vector<rows>;

struct segment_in_flight {
    /// One answer that PostgreSQL owes.
    struct expected {
        enum class of : std::uint8_t { statement, parse, deallocate } what{of::statement};
        std::string name{}; // of the prepared statement, for a Parse
    };

    completion<outcome> done;
    std::deque<expected> owed;
    outcome results;
    std::exception_ptr error;
    std::chrono::steady_clock::time_point began;
    bool is_heartbeat{false};
    bool sets_session{false};
};

/// Queues the statements and a Sync on the connection; false: libpq refused, and the connection is lost.
[[nodiscard]] bool send_segment(pg_conn* connection, prepared_statements& prepared,
                                std::vector<statement> const& statements, std::uint64_t owner,
                                segment_in_flight& segment);

/// Takes the next result of the segment. True: it was the Sync, and the segment is complete.
[[nodiscard]] bool take_result(pg_result* result, prepared_statements& prepared, segment_in_flight& segment);

} // namespace recruiting::pg
