#include "recruitctl/doctor/check.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

constexpr auto settings_question = "Does PROGRAM accept its settings?";
constexpr auto settings_advice = "correct the file, then recruiting-PROGRAM-handover, or scripts/up --only PROGRAM; as "
                                 "another user, run doctor as root";
constexpr auto login_question = "Does PROGRAM's database URL log in with PROGRAM's role, on a primary?";
constexpr auto ready_question = "Is PROGRAM running, and ready?";
constexpr auto ready_advice =
    "read the log of PROGRAM; systemctl start recruiting-PROGRAM, or scripts/up --only PROGRAM. "
    "A program recovers by itself when what it waits for is back";
constexpr auto through_question = "Does a request to PROGRAM come through the gateway?";

constexpr std::array checks{
    check{"settings.gateway", settings_question, settings_advice, settings_accepted, "gateway"},
    check{"settings.auth-api", settings_question, settings_advice, settings_accepted, "auth-api"},
    check{"settings.public-api", settings_question, settings_advice, settings_accepted, "public-api"},
    check{"settings.public-url", "Do mails and pages link to the same address, in a live installation to an https one?",
          "set RECRUITING_PUBLIC_URL of auth-api and public-api to the https address that browsers use", public_url},
    check{"reach.postgres", "Does RECRUITING_DATABASE_URL log in as recruiting_owner, on a primary?",
          "start PostgreSQL, or name the primary and recruiting_owner in RECRUITING_DATABASE_URL", postgres_login},
    check{"reach.postgres-auth-api", login_question,
          "fix RECRUITING_AUTH_API_DATABASE_URL: the primary as recruiting_auth", postgres_login, "auth-api"},
    check{"reach.postgres-public-api", login_question,
          "fix RECRUITING_PUBLIC_API_DATABASE_URL: the primary as recruiting_public", postgres_login, "public-api"},
    check{
        "reach.redis", "Does Redis answer, and is it a primary?",
        "start Redis, or name the primary or Sentinels (sentinel://…) in RECRUITING_REDIS_URL; until then each program "
        "counts requests by itself",
        redis_reached},
    check{"reach.gateway", ready_question, ready_advice, program_ready, "gateway"},
    check{"reach.auth-api", ready_question, ready_advice, program_ready, "auth-api"},
    check{"reach.public-api", ready_question, ready_advice, program_ready, "public-api"},
    check{"reach.through-to-auth-api", through_question,
          "start the gateway and auth-api; let RECRUITING_GATEWAY_AUTH_API name where auth-api listens",
          through_gateway, "auth-api"},
    check{"reach.through-to-public-api", through_question,
          "start the gateway and public-api; let RECRUITING_GATEWAY_PUBLIC_API name where public-api listens",
          through_gateway, "public-api"},
    check{
        "reach.mail", "Would the mail server take mails, with TLS and login as auth-api is set? None is sent.",
        "set RECRUITING_MAIL_URL, RECRUITING_MAIL_USER, _PASSWORD_FILE, _TLS and _CA_FILE as the server wants them, or "
        "start it; mails wait meanwhile",
        mail_relay},
    check{"reach.model", "Does the model server answer, and accept its API key?",
          "start the model server, or fix RECRUITING_AGENT_MODEL_BASE_URL and the API key", model_server},
    check{"clock.postgres", "Do the clocks of PostgreSQL's host and of this one agree?",
          "run a time service on both hosts (chrony or systemd-timesyncd): timedatectl status", postgres_clock},
    check{"database.roles", "Do the roles exist, without rights that get past row-level security?",
          "take these rights away, as a superuser", postgres_roles},
    check{"database.durability", "Does PostgreSQL keep after a crash what it has confirmed?",
          "set them on in postgresql.conf, then SELECT pg_reload_conf()", durability},
    check{"database.statistics", "Are PostgreSQL's counters hidden from the services' roles?",
          "as a superuser, in this database: psql --dbname recruiting --file hide_statistics.sql (of "
          "deploy/postgresql, or "
          "/usr/share/recruiting/postgresql)",
          statistics_hidden},
    check{"database.restored", "Was a restore or a promotion followed up, so that revoked keys stay revoked?",
          "recruitctl key revoke --from FILE, with what `recruitctl audit head --json` wrote last; or, when no key was "
          "revoked since, recruitctl restore dismiss",
          restore_followed_up},
    check{"migrations.schema", "Is the schema the one of this version?", "recruitctl migrate", schema_version},
    check{
        "sealer.lag", "Are audit rows sealed?",
        "look for audit_sealer_failed in the log of auth-api; RECRUITING_AUTH_API_WORKERS must be true in at least one "
        "instance",
        sealing},
    check{"redis.memory", "Does Redis keep its counters when its memory is full?",
          "set maxmemory-policy noeviction in redis.conf, and CONFIG SET it", redis_eviction},
    check{
        "certificates.gateway", "Are the gateway's certificates readable, for the public host, and far from their end?",
        "renew it and replace the files: the gateway reloads them; as another user, run doctor as root", certificates},
    check{"host.time-zones", "Is time zone data installed?", "apt-get install tzdata", time_zones},
};

} // namespace

std::span<check const> all_checks() { return checks; }

std::string named(std::string_view text, check const& of) {
    constexpr std::string_view placeholder = "PROGRAM";
    std::string out(text);
    for (std::size_t at = 0; (at = out.find(placeholder, at)) != std::string::npos; at += of.program.size())
        out.replace(at, placeholder.size(), of.program);
    return out;
}

} // namespace recruiting::recruitctl::doctor
