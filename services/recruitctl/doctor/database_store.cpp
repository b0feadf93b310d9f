// The checks of PostgreSQL, as recruiting_owner. Nothing is changed, and every statement is bounded.
#include "auth/pepper.hpp"
#include "core/redact.hpp"
#include "core/text.hpp"
#include "recruitctl/commands/restore.hpp"
#include "recruitctl/doctor/check.hpp"

#include <algorithm>
#include <cmath>

namespace recruiting::recruitctl::doctor {
namespace {

using namespace std::chrono_literals;

pg::client opened(std::string const& url, site const& of) {
    pg::client_options how;
    how.application_name = "recruitctl doctor";
    how.deadline = std::chrono::steady_clock::now() + of.limit;
    return {url, how};
}

constexpr std::string_view session_sql = "SELECT set_config('statement_timeout', $1, false), "
                                         "set_config('lock_timeout', '1s', false), "
                                         "set_config('default_transaction_read_only', 'on', false)";

pg::client as_owner(site const& of) {
    auto const url = of.own_setting("RECRUITING_DATABASE_URL");
    if (url.empty()) throw std::runtime_error("RECRUITING_DATABASE_URL is not set");
    auto database = opened(url, of);
    database.run(session_sql, pg::params{}.text(std::to_string(of.limit.count())));
    return database;
}

constexpr std::string_view login_sql = "SELECT current_user::text, pg_is_in_recovery()";

constexpr std::string_view now_sql = "SELECT clock_timestamp()";

timestamp now_here() {
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

// What is open: the functions that deploy/postgresql/confine_roles.sql takes from the role. A test compares the lists.
constexpr std::string_view roles_sql = R"sql(
SELECT wanted.name, r.oid IS NOT NULL,
       concat_ws(', ', CASE WHEN r.rolsuper THEN 'is a superuser' END,
                 CASE WHEN r.rolbypassrls THEN 'bypasses row-level security' END,
                 CASE WHEN r.rolcreaterole AND wanted.place > 1 THEN 'may create roles' END,
                 CASE WHEN r.rolcreatedb AND wanted.place > 1 THEN 'may create databases' END,
                 (SELECT 'is a member of ' || string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_auth_members m
                    JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = r.oid AND wanted.place > 1)),
       open.functions, coalesce(open.names, '')
  FROM unnest(ARRAY['recruiting_owner', 'recruiting_auth', 'recruiting_public']) WITH ORDINALITY AS wanted (name, place)
  LEFT JOIN pg_roles r ON r.rolname = wanted.name,
  LATERAL (SELECT count(*) AS functions, array_to_string((array_agg(p.proname ORDER BY p.proname))[1:3], ', ') AS names
             FROM pg_proc p
            WHERE p.pronamespace = 'pg_catalog'::regnamespace AND wanted.place > 1
              AND (p.proname ~ '^(lo_|loread$|lowrite$)' OR p.proname = 'pg_notify'
                   OR (p.proname ~ '^pg_(try_)?advisory_' AND wanted.name <> 'recruiting_auth'))
              AND has_function_privilege(r.oid, p.oid, 'EXECUTE')) AS open
 ORDER BY wanted.place
)sql";

constexpr std::string_view encoding_sql = "SELECT current_setting('server_encoding')";

constexpr std::string_view organizations_exist_sql = "SELECT to_regclass('recruiting.organizations') IS NOT NULL";
constexpr std::string_view zones_sql = "SELECT DISTINCT time_zone FROM recruiting.organizations ORDER BY time_zone";
// Not pg_timezone_names, which fails as a whole if the folder is missing.
constexpr std::string_view local_time_sql = "SELECT (clock_timestamp() AT TIME ZONE $1::text)::text";
constexpr std::string_view unknown_zone = "22023"; // invalid_parameter_value

constexpr std::string_view durability_sql = R"sql(
SELECT string_agg(name || ' is off', ', ' ORDER BY name) FROM pg_settings
 WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
)sql";

// The functions that hide_statistics.sql takes from every role and that one of the services' roles may call. A test
// compares the lists.
constexpr std::string_view statistics_sql = R"sql(
SELECT count(*), coalesce(array_to_string((array_agg(p.proname ORDER BY p.proname))[1:3], ', '), '')
  FROM pg_proc p
 WHERE p.pronamespace = 'pg_catalog'::regnamespace
   AND (p.proname ~ '^pg_(stat_get_|control_|current_wal_|last_wal_)'
        OR p.proname IN ('pg_lock_status', 'pg_relation_size', 'pg_total_relation_size', 'pg_table_size',
                         'pg_indexes_size', 'pg_database_size', 'pg_tablespace_size', 'pg_get_replication_slots',
                         'pg_last_committed_xact'))
   AND EXISTS (SELECT FROM pg_roles r WHERE r.rolname IN ('recruiting_auth', 'recruiting_public')
                  AND has_function_privilege(r.oid, p.oid, 'EXECUTE'))
)sql";

/// "2 functions (a, b)"; of more than three the names of the first ones.
std::string listed_functions(std::int64_t number, std::string const& names) {
    return counted(number, "function") + " (" + names + (number > 3 ? ", …)" : ")");
}

constexpr std::string_view waiting_sql =
    "SELECT coalesce(extract(epoch FROM clock_timestamp() - recruiting.audit_waiting_since()), 0)::bigint, "
    "(SELECT count(*) FROM recruiting.audit_set_aside)";
constexpr std::int64_t sealing_lags = 60; // seconds: the sealer works every second
constexpr std::int64_t sealing_stands = 600;

constexpr std::string_view terms_are_old_sql =
    "SELECT version <> recruiting.search_folding_version() FROM recruiting.search_folding";

char const* state_of(migration_state is) {
    switch (is) {
    case migration_state::pending: return "is not applied";
    case migration_state::changed: return "is not the file that was applied";
    case migration_state::unknown: return "was applied by a newer recruitctl than this one";
    case migration_state::applied: break;
    }
    return "";
}

} // namespace

outcome postgres_login(site const& of, std::string_view name) {
    bool const owner = name.empty();
    std::string const setting = owner                ? "RECRUITING_DATABASE_URL"
                                : name == "auth-api" ? "RECRUITING_AUTH_API_DATABASE_URL"
                                                     : "RECRUITING_PUBLIC_API_DATABASE_URL";
    auto const* const wanted = owner                ? "recruiting_owner"
                               : name == "auth-api" ? "recruiting_auth"
                                                    : "recruiting_public";
    auto const url = owner ? of.own_setting(setting) : of.of(name).value(setting);
    if (url.empty()) return {verdict::skipped, setting + " is not known here", "set it, or run doctor on its host"};
    auto const shown = redact_url(url);
    try {
        auto database = opened(url, of);
        auto const found = database.run(login_sql);
        std::string const role(found.text(0, 0));
        if (role != wanted)
            return {owner ? verdict::warning : verdict::problem, shown + ": it logs in as " + role + ", not " + wanted};
        if (found.boolean(0, 1)) return {verdict::problem, shown + ": it is a standby, which accepts no writes"};
        return {verdict::ok, shown + ": logs in as " + role};
    } catch (std::exception const& error) {
        return {verdict::problem, shown + ": " + error.what()};
    }
}

outcome postgres_clock(site const& of, std::string_view) {
    auto database = as_owner(of);
    database.run(now_sql); // prepares it: the next answer takes one round trip
    auto const asked = now_here();
    auto const there = database.run(now_sql).time(0, 0);
    auto const half = (now_here() - asked) / 2;
    return evaluate_clock(there - (asked + half), half);
}

outcome evaluate_clock(std::chrono::microseconds difference, std::chrono::microseconds uncertainty) {
    auto const size = difference < 0us ? -difference : difference;
    // The round trip's uncertainty is no error of a clock.
    auto const certain = size - std::min(size, uncertainty);
    auto const milliseconds = std::lround(std::chrono::duration<double, std::milli>(size).count());
    return {certain > 30s  ? verdict::problem
            : certain > 1s ? verdict::warning
                           : verdict::ok,
            "differs from this host's by " + std::to_string(milliseconds) + " ms"};
}

outcome postgres_roles(site const& of, std::string_view) {
    auto database = as_owner(of);
    auto const found = database.run(roles_sql);
    std::vector<outcome> out{{verdict::ok, "no role has a right it should not have"}};
    for (auto row : found) {
        std::string role, excess, names;
        bool exists{false};
        std::int64_t functions{0};
        row.read(role, exists, excess, functions, names);
        if (!exists)
            out.push_back(
                {verdict::problem, role + " does not exist", "recruitctl migrate, as a role that may create roles"});
        else if (!excess.empty()) out.push_back({verdict::problem, role + " " + excess});
        else if (functions > 0)
            out.push_back({verdict::warning,
                           role + " may call " + listed_functions(functions, names) + " that it does not need",
                           "as a superuser, in this database: psql --dbname recruiting --file confine_roles.sql (of "
                           "deploy/postgresql, or /usr/share/recruiting/postgresql)"});
    }
    return worst_of(std::move(out));
}

outcome database_encoding(site const& of, std::string_view) {
    auto database = as_owner(of);
    auto const found = database.run(encoding_sql);
    std::string const encoding(found.text(0, 0));
    if (encoding == "UTF8") return {verdict::ok, "UTF8"};
    return {verdict::problem, "its encoding is " + encoding + ": names with other characters are refused or damaged"};
}

outcome database_zones(site const& of, std::string_view) {
    auto database = as_owner(of);
    std::vector<std::string> names(known_zones.begin(), known_zones.end());
    if (database.run(organizations_exist_sql).boolean(0, 0))
        for (auto row : database.run(zones_sql)) names.emplace_back(row.text());
    for (auto const& name : names) {
        try {
            database.run(local_time_sql, pg::params{}.text(name));
        } catch (pg::query_error const& error) {
            if (error.sqlstate() != unknown_zone) throw;
            return {verdict::problem, "PostgreSQL does not know the time zone " + name +
                                          ": organizations with it can't be created, nor their interviews planned"};
        }
    }
    return {verdict::ok, "known"};
}

outcome durability(site const& of, std::string_view) {
    auto database = as_owner(of);
    auto const found = database.run(durability_sql);
    std::string const off(found.text(0, 0));
    if (off.empty()) return {verdict::ok, "responses survive a crash"};
    return {verdict::problem, off + ": audit rows and bookings of sent responses may be lost in a crash"};
}

outcome statistics_hidden(site const& of, std::string_view) {
    auto database = as_owner(of);
    std::int64_t functions{0};
    std::string names;
    auto const found = database.run(statistics_sql);
    found[0].read(functions, names);
    if (functions == 0) return {verdict::ok, "hidden from the services' roles"};
    return {verdict::warning, "the services' roles can read PostgreSQL's counters by " +
                                  listed_functions(functions, names) +
                                  ": a compromised public-api could observe how bookings are matched"};
}

outcome restore_followed_up(site const& of, std::string_view) {
    auto database = as_owner(of);
    auto const found = select_identity(database);
    auto const since = format_time(found.confirmed_at);
    if (found.restored)
        return {verdict::warning, "the database was restored from a dump after " + since +
                                      ": keys that were revoked after the backup work again"};
    if (found.upgraded)
        return {verdict::warning,
                "PostgreSQL was upgraded with pg_upgrade after " + since +
                    ": if its data came from a backup, keys that were revoked after the backup work again",
                "recruitctl restore dismiss, or, when a backup was upgraded, recruitctl key revoke --from FILE, with "
                "what `recruitctl audit head --json` wrote last"};
    if (is_another(found))
        return {verdict::warning,
                "PostgreSQL is on timeline " + std::to_string(*found.timeline) + ", and was on " +
                    std::to_string(*found.confirmed_timeline) + " at " + since +
                    ": it was promoted, or restored to a point in time. Keys whose revocation was lost work again"};
    if (!found.known)
        return {verdict::warning,
                "PostgreSQL hides from recruiting_owner which server this is: a promotion is not detected, and sync "
                "tokens miss changes after one",
                "as a superuser, in this database: psql --dbname recruiting --file hide_statistics.sql of this version "
                "(of deploy/postgresql, or /usr/share/recruiting/postgresql)"};
    if (!found.was_known)
        return {verdict::warning,
                "PostgreSQL did not report at " + since +
                    " which server this is: a promotion or a restore since then is not detected",
                "recruitctl restore dismiss, once you know that no revocation was lost since then"};
    return {verdict::ok, "neither restored, upgraded nor promoted since " + since};
}

namespace {

std::optional<std::int64_t> fingerprint_of_file(std::string const& path) {
    if (path.empty()) return std::nullopt;
    return pepper_fingerprint(read_pepper(path));
}

} // namespace

outcome pepper_matches(site const& of, std::string_view) {
    auto const own = fingerprint_of_file(of.own_setting("RECRUITING_KEY_PEPPER_FILE"));
    auto const services = fingerprint_of_file(of.path(of.of("auth-api").value("RECRUITING_KEY_PEPPER_FILE")));
    auto const previous = fingerprint_of_file(of.path(of.of("auth-api").value("RECRUITING_KEY_PEPPER_PREVIOUS_FILE")));
    if (own && services && own != services)
        return {verdict::problem, "recruitctl and auth-api have different peppers",
                "let RECRUITING_KEY_PEPPER_FILE of both name files with the same content"};
    auto const file = services ? services : own;
    if (!file) return {verdict::skipped, "no pepper's file is known here", "run doctor as root on a host of auth-api"};
    auto database = as_owner(of);
    auto const facts = select_pepper_facts(database);
    if (facts.lacks(*file) && facts.fingerprint != previous)
        return {verdict::problem,
                counted(facts.current, "active key") + " can't be used: their pepper is not the file's",
                "restore the pepper's file from its backup or from another host of auth-api, then restart auth-api"};
    if (facts.lacks(*file))
        return {verdict::warning, "keys do not move to the new pepper yet",
                "recruitctl key pepper --adopt, once all instances of auth-api accept both peppers"};
    auto const unmoved = facts.other + (previous ? facts.unknown : 0);
    if (unmoved > 0)
        return {verdict::warning, counted(unmoved, "active key") + (unmoved == 1 ? " has" : " have") + " not moved: " +
                                      (previous ? "they work with the previous pepper only"
                                                : "they are of another pepper and can't be used")};
    return {verdict::ok, counted(facts.current, "active key") + " of the file's pepper, " +
                             std::to_string(facts.unknown) + " not used since it is compared"};
}

outcome schema_version(site const& of, std::string_view) {
    auto database = as_owner(of);
    auto const applied = select_applied(database);
    if (applied.empty()) return {verdict::problem, "the database has no schema"};
    if (of.migrations.empty()) return {verdict::skipped, of.no_migrations, "set RECRUITING_MIGRATIONS_DIR"};
    std::vector<outcome> out{{verdict::ok, "up to date at " + of.migrations.back().name}};
    for (auto const& line : compare(of.migrations, applied))
        if (line.state != migration_state::applied)
            out.push_back({verdict::problem, line.name + " " + state_of(line.state),
                           line.state == migration_state::pending
                               ? ""
                               : "install the recruitctl and the programs of the version that this database has"});
    if (out.size() == 1 && database.run(terms_are_old_sql).boolean(0, 0))
        out.push_back({verdict::warning,
                       "candidates are found by search terms of another version of the schema, PostgreSQL "
                       "or ICU: some letters are not found"});
    return worst_of(std::move(out));
}

outcome sealing(site const& of, std::string_view) {
    auto database = as_owner(of);
    auto const found = database.run(waiting_sql);
    if (auto const refused = found.integer(0, 1); refused > 0)
        return {verdict::problem, "audit_set_aside has " + counted(refused, "row") + ", which the audit log refused",
                "find out who wrote what recruiting.audit_set_aside has (audit.md), then delete it"};
    auto const seconds = found.integer(0, 0);
    if (seconds <= sealing_lags) return {verdict::ok, "no audit row waits long"};
    return {seconds > sealing_stands ? verdict::problem : verdict::warning,
            "an audit row has waited to be sealed for " + counted(seconds, "second")};
}

} // namespace recruiting::recruitctl::doctor
