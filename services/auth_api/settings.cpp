#include "auth_api/settings.hpp"

#include "core/live.hpp"
#include "pg/url.hpp"

namespace recruiting::auth_api {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

void declare_keys(settings_reader& reader, settings& target) {
    reader.choice(
        "RECRUITING_ENVIRONMENT", target.environment_name, {"live", "test"},
        "Accepted API keys: sp_live_ in production, sp_test_ elsewhere. live refuses secrets that can be guessed, "
        "and a RECRUITING_PUBLIC_URL that is not https or names this machine.");
    reader.secret_file("RECRUITING_KEY_PEPPER_FILE", target.peppers.current, 32,
                       "File with the pepper under which API keys are hashed; kept outside the database.");
    reader.require_last();
    reader.secret_file("RECRUITING_KEY_PEPPER_PREVIOUS_FILE", target.peppers.previous, 32,
                       "While the pepper is rotated: file with the other pepper whose hashes are accepted, the next "
                       "one or the previous one.");
    reader.rule(http::differs("RECRUITING_KEY_PEPPER", target.peppers.current, target.peppers.previous));
    reader.number("RECRUITING_KEYS_PER_MEMBER", target.keys_per_member, 1, 10'000,
                  "Maximum API keys of one member that are neither revoked nor expired.");
}

void declare_requests(settings_reader& reader, settings& target) {
    pg::declare_url(
        reader, "RECRUITING_AUTH_API_DATABASE_URL", target.database_url,
        "PostgreSQL as role recruiting_auth; several hosts with target_session_attrs=read-write follow a failover.");
    reader.duration("RECRUITING_AUTH_API_STATEMENT_TIMEOUT", target.statement_timeout, milliseconds{100}, seconds{60},
                    "Timeout of one statement in PostgreSQL.");
    pg::declare_url(
        reader, "RECRUITING_AUTH_API_STANDBY_URL", target.standby.url,
        "Standby of this PostgreSQL as role recruiting_auth. Searches and audit exports of admins and recruiters are "
        "read from it; empty: everything is read from the primary.",
        pg::url_presence::optional);
}

void declare_workers(settings_reader& reader, settings& target) {
    reader.flag("RECRUITING_AUTH_API_WORKERS", target.workers,
                "Whether this process runs the workers (audit sealer, partitions, retention, bookings, mails, "
                "webhooks). Several "
                "instances share the work.");
    reader.duration("RECRUITING_AUTH_API_AUDIT_RETENTION", target.audit_retention, hours{30 * 24}, hours{3650 * 24},
                    "Time audit rows are kept; whole partitions are dropped.");
    reader.choice(
        "RECRUITING_AUTH_API_AUDIT_PARTITIONS", target.audit_partitions, {"month", "day"},
        "Length of the audit log's new partitions: day drops rows to the day and suits millions of rows a day; "
        "the same for all instances.");
    reader.duration("RECRUITING_AUTH_API_AGENT_RETENTION", target.agent_retention, hours{24}, hours{3650 * 24},
                    "Time an agent session is kept after its last run; its runs, messages and Idempotency-Keys are "
                    "deleted with it. At least recruiting.retention_floors, 30 days unless the database's owner "
                    "changed it; otherwise nothing is deleted.");
}

// cursor_secret and public_url are public-api's too: it has no environment, and must have the same values.
std::optional<std::string> live_problem(settings const& s) {
    if (s.where() != environment::live) return std::nullopt;
    auto const create = ": create it with openssl rand -hex 32 (RECRUITING_ENVIRONMENT=live)";
    if (auto const wrong = live_secret_problem(s.peppers.current))
        return "RECRUITING_KEY_PEPPER_FILE " + *wrong + create;
    if (auto const wrong = live_secret_problem(s.cursor_secret))
        return "RECRUITING_CURSOR_SECRET_FILE " + *wrong + create;
    if (s.peppers.current == s.cursor_secret)
        return "RECRUITING_KEY_PEPPER_FILE and RECRUITING_CURSOR_SECRET_FILE must not hold the same secret "
               "(RECRUITING_ENVIRONMENT=live)";
    if (auto const wrong = live_origin_problem(s.mail.public_url))
        return "RECRUITING_PUBLIC_URL " + *wrong +
               ": set it to the address that browsers use (RECRUITING_ENVIRONMENT=live)";
    return std::nullopt;
}

} // namespace

void settings::complete() noexcept {
    agent.heartbeat = agent.lease / 6; // a process may miss five of them
    mail.lease = mail.timeout * 5;     // no second process sends a mail while the first one still may
    mail.longest_pause = mail.first_pause * 60;
}

void declare(settings_reader& reader, settings& target) {
    http::declare_service(reader, target);
    declare_keys(reader, target);
    declare_requests(reader, target);
    declare_workers(reader, target);
    declare(reader, target.agent);
    declare(reader, target.booking);
    declare(reader, target.mail);
    declare(reader, target.webhooks);
    declare(reader, target.console);
    tracing::declare(reader, target.trace);
    reader.rule([&target] { return live_problem(target); });
}

} // namespace recruiting::auth_api
