// Applies single migrations so that the traffic beside them goes on: no lock is waited for longer than a second.
#pragma once
#include "pg/client.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl {

/// A migration as a file.
struct migration {
    int number{0};
    std::string name; // "0002_directory.sql"
    std::string sql;
    std::string checksum; // SHA-256 of the file, in hex
};

/// What happens while another session holds a lock that a migration needs.
struct lock_waiting {
    std::chrono::milliseconds limit{std::chrono::minutes{10}}; // of each migration, which then fails
    std::function<void(std::string const&)> report;            // a sentence at each attempt that failed
};

// How a migration's file is run, as its text says. Pure.

/// The first line of a file whose statements run one by one, each in a transaction of its own, because CREATE INDEX
/// CONCURRENTLY can't run in a transaction. Such a file is run again from its beginning after a failure.
inline constexpr std::string_view stepwise_marker = "-- recruitctl: statement by statement";

[[nodiscard]] bool is_stepwise(std::string_view sql) noexcept;
/// The statements of a stepwise file: each ends with a semicolon at the end of a line, and holds no other such
/// semicolon (scripts/checks/migration_locks refuses dollar quotes in these files).
[[nodiscard]] std::vector<std::string> statements_of(std::string_view sql);
/// Does it only wait for others' transactions, without making anyone wait behind it? True of all that is CONCURRENTLY.
[[nodiscard]] bool is_concurrent(std::string_view statement);
/// Between two attempts: twice as long each time, up to a limit.
[[nodiscard]] std::chrono::milliseconds next_pause(std::chrono::milliseconds pause) noexcept;

/// Throws failure. A migration in a transaction then leaves no trace, and the next run begins with it; a stepwise one
/// keeps the statements that succeeded.
void apply_migration(pg::client& database, migration const& pending, lock_waiting const& waiting);
/// In a transaction. name: what it makes, for reports.
void run_locking_briefly(pg::client& database, std::string const& name, char const* script,
                         lock_waiting const& waiting);

} // namespace recruiting::recruitctl
