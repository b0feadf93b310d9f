// The SQL of moving an organization. Names of tables come from tables.hpp, those of columns from the catalog.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "pg/client.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl::store {

// Freezing.

/// False: it is frozen already. The audit row is written in the same transaction, as in all that follows.
[[nodiscard]] bool freeze(pg::client& database, uuid const& organization);
/// False: it is not frozen.
[[nodiscard]] bool unfreeze(pg::client& database, uuid const& organization);
[[nodiscard]] bool is_frozen(pg::client& database, uuid const& organization);

/// What an export waits for, in words; none: nothing. settle: how long a request that began before the freeze may take.
[[nodiscard]] std::vector<std::string> select_unfinished(pg::client& database, uuid const& organization,
                                                         std::chrono::milliseconds settle);
/// Seals rows that wait, of all organizations. True: none of this organization's waits any more.
[[nodiscard]] bool seal(pg::client& database, uuid const& organization);

// Reading.

void record(pg::client& database, uuid const& organization, std::string_view action);
/// Everything in the open transaction is of one moment, and in the same text form on every server.
void begin_snapshot(pg::client& database);
void use_text_form(pg::client& database);

[[nodiscard]] int schema_version(pg::client& database);
struct audit_end {
    std::int64_t sequence{0};
    std::string hash; // in hex
    bool operator==(audit_end const&) const = default;
};
[[nodiscard]] audit_end select_audit_end(pg::client& database, uuid const& organization);
/// Days on which months of the log begin that have rows of it, such as 2026-11-01.
[[nodiscard]] std::vector<std::string> select_audit_months(pg::client& database, uuid const& organization);
/// Names of the keys that are neither revoked nor expired.
[[nodiscard]] std::vector<std::string> select_active_keys(pg::client& database, uuid const& organization);

/// Of a moved table, comma-separated, in the order of their names.
[[nodiscard]] std::string select_columns(pg::client& database, std::string_view table);
/// Returns how many rows there are.
std::int64_t copy_rows(pg::client& database, std::string_view table, std::string const& columns,
                       uuid const& organization, std::function<void(std::string_view)> const& take);

// Writing.

/// Why this organization can't be imported here: it is there already, or its slug is another's.
[[nodiscard]] std::optional<std::string> find_conflict(pg::client& database, uuid const& organization,
                                                       std::string const& slug);
void add_audit_months(pg::client& database, std::vector<std::string> const& months);
/// In the open transaction rows are written as they are: triggers derive nothing from them.
void begin_moving(pg::client& database);
/// A temporary table for rows of this one; COPY does not write into tables with row-level security. Then the rows go
/// into the table itself. Those of people whose address is known here become references to the person who has it.
void begin_rows(pg::client& database, std::string_view table, std::string const& columns);
void finish_rows(pg::client& database, std::string_view table, std::string const& columns);
/// Whether each member and candidate of the organization has the canonical form of their own address.
[[nodiscard]] bool has_own_addresses(pg::client& database, uuid const& organization);
[[nodiscard]] std::int64_t count_rows(pg::client& database, std::string_view table, uuid const& organization);

// Removing.

/// Is the export the last that happened to it?
[[nodiscard]] bool ends_with_export(pg::client& database, uuid const& organization);
/// Deletes all of it, also people who are members nowhere else.
void remove(pg::client& database, uuid const& organization);

} // namespace recruiting::recruitctl::store
