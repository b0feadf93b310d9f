#include "core/text.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "recruitctl/doctor/database.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

constexpr std::chrono::seconds long_transaction{600};

constexpr std::string_view limit_sql = "SELECT set_config('statement_timeout', $1, false), "
                                       "set_config('lock_timeout', '1s', false), "
                                       "set_config('default_transaction_read_only', 'on', false)";
constexpr std::string_view user_sql = "SELECT current_user::text";
struct user_columns {
    enum : int { name };
};

// pg_stat_get_snapshot_timestamp stands for the functions that hide_statistics.sql takes from everybody, lo_create for
// those of confine_roles.sql.
constexpr std::string_view server_sql = R"sql(
SELECT current_setting('server_version_num')::bigint, current_user::text, pg_is_in_recovery(),
       current_setting('max_connections')::bigint, current_setting('superuser_reserved_connections')::bigint,
       current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
       coalesce((SELECT NOT has_function_privilege(oid, 'pg_stat_get_snapshot_timestamp()', 'EXECUTE')
                   FROM pg_roles WHERE rolname = 'recruiting_public'), false),
       has_function_privilege('pg_stat_get_activity(integer)', 'EXECUTE') AND pg_has_role('pg_read_all_stats', 'USAGE'),
       (SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()),
       NOT coalesce((SELECT bool_or(has_function_privilege(oid, 'lo_create(oid)', 'EXECUTE')) FROM pg_roles
                      WHERE rolname IN ('recruiting_auth', 'recruiting_public')), false),
       (SELECT string_agg(datname::text, ', ' ORDER BY datname) FROM pg_database d
         WHERE datallowconn AND datname <> current_database()
           AND EXISTS (SELECT FROM pg_roles r WHERE rolname IN ('recruiting_auth', 'recruiting_public')
                          AND has_database_privilege(r.oid, d.oid, 'CONNECT'))),
       coalesce((SELECT has_function_privilege(oid, 'pg_stat_get_activity(integer)', 'EXECUTE') FROM pg_roles
                  WHERE rolname = 'recruiting_owner'), true)
)sql";
struct server_columns {
    enum : int {
        version,
        user,
        is_standby,
        connections_most,
        connections_reserved,
        fsync,
        full_page_writes,
        synchronous_commit,
        statistics_hidden,
        sees_transactions,
        prepared_transactions,
        services_confined,
        other_databases,
        own_transactions_only
    };
};
constexpr std::string_view slots_sql =
    "SELECT slot_name::text FROM pg_replication_slots WHERE NOT active ORDER BY slot_name";
// What keeps a transaction open holds back sync tokens and vacuum of its database; one that writes, those
// of every database where recruiting.transaction_horizon can't tell them apart.
constexpr std::string_view transactions_sql = R"sql(
SELECT datname::text, pid, extract(epoch FROM clock_timestamp() - xact_start)::bigint, application_name,
       datname = current_database()
  FROM pg_stat_activity
 WHERE xact_start < clock_timestamp() - make_interval(secs => $1::bigint) AND pid <> pg_backend_pid()
   AND (datname = current_database() OR backend_xid IS NOT NULL)
 ORDER BY xact_start LIMIT 5
)sql";
struct transaction_columns {
    enum : int { database, pid, open_seconds, application_name, is_of_this_database };
};

constexpr std::string_view roles_sql = R"sql(
SELECT wanted.name, r.oid IS NOT NULL, coalesce(r.rolsuper, false), coalesce(r.rolbypassrls, false),
       coalesce(r.rolcreaterole, false), coalesce(r.rolcreatedb, false), coalesce(r.rolconnlimit, -1)::bigint,
       (SELECT string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_auth_members m
          JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = r.oid),
       (SELECT string_agg(DISTINCT kept.name, ', ') FROM pg_db_role_setting s,
               LATERAL (SELECT split_part(unnest(s.setconfig), '=', 1) AS name) kept
         WHERE s.setrole = r.oid
           AND kept.name NOT IN (SELECT name FROM pg_settings WHERE context IN ('superuser', 'superuser-backend')))
  FROM unnest(ARRAY['recruiting_owner', 'recruiting_auth', 'recruiting_public']) WITH ORDINALITY AS wanted (name, place)
  LEFT JOIN pg_roles r ON r.rolname = wanted.name
 ORDER BY wanted.place
)sql";
struct role_columns {
    enum : int {
        name,
        exists,
        is_superuser,
        bypasses_rls,
        may_create_roles,
        may_create_databases,
        connection_limit,
        member_of,
        kept_settings
    };
};

// schema_migrations holds nothing of a tenant.
constexpr std::string_view unprotected_sql = R"sql(
SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = 'recruiting' AND c.relkind IN ('r', 'p') AND c.relname <> 'schema_migrations'
   AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
 ORDER BY 1
)sql";

constexpr std::string_view now_sql = "SELECT clock_timestamp()";
struct now_columns {
    enum : int { now };
};

// Of the ends that no other partition continues, the first one ahead is where rows have no partition any more.
constexpr std::string_view partitions_sql = R"sql(
WITH p AS MATERIALIZED (SELECT * FROM recruiting.audit_partitions('audit_log')),
     newest AS (SELECT * FROM p ORDER BY starts_at DESC LIMIT 1),
     ahead AS (SELECT min(a.ends_at) AS until FROM p a
                WHERE a.ends_at > now()
                  AND NOT EXISTS (SELECT FROM p b WHERE b.starts_at <= a.ends_at AND b.ends_at > a.ends_at))
SELECT (SELECT partition FROM p ORDER BY starts_at LIMIT 1), (SELECT partition FROM newest),
       EXISTS (SELECT FROM p WHERE starts_at <= now() AND ends_at > now()),
       coalesce((SELECT until < CASE WHEN newest.ends_at - newest.starts_at < interval '2 days'
                                     THEN now() + interval '20 days'
                                     ELSE (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '3 months')
                                          AT TIME ZONE 'UTC' END
                   FROM ahead, newest), true),
       coalesce((SELECT extract(epoch FROM until - now()) FROM ahead) / 86400, 0)::bigint,
       (SELECT partition FROM p WHERE ends_at <= now() - make_interval(secs => $1::bigint) ORDER BY starts_at LIMIT 1)
)sql";
struct partition_columns {
    enum : int { first, last, has_now, is_soon_missing, days_ahead, too_old };
};

constexpr std::string_view exposure_key_sql =
    "SELECT public_key FROM recruiting.exposure_keys ORDER BY created_at DESC LIMIT 1";
struct exposure_key_columns {
    enum : int { public_key };
};

// Of slots_sql and unprotected_sql.
struct name_columns {
    enum : int { name };
};
std::vector<std::string> names_in(pg::rows const& found) {
    std::vector<std::string> out;
    for (int row = 0; row < found.size(); ++row) out.emplace_back(found.text(row, name_columns::name));
    return out;
}

std::vector<open_transaction> read_transactions(pg::client& database) {
    std::vector<open_transaction> out;
    auto const found = database.run(transactions_sql, pg::params{}.integer(long_transaction.count()));
    for (int row = 0; row < found.size(); ++row)
        out.push_back({std::string(found.text(row, transaction_columns::database)),
                       found.integer(row, transaction_columns::pid),
                       found.integer(row, transaction_columns::open_seconds),
                       std::string(found.text(row, transaction_columns::application_name)),
                       found.boolean(row, transaction_columns::is_of_this_database)});
    return out;
}

server_facts read_server(pg::client& database) {
    auto const found = database.run(server_sql);
    server_facts out;
    out.version = found.integer(0, server_columns::version);
    out.user = found.text(0, server_columns::user);
    out.standby = found.boolean(0, server_columns::is_standby);
    out.connections_most = found.integer(0, server_columns::connections_most);
    out.connections_reserved = found.integer(0, server_columns::connections_reserved);
    out.fsync = found.text(0, server_columns::fsync);
    out.full_page_writes = found.text(0, server_columns::full_page_writes);
    out.synchronous_commit = found.text(0, server_columns::synchronous_commit);
    out.statistics_hidden = found.boolean(0, server_columns::statistics_hidden);
    out.prepared_transactions = found.integer(0, server_columns::prepared_transactions);
    out.services_confined = found.boolean(0, server_columns::services_confined);
    out.other_databases = found.text(0, server_columns::other_databases);
    out.idle_slots = names_in(database.run(slots_sql));
    out.sees_transactions = found.boolean(0, server_columns::sees_transactions);
    out.own_transactions_only = found.boolean(0, server_columns::own_transactions_only);
    if (out.sees_transactions) out.transactions = read_transactions(database);
    return out;
}

std::vector<role_facts> read_roles(pg::client& database) {
    std::vector<role_facts> out;
    auto const found = database.run(roles_sql);
    for (int row = 0; row < found.size(); ++row)
        out.push_back(
            {std::string(found.text(row, role_columns::name)), found.boolean(row, role_columns::exists),
             found.boolean(row, role_columns::is_superuser), found.boolean(row, role_columns::bypasses_rls),
             found.boolean(row, role_columns::may_create_roles), found.boolean(row, role_columns::may_create_databases),
             found.integer(row, role_columns::connection_limit), std::string(found.text(row, role_columns::member_of)),
             std::string(found.text(row, role_columns::kept_settings))});
    return out;
}

timestamp now_here() {
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

clock_facts read_clock(pg::client& database) {
    database.run(now_sql); // prepares it: the next answer takes one round trip
    auto const asked = now_here();
    auto const there = database.run(now_sql).time(0, now_columns::now);
    auto const half = (now_here() - asked) / 2;
    return {asked + half, there, half};
}

table_partitions read_partitions(pg::client& database, database_questions const& ask) {
    pg::params parameters;
    if (ask.retention) parameters.integer(ask.retention->count() / 1000);
    else parameters.null();
    auto const found = database.run(partitions_sql, parameters);
    table_partitions out;
    out.first = found.text(0, partition_columns::first);
    out.last = found.text(0, partition_columns::last);
    out.now = found.boolean(0, partition_columns::has_now);
    out.soon_missing = found.boolean(0, partition_columns::is_soon_missing);
    out.days_ahead = found.integer(0, partition_columns::days_ahead);
    out.too_old = found.text(0, partition_columns::too_old);
    return out;
}

std::string read_exposure_key(pg::client& database) {
    auto const found = database.run(exposure_key_sql);
    return found.empty() ? std::string() : std::string(found.bytes(0, exposure_key_columns::public_key));
}

// A part that PostgreSQL refuses leaves the others alone; an outage ends it all.
template <class Read>
auto look_up(Read const& read) -> observed<decltype(read())> {
    try {
        return {read(), {}};
    } catch (pg::query_error const& error) {
        return {std::nullopt, std::string(error.what()) + " (SQLSTATE " + error.sqlstate() + ")"};
    } catch (std::logic_error const& error) { // a value of another shape than the schema's
        return {std::nullopt, error.what()};
    }
}

} // namespace

database_facts read_database(pg::client& database, database_questions const& ask) {
    database.run(limit_sql, pg::params{}.text(std::to_string(ask.statement_limit.count())));
    database_facts out;
    out.server = look_up([&] { return read_server(database); });
    out.roles = look_up([&] { return read_roles(database); });
    out.unprotected_tables = look_up([&] { return names_in(database.run(unprotected_sql)); });
    out.clock = look_up([&] { return read_clock(database); });
    out.migrations = look_up([&] { return select_applied(database); });
    out.partitions = look_up([&] { return read_partitions(database, ask); });
    out.sealer = look_up([&] { return read_sealer(database, ask); });
    out.restore = look_up([&] { return select_identity(database); });
    out.archive = look_up([&] { return read_archive(database); });
    out.queues = look_up([&] { return read_queues(database); });
    out.exposure_key = look_up([&] { return read_exposure_key(database); });
    return out;
}

std::string alter_role_sql(std::string const& role, std::string const& attributes) {
    return "ALTER ROLE " + role + attributes;
}

std::string force_row_security_sql(std::string const& table) {
    return "ALTER TABLE recruiting." + table + " ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY";
}

std::string role_of(pg::client& database) { return std::string(database.run(user_sql).text(0, user_columns::name)); }

} // namespace recruiting::recruitctl::doctor
