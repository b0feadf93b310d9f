// Numbered, immutable SQL files and the database they were applied to (recruiting.schema_migrations). Used by
// `recruitctl migrate` and by the tests' databases.
#pragma once
#include "core/time.hpp"
#include "pg/client.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl {

class invocation;

/// The directory a call names (--dir, RECRUITING_MIGRATIONS_DIR), or share/recruiting/migrations beside the program's
/// bin, or that of the tree it was built from. Throws usage_error.
[[nodiscard]] std::filesystem::path migrations_directory(invocation const& call);

/// A migration as a file.
struct migration {
    int number{0};
    std::string name; // "0002_directory.sql"
    std::string sql;
    std::string checksum; // SHA-256 of the file, in hex
};

/// A row of recruiting.schema_migrations.
struct applied_migration {
    int number{0};
    std::string name;
    std::string checksum;
    timestamp applied_at;
};

enum class migration_state {
    applied,
    pending,
    changed, // the file is not the one that was applied
    unknown, // applied, but there is no such file: the database is newer than this program's files
};
[[nodiscard]] std::string_view to_string(migration_state state) noexcept;

struct migration_line {
    int number{0};
    std::string name;
    migration_state state{migration_state::pending};
    std::optional<timestamp> applied_at;
};

/// The files NNNN_name.sql in order. Throws failure when one is missing from the numbering, doubled or misnamed.
[[nodiscard]] std::vector<migration> read_migrations(std::filesystem::path const& directory);

/// By number; none when there is no schema yet.
[[nodiscard]] std::vector<applied_migration> select_applied(pg::client& database);

/// What each file is to the database, and each applied one to the files. Pure.
[[nodiscard]] std::vector<migration_line> compare(std::vector<migration> const& files,
                                                  std::vector<applied_migration> const& applied);

/// What happens while another session holds a lock that a migration needs.
struct lock_waiting {
    std::chrono::milliseconds limit{std::chrono::minutes{10}}; // of each migration, which then fails
    std::function<void(std::string const&)> report;            // a sentence at each attempt that failed
};

/// Called after each migration is committed.
using migration_listener = std::function<void(migration const&, std::chrono::milliseconds)>;

/// Applies what is pending, each in a transaction of its own or statement by statement, under an advisory lock so that
/// several may be started at once. Makes the audit log's partitions of the months ahead, and the search terms of
/// candidates that another version of recruiting.search_key made. Returns how many were applied. Throws failure when
/// the database was made by other files, or is newer than these: then nothing is applied.
int apply_migrations(pg::client& database, std::vector<migration> const& files, migration_listener const& applied = {},
                     lock_waiting const& waiting = {});

// How one file is run, as its text says, so that the traffic beside it goes on (migration_run.cpp).

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
/// In batches, each in a transaction, so that it may be interrupted: the next run continues.
void rebuild_search_terms(pg::client& database, lock_waiting const& waiting);

} // namespace recruiting::recruitctl
