#include "recruitctl/move/store.hpp"

#include "audit/event_store.hpp"
#include "audit/seal_store.hpp"
#include "directory/store.hpp"
#include "mail/address.hpp"
#include "recruitctl/move/tables.hpp"

#include <algorithm>
#include <ranges>

namespace recruiting::recruitctl::store {
namespace {

constexpr std::string_view freeze_sql =
    "INSERT INTO recruiting.frozen_organizations (organization_id) VALUES ($1) ON CONFLICT DO NOTHING";
constexpr std::string_view unfreeze_sql = "DELETE FROM recruiting.frozen_organizations WHERE organization_id = $1";
constexpr std::string_view is_frozen_sql = "SELECT FROM recruiting.frozen_organizations WHERE organization_id = $1";

// What requests, workers and transactions of before the freeze may still write. A lease until infinity is a dead
// letter.
constexpr std::string_view unfinished_sql = R"(
SELECT f.frozen_at + $2::bigint * interval '1 millisecond' > clock_timestamp(),
       recruiting.transaction_horizon() <= f.frozen_xid,
       EXISTS (SELECT FROM recruiting.agent_runs r WHERE r.organization_id = $1 AND r.status = 'in_progress'),
       EXISTS (SELECT FROM recruiting.mail_outbox m
               WHERE m.organization_id = $1 AND m.status = 'waiting' AND m.leased_until > clock_timestamp()),
       EXISTS (SELECT FROM recruiting.booking_requests b
               WHERE b.organization_id = $1 AND b.leased_until > clock_timestamp() AND b.leased_until < 'infinity'),
       EXISTS (SELECT FROM recruiting.audit_refusals c WHERE c.organization_id = $1)
FROM recruiting.frozen_organizations f WHERE f.organization_id = $1)";
constexpr std::array unfinished_words{"requests that began before the freeze",
                                      "a transaction that began before the freeze",
                                      "a run of the agent",
                                      "a mail that is being sent",
                                      "a booking request that is being processed",
                                      "counts of rejected requests"};

constexpr std::int64_t sealed_at_once = 20'000;
constexpr std::string_view waiting_sql = R"(
SELECT FROM recruiting.audit_intake i CROSS JOIN LATERAL unnest(i.events) AS e WHERE e.organization_id = $1 LIMIT 1)";

constexpr std::string_view snapshot_sql = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";
constexpr std::string_view text_form_sql =
    "SELECT set_config('datestyle', 'ISO', true), set_config('intervalstyle', 'postgres', true), "
    "set_config('timezone', 'UTC', true), set_config('bytea_output', 'hex', true)";

constexpr std::string_view audit_end_sql =
    "SELECT sequence, encode(hash, 'hex') FROM recruiting.audit_heads WHERE organization_id = $1";
constexpr std::string_view audit_months_sql = R"(
SELECT DISTINCT date_trunc('month', p.starts_at AT TIME ZONE 'UTC')::date::text
FROM recruiting.audit_partitions('audit_log') p
WHERE EXISTS (SELECT FROM recruiting.audit_log l
              WHERE l.organization_id = $1 AND l.occurred_at >= p.starts_at AND l.occurred_at < p.ends_at)
ORDER BY 1)";
constexpr std::string_view active_keys_sql = R"(
SELECT name FROM recruiting.api_keys
WHERE organization_id = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp() ORDER BY name)";

// Transaction numbers get the import's by default.
constexpr std::string_view columns_sql = R"(
SELECT string_agg(quote_ident(a.attname), ',' ORDER BY a.attname) FROM pg_attribute a
WHERE a.attrelid = format('recruiting.%I', $1::text)::regclass AND a.attnum > 0 AND NOT a.attisdropped
  AND a.attgenerated = '' AND a.atttypid <> 'xid8'::regtype)";

constexpr std::string_view conflict_sql = R"(
SELECT o.id = $1 FROM recruiting.organizations o WHERE o.id = $1 OR o.slug = $2 ORDER BY o.id = $1 DESC)";
constexpr std::string_view add_months_sql = "SELECT recruiting.add_audit_months($1::date[])";
constexpr std::string_view moving_sql = "SELECT set_config('recruiting.moving', 'on', true)";

// A person is who has the address here; else whoever has the id, under whatever address; else they are new.
constexpr std::string_view add_people_sql = R"(
INSERT INTO recruiting.users (id, email_key, name, created_at, updated_at)
SELECT m.id, m.email_key, m.name, m.created_at, m.updated_at FROM moved_users m
WHERE NOT EXISTS (SELECT FROM recruiting.users u WHERE u.id = m.id OR u.email_key = m.email_key)
ON CONFLICT DO NOTHING)";
constexpr std::string_view map_people_sql = R"(
CREATE TEMPORARY TABLE moved_people ON COMMIT DROP AS
SELECT m.id AS was, coalesce(u.id, m.id) AS now FROM moved_users m
LEFT JOIN recruiting.users u ON u.email_key = m.email_key)";

constexpr std::string_view addresses_sql = R"(
SELECT m.email, u.email_key FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
WHERE m.organization_id = $1 AND u.email_key IS NOT NULL
UNION ALL
SELECT c.email, c.email_key FROM recruiting.candidates c WHERE c.organization_id = $1 AND c.email_key IS NOT NULL)";
struct address_columns {
    enum : int { email, email_key };
};

constexpr std::string_view last_action_sql = R"(
SELECT l.action = 'organization.exported' FROM recruiting.audit_log l
JOIN recruiting.audit_heads h ON h.organization_id = l.organization_id AND h.sequence = l.sequence
WHERE l.organization_id = $1)";

// Those who are members here only are forgotten with it.
constexpr std::string_view remember_people_sql = R"(
CREATE TEMPORARY TABLE removed_people ON COMMIT DROP AS
SELECT DISTINCT m.user_id AS id FROM recruiting.memberships m
WHERE m.organization_id = '{}'
  AND NOT EXISTS (SELECT FROM recruiting.memberships o
                  WHERE o.user_id = m.user_id AND o.organization_id <> m.organization_id))";
constexpr std::array<std::string_view, 4> forget_sessions_sql{
    "DELETE FROM recruiting.console_sessions s USING removed_people p WHERE p.id = s.user_id",
    "UPDATE recruiting.console_sessions s SET membership_id = NULL FROM recruiting.memberships m "
    "WHERE m.id = s.membership_id AND m.organization_id = '{}'",
    "DELETE FROM recruiting.sign_in_tokens t WHERE t.user_id IN (SELECT id FROM removed_people) "
    "OR t.membership_id IN (SELECT id FROM recruiting.memberships WHERE organization_id = '{}')",
    "DELETE FROM recruiting.mail_outbox o USING removed_people p WHERE p.id = o.user_id"};
constexpr std::string_view forget_people_sql =
    "DELETE FROM recruiting.users u USING removed_people p WHERE p.id = u.id";

std::string with_id(std::string_view sql, uuid const& organization) {
    std::string out(sql);
    for (auto at = out.find("{}"); at != std::string::npos; at = out.find("{}"))
        out.replace(at, 2, to_string(organization));
    return out;
}

// The condition of its rows; $1 or a literal stands for the organization.
std::string rows_of(std::string_view table, std::string const& organization) {
    if (table == "organizations") return " WHERE id = " + organization;
    if (table == "users")
        return " WHERE id IN (SELECT user_id FROM recruiting.memberships WHERE organization_id = " + organization +
               " UNION SELECT user_id FROM recruiting.mail_outbox WHERE organization_id = " + organization + ")";
    return " WHERE organization_id = " + organization;
}

std::string named(std::string_view prefix, std::string_view table) { return std::string(prefix).append(table); }

bool refers_to_people(std::string_view table) { return table == "memberships" || table == "mail_outbox"; }

bool change_with_row(pg::client& database, uuid const& organization, std::string_view sql, std::string_view action) {
    pg::transaction whole(database);
    bool const changed = database.run(sql, pg::params().id(organization)).affected() > 0;
    if (changed) record(database, organization, action);
    whole.commit();
    return changed;
}

} // namespace

// The row of the freeze is the last that is written before it.
bool freeze(pg::client& database, uuid const& organization) {
    return change_with_row(database, organization, freeze_sql, "organization.frozen");
}

bool unfreeze(pg::client& database, uuid const& organization) {
    return change_with_row(database, organization, unfreeze_sql, "organization.unfrozen");
}

bool is_frozen(pg::client& database, uuid const& organization) {
    return !database.run(is_frozen_sql, pg::params().id(organization)).empty();
}

std::vector<std::string> select_unfinished(pg::client& database, uuid const& organization,
                                           std::chrono::milliseconds settle) {
    database.run(audit::write_refused_counts());
    auto const found = database.run(unfinished_sql, pg::params().id(organization).integer(settle.count()));
    std::vector<std::string> words;
    for (int column = 0; !found.empty() && column < found.columns(); ++column)
        if (found.boolean(0, column)) words.emplace_back(unfinished_words.at(static_cast<std::size_t>(column)));
    return words;
}

bool seal(pg::client& database, uuid const& organization) {
    database.run(audit::seal_rows(sealed_at_once));
    return database.run(waiting_sql, pg::params().id(organization)).empty();
}

void record(pg::client& database, uuid const& organization, std::string_view action) {
    directory::record_change(database, {organization, action, "organization", organization}, {});
}

void begin_snapshot(pg::client& database) {
    database.run(snapshot_sql);
    use_text_form(database);
}

void use_text_form(pg::client& database) { database.run(text_form_sql); }

int schema_version(pg::client& database) {
    return static_cast<int>(database.run("SELECT recruiting.schema_version()").integer(0, 0));
}

audit_end select_audit_end(pg::client& database, uuid const& organization) {
    auto const found = database.run(audit_end_sql, pg::params().id(organization));
    return found.empty() ? audit_end{} : audit_end{found.integer(0, 0), std::string(found.text(0, 1))};
}

namespace {

std::vector<std::string> texts(pg::rows const& found) {
    std::vector<std::string> out;
    for (int row = 0; row < found.size(); ++row) out.emplace_back(found.text(row, 0));
    return out;
}

} // namespace

std::vector<std::string> select_audit_months(pg::client& database, uuid const& organization) {
    return texts(database.run(audit_months_sql, pg::params().id(organization)));
}

std::vector<std::string> select_active_keys(pg::client& database, uuid const& organization) {
    return texts(database.run(active_keys_sql, pg::params().id(organization)));
}

std::string select_columns(pg::client& database, std::string_view table) {
    return std::string(database.run(columns_sql, pg::params().text(table)).text(0, 0));
}

std::int64_t copy_rows(pg::client& database, std::string_view table, std::string const& columns,
                       uuid const& organization, std::function<void(std::string_view)> const& take) {
    return database.copy_out("COPY (SELECT " + columns + " FROM " + named("recruiting.", table) +
                                 rows_of(table, "'" + to_string(organization) + "'") + ") TO STDOUT",
                             take);
}

std::optional<std::string> find_conflict(pg::client& database, uuid const& organization, std::string const& slug) {
    auto const found = database.run(conflict_sql, pg::params().id(organization).text(slug));
    if (found.empty()) return std::nullopt;
    if (found.boolean(0, 0)) return "this installation has the organization already";
    return "another organization of this installation has the slug " + slug;
}

void add_audit_months(pg::client& database, std::vector<std::string> const& months) {
    database.run(add_months_sql, pg::params().text_array(months));
}

void begin_moving(pg::client& database) {
    use_text_form(database);
    database.run(moving_sql);
}

void begin_rows(pg::client& database, std::string_view table, std::string const& columns) {
    auto const temporary = named("moved_", table);
    database.run("CREATE TEMPORARY TABLE " + temporary + " ON COMMIT DROP AS SELECT " + columns + " FROM " +
                 named("recruiting.", table) + " WITH NO DATA");
    database.copy_start("COPY " + temporary + " (" + columns + ") FROM STDIN");
}

void finish_rows(pg::client& database, std::string_view table, std::string const& columns) {
    database.copy_finish();
    auto const temporary = named("moved_", table);
    if (table == "users") {
        database.run(add_people_sql);
        database.run(map_people_sql);
    } else {
        if (refers_to_people(table))
            database.run("UPDATE " + temporary + " m SET user_id = p.now FROM moved_people p WHERE p.was = m.user_id");
        database.run("INSERT INTO " + named("recruiting.", table) + " (" + columns + ") SELECT " + columns + " FROM " +
                     temporary);
    }
    database.run("DROP TABLE " + temporary);
}

bool has_own_addresses(pg::client& database, uuid const& organization) {
    auto const found = database.run(addresses_sql, pg::params().id(organization));
    for (int row = 0; row < found.size(); ++row)
        if (mail::canonical_address(found.text(row, address_columns::email)) !=
            found.text(row, address_columns::email_key))
            return false;
    return true;
}

std::int64_t count_rows(pg::client& database, std::string_view table, uuid const& organization) {
    return database
        .run("SELECT count(*) FROM " + named("recruiting.", table) + rows_of(table, "$1::uuid"),
             pg::params().id(organization))
        .integer(0, 0);
}

bool ends_with_export(pg::client& database, uuid const& organization) {
    auto const found = database.run(last_action_sql, pg::params().id(organization));
    return !found.empty() && found.boolean(0, 0) && database.run(waiting_sql, pg::params().id(organization)).empty();
}

void remove(pg::client& database, uuid const& organization) {
    database.run(moving_sql);
    database.run(with_id(remember_people_sql, organization));
    for (auto const sql : forget_sessions_sql) database.run(with_id(sql, organization));
    database.run(unfreeze_sql, pg::params().id(organization));
    for (auto const table : moved_tables | std::views::reverse)
        if (table != "users")
            database.run("DELETE FROM " + named("recruiting.", table) + rows_of(table, "$1::uuid"),
                         pg::params().id(organization));
    database.run(forget_people_sql);
}

} // namespace recruiting::recruitctl::store
