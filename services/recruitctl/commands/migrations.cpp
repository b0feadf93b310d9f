#include "recruitctl/commands/migrations.hpp"

#include "core/file.hpp"
#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "recruitctl/command.hpp"

#include <algorithm>
#include <thread>

namespace recruiting::recruitctl {
namespace {

constexpr std::size_t number_digits = 4;
constexpr std::chrono::milliseconds try_lock_again{200};

// hashtext of a name and not a number: no other program takes the same lock by chance.
constexpr std::string_view try_lock = "SELECT pg_try_advisory_lock(hashtext('recruiting.schema_migrations'))";
constexpr std::string_view release_lock = "SELECT pg_advisory_unlock(hashtext('recruiting.schema_migrations'))";
constexpr std::string_view table_exists = "SELECT to_regclass('recruiting.schema_migrations') IS NOT NULL";
constexpr std::string_view select_applied_rows =
    "SELECT number, name, checksum, applied_at FROM recruiting.schema_migrations ORDER BY number";

// Before the first migration, which can't record itself otherwise.
constexpr char const* create_table = R"(
CREATE SCHEMA IF NOT EXISTS recruiting;
CREATE TABLE IF NOT EXISTS recruiting.schema_migrations (
    number integer PRIMARY KEY CHECK (number > 0),
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
))";

// An installation whose workers stand still for months still gets its partitions from the next migrate.
constexpr char const* make_partitions = "SELECT recruiting.ensure_audit_partitions()";

// Held for the time of a migrate; the next one waits for it. It asks again and again instead of waiting inside
// PostgreSQL, where its transaction would be one that CREATE INDEX CONCURRENTLY waits for. A session's lock, for it
// spans transactions.
class migration_lock {
public:
    explicit migration_lock(pg::client& database) : database_(database) {
        while (!database_.run(try_lock).boolean(0, 0)) std::this_thread::sleep_for(try_lock_again);
    }
    ~migration_lock() {
        try {
            database_.run(release_lock);
        } catch (std::exception const&) { // the connection is gone, and with it the lock
        }
    }
    migration_lock(migration_lock const&) = delete;
    migration_lock& operator=(migration_lock const&) = delete;

private:
    pg::client& database_;
};

migration read_migration(std::filesystem::path const& file) {
    migration read;
    read.name = file.filename().string();
    auto const number = parse_number<int>(std::string_view(read.name).substr(0, number_digits));
    if (!number || *number < 1 || read.name.size() <= number_digits || read.name[number_digits] != '_')
        throw failure(file.string() + " is not named like 0001_what_it_does.sql");
    read.number = *number;
    if (auto const wrong = read_file(file.string(), read.sql)) throw failure(*wrong);
    if (read.sql.empty()) throw failure(file.string() + " is empty");
    read.checksum = to_hex(bytes_of(sha256(read.sql)));
    return read;
}

void refuse_other_files(std::vector<migration> const& files, std::vector<applied_migration> const& applied,
                        std::vector<migration_line> const& lines) {
    // The name of a migration never changes once it was released.
    auto const is_of_other_series = [&](applied_migration const& row) {
        return std::ranges::any_of(
            files, [&](migration const& file) { return file.number == row.number && file.name != row.name; });
    };
    if (std::ranges::any_of(applied, is_of_other_series))
        throw failure("nothing was applied: this database was made by an unreleased version and has to be made again "
                      "(scripts/down --erase deletes a developer's)");
    for (auto const& line : lines) {
        if (line.state == migration_state::changed)
            throw failure("nothing was applied: " + line.name + " was changed after it was applied");
        if (line.state == migration_state::unknown)
            throw failure("nothing was applied: " + line.name +
                          " was applied, but is not among the files: they are older than the database");
    }
}

} // namespace

std::string_view to_string(migration_state state) noexcept {
    switch (state) {
    case migration_state::applied: return "applied";
    case migration_state::pending: return "pending";
    case migration_state::changed: return "changed";
    case migration_state::unknown: return "unknown";
    }
    return "unknown";
}

std::vector<migration> read_migrations(std::filesystem::path const& directory) {
    std::error_code error;
    std::vector<migration> found;
    for (auto const& entry : std::filesystem::directory_iterator(directory, error))
        if (entry.path().extension() == ".sql") found.push_back(read_migration(entry.path()));
    if (error) throw failure("the migrations can't be read from " + directory.string() + ": " + error.message());
    if (found.empty()) throw failure("there are no migrations in " + directory.string());
    std::ranges::sort(found, {}, &migration::name);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i].number != static_cast<int>(i) + 1)
            throw failure(found[i].name + " in " + directory.string() + " should have the number " +
                          std::to_string(i + 1) + ": a number is missing or used twice");
    return found;
}

std::vector<applied_migration> select_applied(pg::client& database) {
    std::vector<applied_migration> applied;
    if (!database.run(table_exists).boolean(0, 0)) return applied;
    auto const found = database.run(select_applied_rows);
    for (auto row : found) {
        auto& one = applied.emplace_back();
        row.read(one.number, one.name, one.checksum, one.applied_at);
    }
    return applied;
}

std::vector<migration_line> compare(std::vector<migration> const& files,
                                    std::vector<applied_migration> const& applied) {
    std::vector<migration_line> lines;
    for (auto const& file : files) {
        auto const row = std::ranges::find(applied, file.number, &applied_migration::number);
        if (row == applied.end()) lines.push_back({file.number, file.name, migration_state::pending, std::nullopt});
        else
            lines.push_back({file.number, file.name,
                             row->checksum == file.checksum ? migration_state::applied : migration_state::changed,
                             row->applied_at});
    }
    for (auto const& row : applied)
        if (std::ranges::find(files, row.number, &migration::number) == files.end())
            lines.push_back({row.number, row.name, migration_state::unknown, row.applied_at});
    return lines;
}

int apply_migrations(pg::client& database, std::vector<migration> const& files, migration_listener const& listener,
                     lock_waiting const& waiting) {
    migration_lock const lock(database);
    auto const applied = select_applied(database);
    auto const lines = compare(files, applied);
    refuse_other_files(files, applied, lines);
    if (applied.empty()) run_locking_briefly(database, "the table of migrations", create_table, waiting);
    int count = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (lines[i].state != migration_state::pending) continue;
        auto const start = std::chrono::steady_clock::now();
        apply_migration(database, files[i], waiting);
        ++count;
        if (listener)
            listener(files[i],
                     std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start));
    }
    run_locking_briefly(database, "the audit log's next partition", make_partitions, waiting);
    rebuild_search_terms(database, waiting);
    return count;
}

} // namespace recruiting::recruitctl
