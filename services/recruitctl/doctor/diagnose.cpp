#include "recruitctl/doctor/diagnose.hpp"

#include "auth/api_key.hpp"
#include "core/redact.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"
#include "recruitctl/doctor/bounded.hpp"
#include "recruitctl/doctor/database.hpp"
#include "recruitctl/doctor/host_check.hpp"
#include "recruitctl/doctor/servers_check.hpp"
#include "recruitctl/doctor/settings_check.hpp"
#include "recruitctl/doctor/standby_check.hpp"

#include <algorithm>

namespace recruiting::recruitctl::doctor {
namespace {

constexpr std::chrono::milliseconds grace{2'000}; // for what bounds itself, before it is left behind

// The order in which groups are shown: what the others stand on comes first.
constexpr std::array<std::string_view, 14> groups = {
    "settings",   "secrets", "reach",  "versions",      "clock", "database",     "migrations",
    "partitions", "sealer",  "queues", "organizations", "redis", "certificates", "host"};
std::ptrdiff_t position_of(std::string_view group) { return std::ranges::find(groups, group) - groups.begin(); }

void add(findings& to, findings const& more) { to.insert(to.end(), more.begin(), more.end()); }

// Only a running program reports how many.
std::optional<connection_demand> demand_of(installation const& of) {
    auto const& auth = of.program("auth-api").connections;
    auto const& pages = of.program("public-api").connections;
    if (!auth && !pages) return std::nullopt;
    return connection_demand{auth.value_or(0), pages.value_or(0)};
}

std::string exposure_key_of(installation const& of) {
    auto const pepper = read_secret(of.own_setting("RECRUITING_KEY_PEPPER_FILE")).value_or("");
    return pepper.empty() ? std::string() : exposure_keys(pepper).public_key;
}

// Ours, or the only one that is known.
std::string redis_of(installation const& of) {
    auto url = of.program("gateway").setting("RECRUITING_REDIS_URL");
    return url.empty() ? of.own_setting("RECRUITING_REDIS_URL") : std::move(url);
}

std::string other_redis_of(installation const& of) {
    auto const& pages = of.program("public-api");
    auto const own = pages.setting("RECRUITING_PUBLIC_API_REDIS_URL");
    auto const url = own.empty() ? pages.setting("RECRUITING_REDIS_URL") : own;
    return url == redis_of(of) ? std::string() : url;
}

struct role_url {
    char const* program;
    char const* setting;
    char const* role;
    char const* standby;
    char const* max_lag;
};
constexpr std::array<role_url, 2> role_urls{
    {{"auth-api", "RECRUITING_AUTH_API_DATABASE_URL", "recruiting_auth", "RECRUITING_AUTH_API_STANDBY_URL",
      "RECRUITING_AUTH_API_STANDBY_MAX_LAG"},
     {"public-api", "RECRUITING_PUBLIC_API_DATABASE_URL", "recruiting_public", "RECRUITING_PUBLIC_API_STANDBY_URL",
      "RECRUITING_PUBLIC_API_STANDBY_MAX_LAG"}}};
constexpr std::chrono::seconds usual_lag{5}; // of a program whose setting is not known

standby_use standby_of(installation const& of, role_url const& as) {
    auto const& program = of.program(as.program);
    auto const lag = parse_duration(program.setting(as.max_lag));
    return {as.program, as.role, program.given(as.standby), as.standby, lag.value_or(usual_lag)};
}

findings check_login(installation const& of, observed<std::string> const& role, role_url const& as) {
    auto const check = std::string("reach.postgres-") + as.program;
    auto const fix = std::string("fix ") + as.setting + ": the database as " + as.role;
    auto const url = of.program(as.program).given(as.setting);
    if (url.empty() && of.program(as.program).here)
        return {skipped(check, std::string(as.setting) + " is not set, and only the program knows its default",
                        "set it in " + of.settings_location(as.program))};
    if (url.empty())
        return {skipped(check, std::string(as.setting) + " is not known here",
                        "on the host of " + std::string(as.program))};
    if (!role.found) return {problem(check, redact_url(url) + ": " + role.why, fix)};
    if (*role.found != as.role)
        return {problem(check, "it logs in as " + *role.found + ", which is not its role", fix)};
    return {ok(check, "logs in as " + *role.found)};
}

findings check_owner(observed<database_facts> const& facts, std::string const& url) {
    auto const* const check = "reach.postgres";
    if (url.empty())
        return {skipped(check, "RECRUITING_DATABASE_URL is not set", "set it: the database as recruiting_owner")};
    if (!facts.found)
        return {problem(check, redact_url(url) + ": " + facts.why, "start PostgreSQL, or fix RECRUITING_DATABASE_URL")};
    return {ok(check, redact_url(url))};
}

// All parts absent, for the same reason.
database_facts nothing_of(std::string const& why) {
    return {{{}, why}, {{}, why}, {{}, why}, {{}, why}, {{}, why}, {{}, why},
            {{}, why}, {{}, why}, {{}, why}, {{}, why}, {{}, why}};
}

database_questions questions_of(installation const& of, std::chrono::milliseconds limit) {
    database_questions out;
    out.statement_limit = limit * 3 / 4;
    if (auto const kept = parse_duration(of.program("auth-api").setting("RECRUITING_AUTH_API_AUDIT_RETENTION")))
        out.retention = *kept;
    return out;
}

std::array<std::string, 3> ask_versions(installation const& of, std::chrono::milliseconds limit) {
    std::array<std::string, 3> out;
    for (std::size_t i = 0; i < of.programs.size(); ++i)
        if (!of.programs[i].binary.empty())
            out[i] = run_program(of.programs[i].binary, {"--version"}, {}, limit).output;
    return out;
}

struct own_facts { // of this host
    self_checks settings;
    std::array<std::string, 3> versions;
    std::vector<secret_file> secrets;
    certificates_facts certificates;
    host_facts host;
};

own_facts read_own(installation const& of, std::chrono::milliseconds limit) {
    auto const each = limit / 4; // versions one by one, after the settings all at once
    std::vector<std::filesystem::path> paths{"/"};
    if (of.kind == setup_kind::run_dir) paths.push_back(of.directory);
    return {ask_programs(of, each), ask_versions(of, each), read_secrets(of),
            read_certificates(of, system_time().now()), read_host(paths)};
}

database_facts read_as_owner(installation const& of, std::chrono::milliseconds limit) {
    auto const url = of.own_setting("RECRUITING_DATABASE_URL");
    if (url.empty()) return nothing_of("RECRUITING_DATABASE_URL is not set");
    pg::client client(url, "recruitctl doctor");
    return read_database(client, questions_of(of, limit));
}

auto begin_login(installation const& of, role_url const& as) {
    return bounded_read([url = of.program(as.program).given(as.setting)] {
        if (url.empty()) return std::string();
        pg::client client(url, "recruitctl doctor");
        return role_of(client);
    });
}

auto begin_standby(installation const& of, role_url const& as) {
    return bounded_read([primary = of.own_setting("RECRUITING_DATABASE_URL"), url = standby_of(of, as).url] {
        return read_standby(primary, url);
    });
}

auto begin_redis(std::string const& url, std::chrono::milliseconds limit) {
    return bounded_read([url, limit] { return url.empty() ? redis_facts{} : read_redis(url, limit); });
}

void add_own(findings& out, observed<own_facts> const& own, installation const& of, programs_facts const& programs) {
    if (!own.found) return out.push_back(skipped("host.settings", "settings, secrets and certificates: " + own.why));
    add(out, check_settings(of, own.found->settings));
    add(out, check_agreement(of));
    add(out, check_secrets(of, own.found->secrets));
    add(out, check_certificates(of, own.found->certificates, first_expiry(programs)));
    add(out, check_host(own.found->host));
}

void add_database(findings& out, database_facts const& facts, installation const& of, doctor_questions const& ask) {
    add(out, check_server(facts.server, demand_of(of)));
    add(out, check_roles(facts.roles, demand_of(of)));
    add(out, check_protection(facts.unprotected_tables));
    add(out, check_restore(facts.restore));
    add(out, check_backup(facts.archive));
    add(out, check_migrations(facts.migrations, ask.migrations));
    add(out, check_clock(facts.clock, "postgres"));
    add(out, check_partitions(facts.partitions));
    add(out, check_sealer(facts.sealer));
    add(out, check_queues(facts.queues));
}

} // namespace

findings diagnose(doctor_questions const& ask) {
    auto const deadline = std::chrono::steady_clock::now() + ask.limit + grace;
    auto found = find_installation(ask.where, ask.own);
    ask_settings(found, ask.programs.given, ask.limit / 4);
    auto const of = std::make_shared<installation const>(std::move(found));
    // All of these are in progress at the same time.
    bounded_read own_read([of, limit = ask.limit] { return read_own(*of, limit); });
    bounded_read database_read([of, limit = ask.limit] { return read_as_owner(*of, limit); });
    std::array logins{begin_login(*of, role_urls[0]), begin_login(*of, role_urls[1])};
    std::array standbys{begin_standby(*of, role_urls[0]), begin_standby(*of, role_urls[1])};
    auto redis_read = begin_redis(redis_of(*of), ask.limit);
    auto other_redis_read = begin_redis(other_redis_of(*of), ask.limit);
    bounded_read mail_read([of, limit = ask.limit] { return read_mail(*of, limit); });
    bounded_read programs_read([of, questions = ask.programs] { return read_programs(*of, questions); });

    auto const database = database_read.by(deadline);
    auto const facts = database.found ? *database.found : nothing_of("the database is unavailable");
    auto const programs = programs_read.by(deadline).found.value_or(programs_facts{});
    findings out;
    auto const own = own_read.by(deadline);
    add_own(out, own, *of, programs);
    add(out, check_exposure_key(facts.exposure_key, exposure_key_of(*of)));
    add(out, check_owner(database, of->own_setting("RECRUITING_DATABASE_URL")));
    for (std::size_t i = 0; i < role_urls.size(); ++i) {
        add(out, check_login(*of, logins[i].by(deadline), role_urls[i]));
        add(out, check_standby(standby_of(*of, role_urls[i]), standbys[i].by(deadline)));
    }
    add(out, check_instances(*of, programs));
    add(out, check_gateway_probes(programs));
    add(out, check_redis(redis_read.by(deadline), "redis", redis_of(*of)));
    if (auto const url = other_redis_of(*of); !url.empty())
        add(out, check_redis(other_redis_read.by(deadline), "redis-of-public-api", url));
    add(out, check_mail(mail_read.by(deadline)));
    add(out, check_others(programs));
    if (own.found) add(out, check_versions(*of, programs, version(), own.found->versions));
    add_database(out, facts, *of, ask);
    std::ranges::stable_sort(out, {}, [&](finding const& one) { return position_of(group_of(one)); });
    return out;
}

} // namespace recruiting::recruitctl::doctor
