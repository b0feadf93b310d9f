// The SQL around migrations; what they do themselves is in deploy/migrations.
#pragma once
#include "migration.hpp"
#include "pg/client.hpp"

namespace recruiting::recruitctl::store {

/// Holds the deployment's migration lock; waits for whoever has it. A session's lock, for it spans transactions.
class migration_lock {
public:
    explicit migration_lock(pg::client& database);
    ~migration_lock();
    migration_lock(migration_lock const&) = delete;
    migration_lock& operator=(migration_lock const&) = delete;

private:
    pg::client& database_;
};

/// By number; none when there is no schema yet.
[[nodiscard]] std::vector<applied_migration> select_applied(pg::client& database);
void create_table(pg::client& database);
void give_table_to_owner(pg::client& database);
void insert_applied(pg::client& database, migration const& applied);
/// For this transaction: a migration that can't get its locks fails instead of holding up every request behind it.
void limit_lock_waits(pg::client& database);
void ensure_audit_partitions(pg::client& database);

} // namespace recruiting::recruitctl::store
