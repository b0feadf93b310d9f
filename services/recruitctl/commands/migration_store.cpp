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

// Before the first migration, which can't record itself otherwise.
constexpr char const* create_table_script = R"(
CREATE SCHEMA IF NOT EXISTS recruiting;
CREATE TABLE IF NOT EXISTS recruiting.schema_migrations (
    number integer PRIMARY KEY CHECK (number > 0),
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
))";

// The first run may be a superuser's, the next one the owner role's. The role exists since the first migration. ALTER
// waits for every reader, and makes all others wait, even where nothing changes.
constexpr std::string_view table_is_to_give = R"(
    SELECT EXISTS (SELECT FROM pg_class c WHERE c.oid = to_regclass('recruiting.schema_migrations')
                      AND pg_get_userbyid(c.relowner) <> 'recruiting_owner' AND pg_has_role(c.relowner, 'USAGE')))";
struct table_owner_columns {
    enum : int { is_another };
};
constexpr char const* give_table_script = "ALTER TABLE recruiting.schema_migrations OWNER TO recruiting_owner";

constexpr std::string_view insert_applied_row =
    "INSERT INTO recruiting.schema_migrations (number, name, checksum) VALUES ($1, $2, $3)";

constexpr std::string_view set_lock_timeout = "SELECT set_config('lock_timeout', $1, $2)";

// An autovacuum that is in the way is ended by PostgreSQL once deadlock_timeout has passed, which must be before
// lock_timeout. Only roles that may change it do.
constexpr std::string_view set_deadlock_timeout =
    "SELECT set_config('deadlock_timeout', '200ms', true) WHERE has_parameter_privilege('deadlock_timeout', 'SET')";

// Of the indexes that the file names, as whole words.
constexpr std::string_view select_invalid_indexes = R"(
    SELECT format('DROP INDEX CONCURRENTLY IF EXISTS %I.%I', n.nspname, c.relname)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE NOT i.indisvalid AND n.nspname = 'recruiting' AND c.relkind = 'i'
      AND $1 ~ ('\m' || regexp_replace(c.relname, '\W', '\\\&', 'g') || '\M'))";
struct invalid_index_columns {
    enum : int { drop_statement };
};

constexpr std::string_view select_pid = "SELECT pg_backend_pid()";
struct backend_columns {
    enum : int { pid };
};

constexpr std::string_view select_holders = R"(
    SELECT pid, coalesce(usename::text, backend_type, ''), coalesce(application_name, ''), xact_start
    FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1)) ORDER BY xact_start NULLS LAST, pid)";
struct holder_columns {
    enum : int { pid, user, application_name, transaction_start };
};

constexpr std::chrono::milliseconds try_lock_again{200};

// A deployment whose workers stand still for months still gets its partitions from the next migrate.
constexpr std::string_view make_partitions = "SELECT recruiting.ensure_audit_partitions()";

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

void create_table(pg::client& database) { database.script(create_table_script); }

bool is_table_to_give(pg::client& database) {
    return database.run(table_is_to_give).boolean(0, table_owner_columns::is_another);
}

void give_table_to_owner(pg::client& database) { database.script(give_table_script); }

void insert_applied(pg::client& database, migration const& applied) {
    database.run(insert_applied_row, pg::params{}.integer(applied.number).text(applied.name).text(applied.checksum));
}

void limit_lock_waits(pg::client& database, std::chrono::milliseconds longest) {
    database.run(set_lock_timeout, pg::params{}.text(std::to_string(longest.count()) + "ms").boolean(true));
    database.run(set_deadlock_timeout);
}

void session_lock_timeout::set(std::chrono::milliseconds longest) {
    database_.run(set_lock_timeout, pg::params{}.text(std::to_string(longest.count()) + "ms").boolean(false));
}

session_lock_timeout::~session_lock_timeout() {
    try {
        set(std::chrono::milliseconds{0});
    } catch (std::exception const&) { // the connection is gone, and with it the setting
    }
}

void drop_invalid_indexes(pg::client& database, std::string const& sql) {
    auto const found = database.run(select_invalid_indexes, pg::params{}.text(sql));
    for (int row = 0; row < found.size(); ++row)
        database.script(std::string(found.text(row, invalid_index_columns::drop_statement)));
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

std::vector<lock_holder> select_lock_holders(pg::client& database, int pid) {
    auto const found = database.run(select_holders, pg::params{}.integer(pid));
    std::vector<lock_holder> holders;
    for (int row = 0; row < found.size(); ++row) {
        holders.push_back({static_cast<int>(found.integer(row, holder_columns::pid)),
                           std::string(found.text(row, holder_columns::user)),
                           std::string(found.text(row, holder_columns::application_name)),
                           found.optional_time(row, holder_columns::transaction_start)});
    }
    return holders;
}

void ensure_audit_partitions(pg::client& database) { database.run(make_partitions); }

} // namespace recruiting::recruitctl::store
