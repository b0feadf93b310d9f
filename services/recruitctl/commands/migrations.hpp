// Numbered, immutable SQL files and the database they were applied to (recruiting.schema_migrations). Used by
// `recruitctl migrate` and by the tests' databases.
#pragma once
#include "core/time.hpp"
#include "recruitctl/commands/migration_run.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::recruitctl {

class invocation;

/// The directory a call names (--dir, RECRUITING_MIGRATIONS_DIR), or share/recruiting/migrations beside the program's
/// bin, or that of the tree it was built from. Throws usage_error.
[[nodiscard]] std::filesystem::path migrations_directory(invocation const& call);

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

/// Told of each migration once it is committed.
using migration_listener = std::function<void(migration const&, std::chrono::milliseconds)>;

/// Applies what is pending, each in a transaction of its own or statement by statement, under an advisory lock so that
/// several may be started at once. Makes the audit log's partitions of the months ahead. Returns how many were applied.
/// Throws failure when the database was made by other files, or is newer than these: then nothing is applied.
int apply_migrations(pg::client& database, std::vector<migration> const& files, migration_listener const& applied = {},
                     lock_waiting const& waiting = {});

} // namespace recruiting::recruitctl
