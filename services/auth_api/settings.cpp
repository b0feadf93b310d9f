#include "auth_api/settings.hpp"

#include "core/text.hpp"

namespace recruiting::auth_api {
namespace {

std::optional<std::string> assign_networks(std::vector<ip_network>& target, std::string_view value) {
    target.clear();
    for (auto const part : split(value, ',')) {
        if (trim(part).empty()) continue;
        auto const network = parse_network(trim(part));
        if (!network) return "must be a comma-separated list of addresses or networks such as 10.0.0.0/8";
        target.push_back(*network);
    }
    return std::nullopt;
}

} // namespace

void declare(settings_reader& reader, settings& target) {
    using std::chrono::hours;
    using std::chrono::milliseconds;
    using std::chrono::seconds;
    reader.choice("RECRUITING_LOG_LEVEL", target.log_level, {"debug", "info", "warning", "error"}, "The least level logged.");
    reader.choice("RECRUITING_ENVIRONMENT", target.environment_name, {"live", "test"},
                  "Which API keys are taken: sp_live_ in production, sp_test_ elsewhere.");
    reader.secret_file("RECRUITING_KEY_PEPPER_FILE", target.pepper, 32,
                       "File with the pepper under which API keys are hashed; kept outside the database.");
    reader.require_last();
    reader.secret_file("RECRUITING_CURSOR_SECRET_FILE", target.cursor_secret, 32,
                       "File with the secret that signs cursors and sync tokens; the same for all instances.");
    reader.require_last();
    reader.address("RECRUITING_AUTH_API_LISTEN", target.listen, "Where the API is served, to the gateway.");
    reader.address("RECRUITING_AUTH_API_ADMIN_LISTEN", target.admin_listen, "Where /healthz, /readyz and /metrics are served.");
    reader.number("RECRUITING_AUTH_API_THREADS", target.threads, 0, 256, "Threads; 0: one a core.");
    reader.text("RECRUITING_AUTH_API_DATABASE_URL", target.database_url,
                "PostgreSQL as role recruiting_auth; several hosts with target_session_attrs=read-write follow a failover.");
    reader.custom("RECRUITING_AUTH_API_TRUSTED_PROXIES", "127.0.0.0/8,::1",
                  "From whom X-Forwarded-For is believed: the gateways.",
                  [&target](std::string_view value) { return assign_networks(target.trusted_proxies, value); });
    reader.number("RECRUITING_AUTH_API_BODY_LIMIT", target.body_limit, 1024, 64 * 1024 * 1024, "Largest request body, in bytes.");
    reader.number("RECRUITING_AUTH_API_HEAD_LIMIT", target.head_limit, 1024, 1024 * 1024, "Largest request head, in bytes.");
    reader.duration("RECRUITING_AUTH_API_STATEMENT_TIMEOUT", target.statement_timeout, milliseconds{100}, seconds{60},
                    "How long one statement may run in PostgreSQL.");
    reader.duration("RECRUITING_AUTH_API_DRAIN_TIMEOUT", target.drain_timeout, milliseconds{0}, hours{1},
                    "How long requests under way may take after SIGTERM.");
    reader.flag("RECRUITING_AUTH_API_WORKERS", target.workers,
                "Run the workers (audit sealer, partitions, retention) in this process; instances elect among themselves.");
    reader.duration("RECRUITING_AUTH_API_SEAL_INTERVAL", target.seal_interval, milliseconds{50}, hours{1},
                    "How often new audit rows are sealed.");
    reader.duration("RECRUITING_AUTH_API_AUDIT_RETENTION", target.audit_retention, hours{30 * 24}, hours{3650 * 24},
                    "How long audit rows are kept; whole months are dropped.");
}

} // namespace recruiting::auth_api
