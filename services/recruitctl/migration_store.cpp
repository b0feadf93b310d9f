#include "migration_store.hpp"

namespace recruiting::recruitctl::store {
namespace {

// hashtext of a name and not a number: nobody else takes the same lock by chance.
constexpr std::string_view take_lock = "SELECT pg_advisory_lock(hashtext('recruiting.schema_migrations'))";
constexpr std::string_view release_lock = "SELECT pg_advisory_unlock(hashtext('recruiting.schema_migrations'))";

constexpr std::string_view table_exists = "SELECT to_regclass('recruiting.schema_migrations') IS NOT NULL";

constexpr std::string_view select_applied_rows =
    "SELECT number, name, checksum, applied_at FROM recruiting.schema_migrations ORDER BY number";

// Before the first migration, which can't record itself otherwise.
constexpr char const* create_table_script = R"(
CREATE SCHEMA IF NOT EXISTS recruiting;
CREATE TABLE IF NOT EXISTS recruiting.schema_migrations (
    number integer PRIMARY KEY CHECK (number > 0),
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
))";

// The first run may be a superuser's, the next one the owner role's. The role exists since the first migration.
constexpr char const* give_table_script = "ALTER TABLE recruiting.schema_migrations OWNER TO recruiting_owner";

constexpr std::string_view insert_applied_row =
    "INSERT INTO recruiting.schema_migrations (number, name, checksum) VALUES ($1, $2, $3)";

constexpr std::string_view set_lock_timeout = "SELECT set_config('lock_timeout', '30s', true)";

// A deployment whose workers stand still for months still gets its partitions from the next migrate.
constexpr std::string_view make_partitions = "SELECT recruiting.ensure_audit_partitions()";

} // namespace

migration_lock::migration_lock(pg::client& database) : database_(database) { database_.run(take_lock); }

migration_lock::~migration_lock() {
    try {
        database_.run(release_lock);
    } catch (std::exception const&) { // the connection is gone, and with it the lock
    }
}

std::vector<applied_migration> select_applied(pg::client& database) {
    std::vector<applied_migration> applied;
    if (!database.run(table_exists).boolean(0, 0)) return applied;
    auto const found = database.run(select_applied_rows);
    for (int row = 0; row < found.size(); ++row)
        applied.push_back({static_cast<int>(found.integer(row, 0)), std::string(found.text(row, 1)),
                           std::string(found.text(row, 2)), found.time(row, 3)});
    return applied;
}

void create_table(pg::client& database) { database.script(create_table_script); }

void give_table_to_owner(pg::client& database) { database.script(give_table_script); }

void insert_applied(pg::client& database, migration const& applied) {
    database.run(insert_applied_row, pg::params{}.integer(applied.number).text(applied.name).text(applied.checksum));
}

void limit_lock_waits(pg::client& database) { database.run(set_lock_timeout); }

void ensure_audit_partitions(pg::client& database) { database.run(make_partitions); }

} // namespace recruiting::recruitctl::store
