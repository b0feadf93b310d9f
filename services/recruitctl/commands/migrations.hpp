// Numbered, immutable SQL files and the database they were applied to (recruiting.schema_migrations). Used by
// `recruitctl migrate` and by the tests' databases.
#pragma once
#include "recruitctl/commands/migration_run.hpp"

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

enum class migration_state {
    applied,
    pending,
    changed, // the file is not the one that was applied
    skipped, // later ones were applied without it
    unknown, // applied, but there is no such file: the database is newer than this program's files
};
[[nodiscard]] std::string_view to_string(migration_state state) noexcept;

struct migration_line {
    int number{0};
    std::string name;
    migration_state state{migration_state::pending};
    std::optional<timestamp> applied_at;
};

/// A line of a file that was changed because a newer PostgreSQL refuses it; a former checksum follows.
inline constexpr std::string_view former_checksum_marker = "-- recruitctl: formerly ";

/// The files NNNN_name.sql in order. Throws failure when one is missing from the numbering, doubled or misnamed.
[[nodiscard]] std::vector<migration> read_migrations(std::filesystem::path const& directory);

/// What each file is to the database, and each applied one to the files. Pure.
[[nodiscard]] std::vector<migration_line> compare(std::vector<migration> const& files,
                                                  std::vector<applied_migration> const& applied);

/// The state as it is, without changing anything.
[[nodiscard]] std::vector<migration_line> migration_status(pg::client& database, std::vector<migration> const& files);

/// Told of each migration once it is committed.
using migration_listener = std::function<void(migration const&, std::chrono::milliseconds)>;

/// Applies what is pending, each in a transaction of its own or statement by statement, under an advisory lock so that
/// several may be started at once. Makes the audit log's partitions of the months ahead. Returns how many were applied.
/// Throws failure when a file was changed or skipped, or the database is newer than the files: then nothing is applied.
int apply_migrations(pg::client& database, std::vector<migration> const& files, migration_listener const& applied = {},
                     lock_waiting const& waiting = {});

} // namespace recruiting::recruitctl
