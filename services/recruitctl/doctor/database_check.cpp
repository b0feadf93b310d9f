#include "recruitctl/doctor/database.hpp"

#include <algorithm>
#include <cmath>

namespace recruiting::recruitctl::doctor {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t least_version = 150'000;
constexpr std::int64_t spare_connections = 10; // recruitctl, monitoring, an instance that starts before one ends

std::string version_text(std::int64_t number) {
    return std::to_string(number / 10'000) + "." + std::to_string(number % 10'000);
}

finding check_version(server_facts const& of) {
    if (of.version >= least_version) return ok("versions.postgres", version_text(of.version));
    return problem("versions.postgres", "PostgreSQL " + version_text(of.version) + " is older than 15",
                   "upgrade the server with pg_upgrade to 15 or later");
}

finding check_durability(server_facts const& of) {
    std::string wrong;
    for (auto const& [name, value] : {std::pair{"fsync", of.fsync}, std::pair{"full_page_writes", of.full_page_writes},
                                      std::pair{"synchronous_commit", of.synchronous_commit}})
        if (value == "off") wrong += (wrong.empty() ? "" : ", ") + std::string(name) + " is off";
    auto const* const check = "database.durability";
    if (wrong.empty()) return ok(check, "responses survive a crash");
    return problem(check, wrong + ": audit rows and bookings of sent responses may be lost in a crash",
                   "set them on in postgresql.conf, then SELECT pg_reload_conf()");
}

finding check_connections(server_facts const& of, std::optional<connection_demand> const& demand) {
    auto const* const check = "database.connections";
    if (!demand)
        return skipped(check, "no program of this host opens connections", "on a host that has auth-api or public-api");
    auto const wanted = demand->auth_api + demand->public_api;
    auto const usable = of.connections_most - of.connections_reserved;
    auto const text = "auth-api may open " + std::to_string(demand->auth_api) + ", public-api " +
                      std::to_string(demand->public_api) + " (one instance each); " + std::to_string(usable) +
                      " may be open";
    if (wanted > usable)
        return problem(check, text,
                       "raise max_connections in postgresql.conf, or lower RECRUITING_AUTH_API_THREADS and "
                       "RECRUITING_PUBLIC_API_THREADS");
    if (wanted * 2 + spare_connections > usable)
        return warning(check, text + ": not enough for a second instance of each, as rolling restarts need",
                       "raise max_connections in postgresql.conf");
    return ok(check, text);
}

void check_confinement(server_facts const& of, findings& out) {
    if (of.services_confined) out.push_back(ok("database.confinement", "the services' roles have no unneeded rights"));
    else
        out.push_back(warning("database.confinement",
                              "the services' roles have rights that PostgreSQL gives to every role: large objects, "
                              "advisory locks, pg_notify",
                              "as a superuser, in this database: psql --dbname recruiting --file confine_roles.sql "
                              "(of deploy/postgresql, or /usr/share/recruiting/postgresql)"));
    if (!of.other_databases.empty())
        out.push_back(warning("database.other-databases", "the services' roles may connect to " + of.other_databases,
                              "confine_roles.sql closes postgres and template1; of others, as their owner: GRANT "
                              "CONNECT ON DATABASE … to their users, then REVOKE CONNECT ON DATABASE … FROM PUBLIC"));
}

void check_activity(server_facts const& of, findings& out) {
    auto const* const hidden = "database.statistics";
    if (of.statistics_hidden) out.push_back(ok(hidden, "hidden from the services' roles"));
    else
        out.push_back(warning(hidden,
                              "the services' roles can read PostgreSQL's counters: a compromised public-api could "
                              "observe how bookings are matched",
                              "as a superuser, in this database: psql --dbname recruiting --file "
                              "hide_statistics.sql (of deploy/postgresql, or /usr/share/recruiting/postgresql)"));
    if (!of.sees_transactions)
        out.push_back(skipped("database.transactions", "other roles' transactions are not shown to " + of.user,
                              "as a superuser: GRANT pg_monitor TO " + of.user));
    if (!of.own_transactions_only)
        out.push_back(warning("database.transactions",
                              "syncs wait for transactions of every database of the server, because PostgreSQL hides "
                              "from recruiting_owner which database a transaction is in",
                              "as a superuser, in this database: GRANT EXECUTE ON FUNCTION "
                              "pg_stat_get_activity(integer) TO recruiting_owner"));
    for (auto const& one : of.transactions) {
        if (!one.here && of.own_transactions_only) continue; // holds nothing back here
        out.push_back(warning("database.transactions",
                              "a transaction is open for " + std::to_string(one.seconds / 60) +
                                  " minutes in the database " + one.database + ", by process " +
                                  std::to_string(one.pid) + " (" + one.application +
                                  "): sync tokens and vacuum wait for it",
                              "end it: SELECT pg_terminate_backend(" + std::to_string(one.pid) + ")"));
    }
    if (of.prepared_transactions > 0)
        out.push_back(warning("database.transactions",
                              counted(of.prepared_transactions, "prepared transaction") + " wait",
                              "see pg_prepared_xacts; COMMIT PREPARED or ROLLBACK PREPARED each"));
    for (auto const& slot : of.idle_slots)
        out.push_back(warning("database.replication",
                              "no consumer reads the replication slot " + slot + ": the write-ahead log fills the disk",
                              "start its reader, or SELECT pg_drop_replication_slot('" + slot + "')"));
}

// What the programs of this host may open as that role; 0: nothing that is known.
std::int64_t demand_as(std::string_view role, std::optional<connection_demand> const& demand) {
    if (!demand) return 0;
    return role == "recruiting_auth" ? demand->auth_api : role == "recruiting_public" ? demand->public_api : 0;
}

finding check_role(role_facts const& of, std::int64_t wanted) {
    auto const check = "database." + of.name;
    if (!of.there)
        return problem(check, "the role does not exist", "recruitctl migrate, as a role that may create roles");
    std::string wrong;
    std::string fix;
    auto const forbid = [&](bool has, char const* words, char const* attribute) {
        if (!has) return;
        wrong += (wrong.empty() ? "" : ", ") + std::string(words);
        fix += " " + std::string(attribute);
    };
    forbid(of.superuser, "is a superuser", "NOSUPERUSER");
    forbid(of.bypasses_rls, "bypasses row-level security", "NOBYPASSRLS");
    bool const service = of.name != "recruiting_owner";
    forbid(service && of.creates_roles, "may create roles", "NOCREATEROLE");
    forbid(service && of.creates_databases, "may create databases", "NOCREATEDB");
    if (!wrong.empty()) return problem(check, "the role " + wrong, alter_role_sql(of.name, fix));
    if (service && !of.memberships.empty())
        return problem(check, "the role has the rights of " + of.memberships,
                       "REVOKE " + of.memberships + " FROM " + of.name);
    if (of.connection_limit >= 0 && of.connection_limit < wanted)
        return problem(check,
                       "the role may hold " + counted(of.connection_limit, "connection") + ", and one instance opens " +
                           std::to_string(wanted),
                       alter_role_sql(of.name, " CONNECTION LIMIT " + std::to_string(wanted * 2)));
    if (service && !of.settings.empty())
        return warning(check, "the role has settings in PostgreSQL that the service could have changed: " + of.settings,
                       "if you did not set them:" + std::string(" ") + alter_role_sql(of.name, " RESET ALL"));
    return ok(check, "has no forbidden right");
}

} // namespace

findings check_server(observed<server_facts> const& facts, std::optional<connection_demand> demand) {
    if (!facts.found) return {skipped("database.server", facts.why)};
    auto const& of = *facts.found;
    findings out{check_version(of)};
    if (of.user == "recruiting_owner") out.push_back(ok("database.owner", "recruitctl is recruiting_owner"));
    else
        out.push_back(warning("database.owner", "recruitctl is " + of.user + ", not recruiting_owner",
                              "name recruiting_owner in RECRUITING_DATABASE_URL"));
    if (of.standby)
        out.push_back(problem("database.primary", "this is a standby, which accepts no writes",
                              "name the primary in RECRUITING_DATABASE_URL; several hosts with "
                              "target_session_attrs=read-write follow a failover"));
    out.push_back(check_durability(of));
    out.push_back(check_connections(of, demand));
    check_confinement(of, out);
    check_activity(of, out);
    return out;
}

findings check_roles(observed<std::vector<role_facts>> const& facts, std::optional<connection_demand> demand) {
    if (!facts.found) return {skipped("database.roles", facts.why)};
    findings out;
    for (auto const& role : *facts.found) out.push_back(check_role(role, demand_as(role.name, demand)));
    return out;
}

findings check_protection(observed<std::vector<std::string>> const& unprotected) {
    auto const* const check = "database.row-security";
    if (!unprotected.found) return {skipped(check, unprotected.why)};
    if (unprotected.found->empty()) return {ok(check, "forced on every table")};
    findings out;
    for (auto const& table : *unprotected.found)
        out.push_back(problem(check, "not forced on recruiting." + table, force_row_security_sql(table)));
    return out;
}

findings check_migrations(observed<std::vector<applied_migration>> const& applied,
                          observed<std::vector<migration>> const& files) {
    auto const* const check = "migrations.schema";
    if (!applied.found) return {skipped(check, applied.why)};
    if (applied.found->empty()) return {problem(check, "the database has no schema", "recruitctl migrate")};
    if (!files.found) return {skipped(check, files.why, "RECRUITING_MIGRATIONS_DIR")};
    findings out;
    auto const add = [&](migration_line const& line, char const* wrong, char const* fix) {
        out.push_back(problem(check, line.name + wrong, fix));
    };
    for (auto const& line : compare(*files.found, *applied.found)) switch (line.state) {
        case migration_state::applied: break;
        case migration_state::pending: add(line, " is not applied", "recruitctl migrate"); break;
        case migration_state::changed:
            add(line, " is not the file that was applied",
                "install the recruitctl that belongs to this database, unchanged");
            break;
        case migration_state::unknown:
            add(line, " was applied by a newer recruitctl than this one",
                "install the recruitctl and the programs of that version");
            break;
        }
    if (out.empty()) out.push_back(ok(check, "up to date at " + files.found->back().name));
    return out;
}

findings check_restore(observed<identity_facts> const& facts) {
    auto const* const check = "database.restored";
    if (!facts.found) return {skipped(check, facts.why)};
    auto const& of = *facts.found;
    auto const since = format_time(of.confirmed_at);
    auto const* const fix =
        "recruitctl key revoke --from FILE, with what `recruitctl audit head --json` wrote last; or, "
        "when no key was revoked since, recruitctl restore dismiss";
    if (of.restored)
        return {warning(check,
                        "the database was restored from a dump after " + since +
                            ": keys that were revoked after the backup work again",
                        fix)};
    if (is_another(of))
        return {
            warning(check,
                    "PostgreSQL is on timeline " + std::to_string(*of.timeline) + ", and was on " +
                        std::to_string(*of.confirmed_timeline) + " at " + since +
                        ": it was promoted, or restored to a point in time. Keys whose revocation was lost work again",
                    fix)};
    if (!of.known)
        return {skipped(check, "not restored from a dump since " + since + "; whether it was promoted is not known"),
                warning("database.server-line",
                        "PostgreSQL hides from recruiting_owner which server this is: programs don't detect a second "
                        "primary, sync tokens miss changes after a failover, and doctor does not detect a promotion",
                        "as a superuser, in this database: psql --dbname recruiting --file hide_statistics.sql of this "
                        "version (of deploy/postgresql, or /usr/share/recruiting/postgresql)")};
    if (!of.was_known)
        return {warning(check,
                        "PostgreSQL did not report at " + since +
                            " which server this is: a promotion or a restore since then is not detected",
                        "recruitctl restore dismiss, once you know that no revocation was lost since then")};
    return {ok(check, "neither restored nor promoted since " + since),
            ok("database.server-line", "PostgreSQL reports which server this is")};
}

findings check_clock(observed<clock_facts> const& facts, std::string const& of) {
    auto const check = "clock." + of;
    if (!facts.found) return {skipped(check, facts.why)};
    auto const difference = facts.found->there - facts.found->here;
    auto const size = difference < 0us ? -difference : difference;
    auto const seconds = std::chrono::duration<double>(size).count();
    // The round trip's uncertainty is no error of a clock.
    auto const certain = size - std::min<std::chrono::microseconds>(size, facts.found->uncertainty);
    auto const text = "differs from this host's by " + std::to_string(std::lround(seconds * 1000)) + " ms";
    auto const* const fix = "run a time service on both hosts (chrony or systemd-timesyncd): timedatectl status";
    if (certain > 30s) return {problem(check, text, fix)};
    if (certain > 1s) return {warning(check, text, fix)};
    return {ok(check, text)};
}

} // namespace recruiting::recruitctl::doctor
