#include "recruitctl/commands/migration_store.hpp"

#include <thread>

namespace recruiting::recruitctl::store {
namespace {

// hashtext of a name and not a number: nobody else takes the same lock by chance.
constexpr std::string_view try_lock = "SELECT pg_try_advisory_lock(hashtext('recruiting.schema_migrations'))";
struct lock_columns {
    enum : int { is_held };
};
constexpr std::string_view release_lock = "SELECT pg_advisory_unlock(hashtext('recruiting.schema_migrations'))";

constexpr std::string_view table_exists = "SELECT to_regclass('recruiting.schema_migrations') IS NOT NULL";
struct table_columns {
    enum : int { exists };
};

constexpr std::string_view select_applied_rows =
    "SELECT number, name, checksum, applied_at FROM recruiting.schema_migrations ORDER BY number";
struct applied_columns {
    enum : int { number, name, checksum, applied_at };
};

constexpr std::string_view select_pid = "SELECT pg_backend_pid()";
struct backend_columns {
    enum : int { pid };
};

constexpr std::chrono::milliseconds try_lock_again{200};

} // namespace

migration_lock::migration_lock(pg::client& database) : database_(database) {
    while (!database_.run(try_lock).boolean(0, lock_columns::is_held)) std::this_thread::sleep_for(try_lock_again);
}

migration_lock::~migration_lock() {
    try {
        database_.run(release_lock);
    } catch (std::exception const&) { // the connection is gone, and with it the lock
    }
}

std::vector<applied_migration> select_applied(pg::client& database) {
    std::vector<applied_migration> applied;
    if (!database.run(table_exists).boolean(0, table_columns::exists)) return applied;
    auto const found = database.run(select_applied_rows);
    for (int row = 0; row < found.size(); ++row)
        applied.push_back({static_cast<int>(found.integer(row, applied_columns::number)),
                           std::string(found.text(row, applied_columns::name)),
                           std::string(found.text(row, applied_columns::checksum)),
                           found.time(row, applied_columns::applied_at)});
    return applied;
}

int backend_pid(pg::client& database) {
    return static_cast<int>(database.run(select_pid).integer(0, backend_columns::pid));
}

// A second connection holds the session that has just become free: then ours must be another one than before. One of
// the two finds the other's prepared statements, too, or misses its own.
bool changes_sessions(pg::client& database, std::string const& url) {
    auto const first = backend_pid(database);
    if (first == database.connected_pid()) return false;
    try {
        pg::client other(url);
        other.script("BEGIN");
        return backend_pid(other) == first || backend_pid(database) != first;
    } catch (pg::query_error const& error) {
        if (error.sqlstate() != pg::duplicate_statement && error.sqlstate() != pg::undefined_statement) throw;
        return true;
    }
}

} // namespace recruiting::recruitctl::store
