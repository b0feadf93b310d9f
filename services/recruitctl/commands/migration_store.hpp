// The SQL around migrations; what they do themselves is in deploy/migrations.
#pragma once
#include "pg/client.hpp"
#include "recruitctl/commands/migration.hpp"

#include <chrono>
#include <vector>

namespace recruiting::recruitctl::store {

/// Holds the deployment's migration lock; waits for whoever has it, without a transaction that the other's CREATE INDEX
/// CONCURRENTLY would wait for. A session's lock, for it spans transactions.
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
/// Does the table of migrations belong to somebody else than recruiting_owner, and may this role change that?
[[nodiscard]] bool is_table_to_give(pg::client& database);
void give_table_to_owner(pg::client& database);
void insert_applied(pg::client& database, migration const& applied);
/// For this transaction: a migration that can't get a lock fails (lock_not_available) instead of holding up every
/// request behind it.
void limit_lock_waits(pg::client& database, std::chrono::milliseconds longest);
void ensure_audit_partitions(pg::client& database);

/// The same for the statements of a session, until this ends.
class session_lock_timeout {
public:
    explicit session_lock_timeout(pg::client& database) : database_(database) {}
    ~session_lock_timeout();
    session_lock_timeout(session_lock_timeout const&) = delete;
    session_lock_timeout& operator=(session_lock_timeout const&) = delete;
    void set(std::chrono::milliseconds longest);

private:
    pg::client& database_;
};

/// Drops the indexes named in sql that an interrupted CREATE INDEX CONCURRENTLY left INVALID.
void drop_invalid_indexes(pg::client& database, std::string const& sql);

[[nodiscard]] int backend_pid(pg::client& database);
/// Does a pooler run this connection's transactions in changing sessions? url: the same database's, for a second one.
[[nodiscard]] bool changes_sessions(pg::client& database, std::string const& url);
/// Those for whose locks the backend pid waits at this moment.
[[nodiscard]] std::vector<lock_holder> select_lock_holders(pg::client& database, int pid);

} // namespace recruiting::recruitctl::store
