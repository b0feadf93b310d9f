// What recruitctl doctor knows of PostgreSQL, read as recruiting_owner. Nothing is changed, and every statement is
// bounded.
#pragma once
#include "pg/client.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "recruitctl/commands/restore.hpp"
#include "recruitctl/doctor/finding.hpp"

#include <chrono>
#include <cstdint>

namespace recruiting::recruitctl::doctor {

struct open_transaction {
    std::string database;
    std::int64_t pid{0};
    std::int64_t seconds{0};
    std::string application;
    bool here{true}; // in this database
};

struct server_facts {
    std::int64_t version{0}; // 150020
    std::string user;
    bool standby{false};
    std::int64_t connections_most{0};
    std::int64_t connections_reserved{0};
    std::string fsync, full_page_writes, synchronous_commit;
    bool statistics_hidden{false};              // deploy/postgresql/hide_statistics.sql
    bool services_confined{false};              // deploy/postgresql/confine_roles.sql
    std::string other_databases;                // that a service's role may connect to, comma-separated
    bool sees_transactions{true};               // other roles' too
    bool own_transactions_only{true};           // is what syncs wait for; else those of every database
    std::vector<open_transaction> transactions; // open for long, oldest first
    std::int64_t prepared_transactions{0};
    std::vector<std::string> idle_slots; // replication slots nobody reads: they keep the log for ever
};

struct role_facts {
    std::string name;
    bool there{false}, superuser{false}, bypasses_rls{false}, creates_roles{false}, creates_databases{false};
    std::int64_t connection_limit{-1};
    std::string memberships; // of what other roles, comma-separated
    std::string settings;    // names of those kept with the role that the role itself can change
};

struct clock_facts {
    timestamp here; // in the middle of the question
    timestamp there;
    std::chrono::microseconds uncertainty{0}; // half the time the answer took
};

struct table_partitions {
    std::string first, last;  // "audit_log_2026_11", "audit_log_2026_11_22"; empty: none
    bool now{false};          // there is one for rows of now
    bool soon_missing{false}; // none for long ahead: the worker makes months, or 31 days
    std::int64_t days_ahead{0};
    std::string too_old; // the oldest that retention should have dropped
};
struct sealer_facts {
    std::int64_t unsealed_seconds{0};   // how long the oldest row has waited; 0: none waits
    std::int64_t last_seal_seconds{-1}; // since a head was moved; -1: never
    std::int64_t set_aside{0};          // batches that the log refused
    std::int64_t checked{0};            // newest rows whose hashes were verified
    std::vector<std::string> wrong;     // what is wrong with them
};

struct queue_facts {
    std::int64_t mails_waiting{0}, mails_due_seconds{0}, mails_dead{0};
    std::int64_t requests_waiting{0}, requests_oldest_seconds{0}, requests_tried_often{0};
    std::int64_t runs_in_progress{0}, runs_overdue{0};
    std::int64_t exposures_waiting_seconds{0};
};

/// What PostgreSQL knows of the archive of its write-ahead log. Ages by the server's own clock.
struct archive_facts {
    std::string mode; // "off", "on", "always"
    bool standby{false};
    bool visible{false};                                          // what follows was read
    std::optional<std::int64_t> archived_seconds, failed_seconds; // since the last of each; none in the statistics
    std::string failed_segment;
    std::int64_t failures{0};
    std::int64_t counted_seconds{0};              // how far back the statistics go
    std::optional<std::int64_t> unarchived_bytes; // written after the end of the last archived segment
};

/// An engine's answer to all of it. Each part is there, or why it is not: tables may be missing in an old schema.
struct database_facts {
    observed<server_facts> server;
    observed<std::vector<role_facts>> roles;
    observed<std::vector<std::string>> unprotected_tables; // without forced row-level security
    observed<clock_facts> clock;
    observed<std::vector<applied_migration>> migrations;
    observed<table_partitions> partitions;
    observed<sealer_facts> sealer;
    observed<identity_facts> restore;
    observed<archive_facts> archive;
    observed<queue_facts> queues;
    observed<std::string> exposure_key; // of the pepper that auth-api runs with, in bytes; empty: none yet
};

struct database_questions {
    std::chrono::milliseconds statement_limit{3'000};
    std::optional<std::chrono::milliseconds> retention; // none: no running auth-api reports it
    std::int64_t rows_per_chain{20};
    std::int64_t chains{50};
};

/// Throws outage when it is unavailable.
[[nodiscard]] database_facts read_database(pg::client& database, database_questions const& ask);

/// The role it logs in as. Throws outage.
[[nodiscard]] std::string role_of(pg::client& database);

// Statements for operators, as mends.
[[nodiscard]] std::string alter_role_sql(std::string const& role, std::string const& attributes);
[[nodiscard]] std::string force_row_security_sql(std::string const& table);

/// The newest rows of the chains that were sealed last, read and checked. A store's part.
[[nodiscard]] sealer_facts read_sealer(pg::client& database, database_questions const& ask);
[[nodiscard]] queue_facts read_queues(pg::client& database);
[[nodiscard]] archive_facts read_archive(pg::client& database);

// What is wrong with PostgreSQL and what lies in it. Pure.

/// What the programs of this host may open at once; nothing: none of them is here.
struct connection_demand {
    std::int64_t auth_api{0};
    std::int64_t public_api{0};
};

[[nodiscard]] findings check_server(observed<server_facts> const& facts, std::optional<connection_demand> demand);
[[nodiscard]] findings check_roles(observed<std::vector<role_facts>> const& facts,
                                   std::optional<connection_demand> demand);
[[nodiscard]] findings check_protection(observed<std::vector<std::string>> const& unprotected);
/// files: as migrations of this recruitctl, or why they are not there.
[[nodiscard]] findings check_migrations(observed<std::vector<applied_migration>> const& applied,
                                        observed<std::vector<migration>> const& files);
[[nodiscard]] findings check_partitions(observed<table_partitions> const& facts);
/// Do keys work again that were revoked?
[[nodiscard]] findings check_restore(observed<identity_facts> const& facts);
/// Is the write-ahead log archived, and was it lately?
[[nodiscard]] findings check_backup(observed<archive_facts> const& facts);
[[nodiscard]] findings check_sealer(observed<sealer_facts> const& facts);
[[nodiscard]] findings check_queues(observed<queue_facts> const& facts);
/// key: the public key of the pepper that recruitctl has; empty: it has none.
[[nodiscard]] findings check_exposure_key(observed<std::string> const& published, std::string_view key);
/// of: "postgres", "redis".
[[nodiscard]] findings check_clock(observed<clock_facts> const& facts, std::string const& of);

} // namespace recruiting::recruitctl::doctor
