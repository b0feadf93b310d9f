// A migration as a file and as a row of recruiting.schema_migrations.
#pragma once
#include "core/time.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace recruiting::recruitctl {

struct migration {
    int number{0};
    std::string name; // "0002_directory.sql"
    std::string sql;
    std::string checksum; // SHA-256 of the file, in hex
};

struct applied_migration {
    int number{0};
    std::string name;
    std::string checksum;
    timestamp applied_at;
};

/// What happens while another session holds a lock that a migration needs.
struct lock_waiting {
    std::chrono::milliseconds patience{std::chrono::minutes{10}}; // of each migration; then it fails
    std::string watch_url;                                        // to see who holds the lock; empty: not looked at
    std::function<void(std::string const&)> report;               // a sentence at each attempt that failed
};

/// A session that holds a lock for which a migration waits.
struct lock_holder {
    int pid{0};
    std::string role; // or what kind of a process it is, such as "autovacuum worker"
    std::string application;
    std::optional<timestamp> transaction_since; // where PostgreSQL shows it to the migration's role
};

} // namespace recruiting::recruitctl
