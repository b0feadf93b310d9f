#include "recruitctl/commands/restore_store.hpp"

namespace recruiting::recruitctl {
namespace {

// name_released: not revoked, but expired, and its name is another key's.
constexpr std::string_view revoked_sql = R"(
SELECT id, organization_id, revoked_at FROM recruiting.api_keys
WHERE revoked_at IS NOT NULL AND NOT name_released AND expires_at > clock_timestamp()
  AND ($1::uuid IS NULL OR organization_id = $1)
ORDER BY id)";
struct revoked_columns {
    enum : int { id, organization_id, revoked_at };
};

constexpr std::string_view identity_sql = R"(
SELECT i.database_oid <> c.database_oid OR i.table_oid <> c.table_oid
           OR coalesce(i.system_identifier <> c.system_identifier, false),
       i.timeline, c.timeline, i.confirmed_at,
       i.system_identifier IS NOT NULL AND i.timeline IS NOT NULL,
       c.system_identifier IS NOT NULL AND c.timeline IS NOT NULL
FROM recruiting.database_identity i, recruiting.current_database_identity() c)";
struct identity_columns {
    enum : int { is_another, kept_timeline, timeline, confirmed_at, knew_server, knows_server };
};

constexpr std::string_view confirm_sql = R"(
UPDATE recruiting.database_identity
   SET (system_identifier, timeline, database_oid, table_oid)
       = (SELECT c.system_identifier, c.timeline, c.database_oid, c.table_oid
            FROM recruiting.current_database_identity() c),
       confirmed_at = clock_timestamp())";

} // namespace

std::vector<revoked_key> select_revoked_keys(pg::client& database, std::optional<uuid> const& of) {
    auto const found = database.run(revoked_sql, pg::params{}.optional_id(of));
    std::vector<revoked_key> out;
    for (int row = 0; row < found.size(); ++row)
        out.push_back({found.id(row, revoked_columns::id), found.id(row, revoked_columns::organization_id),
                       found.time(row, revoked_columns::revoked_at)});
    return out;
}

identity_facts select_identity(pg::client& database) {
    auto const found = database.run(identity_sql);
    if (found.empty()) throw std::logic_error("recruiting.database_identity has lost its row");
    return {found.boolean(0, identity_columns::is_another),
            found.optional_integer(0, identity_columns::kept_timeline),
            found.optional_integer(0, identity_columns::timeline),
            found.time(0, identity_columns::confirmed_at),
            found.boolean(0, identity_columns::knew_server),
            found.boolean(0, identity_columns::knows_server)};
}

bool is_another(identity_facts const& of) noexcept {
    return of.restored || (of.timeline && of.confirmed_timeline && *of.timeline != *of.confirmed_timeline);
}

void confirm_identity(pg::client& database) { database.run(confirm_sql); }

} // namespace recruiting::recruitctl
