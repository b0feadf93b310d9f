// The SQL around migrations; what they do themselves is in deploy/migrations.
#pragma once
#include "core/time.hpp"
#include "pg/client.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::recruitctl {

/// A migration as a file, and below as a row of recruiting.schema_migrations.
struct migration {
    int number{0};
    std::string name; // "0002_directory.sql"
    std::string sql;
    std::string checksum; // SHA-256 of the file, in hex
    /// Of the file as it was: other statements that left the same schema. A database on which it was applied is as
    /// good.
    std::vector<std::string> former_checksums{};
};

struct applied_migration {
    int number{0};
    std::string name;
    std::string checksum;
    timestamp applied_at;
};

} // namespace recruiting::recruitctl

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

[[nodiscard]] int backend_pid(pg::client& database);
/// Does a pooler run this connection's transactions in changing sessions? url: the same database's, for a second one.
[[nodiscard]] bool changes_sessions(pg::client& database, std::string const& url);

} // namespace recruiting::recruitctl::store
