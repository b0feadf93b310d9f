#include "auth/session.hpp"
#include "auth_api/console/endpoints.hpp"
#include "auth_api/console/session_endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"
#include "directory/rules.hpp"
#include "directory/webhooks.hpp"
#include "interviews/interviews.hpp"
#include "words/words.hpp"

namespace recruiting::auth_api::console {
namespace {

void write_chosen(http::json_writer& json, pg::rows const& organizations) {
    for (auto row : organizations) {
        if (!row.boolean()) continue; // chosen
        json.key("organization")
            .open_object()
            .field("id", row.id())
            .field("slug", row.text())
            .field("name", row.text());
        auto const role = row.text();
        json.field("timeZone", row.text()).close_object();
        json.key("member")
            .open_object()
            .field("id", row.id())
            .field("role", role)
            .field("title", row.optional_text())
            .close_object();
        return;
    }
    json.key("organization").null().key("member").null();
}

void write_choices(http::json_writer& json, pg::rows const& organizations) {
    json.key("organizations").open_array();
    for (auto row : organizations) write_object(json, row.skip(), {"id", "slug", "name", "role"});
    json.close_array();
}

} // namespace

http::response session_answer(auth::principal const& caller, pg::rows const& organizations, std::string_view secret,
                              settings const& config, unsigned status) {
    auto const write = [&](http::json_writer& json) {
        json.open_object()
            .field("id", caller.credential_id)
            .field("email", caller.member_email)
            .field("name", caller.member_name)
            .field("createdAt", caller.created_at)
            .field("expiresAt", caller.expires_at)
            .field("idleExpiresAt", caller.session->idle_expires_at)
            .field("csrfToken", auth::csrf_token(secret))
            .field("environment", config.environment_name)
            .field("publicUrl", config.mail.public_url);
        write_chosen(json, organizations);
        write_choices(json, organizations);
        write_scopes(json, "scopes", caller.effective);
        json.field("mayCreateKeys", caller.has_organization() && directory::may_own_keys(caller.role)).close_object();
    };
    return data_answer(write, status);
}

http::response sessions_answer(pg::rows const& sessions) {
    return data_answer([&](http::json_writer& json) {
        json.open_array();
        for (auto row : sessions)
            write_object(json, row,
                         {"id", "createdAt", "lastSeenAt", "expiresAt", "ipAddress", "userAgent", "current"});
        json.close_array();
    });
}

http::response settings_answer(settings const& config) {
    bool const by_mail = !config.console.oidc.required && config.mail.server.what != mailing::mail_server::kind::none;
    return data_answer([&](http::json_writer& json) {
        json.open_object().field("environment", config.environment_name).key("signIn").open_object();
        json.field("mail", by_mail).key("openIdConnect");
        if (config.console.oidc.is_on()) json.open_object().field("name", config.console.oidc.name).close_object();
        else json.null();
        json.close_object().close_object();
    });
}

http::response limits_answer(settings const& config) {
    auto const days = [](auto time) { return std::chrono::floor<std::chrono::days>(time).count(); };
    return data_answer([&](http::json_writer& json) {
        json.open_object()
            .field("apiKeysPerMember", config.keys_per_member)
            .field("agentRunsAtOnce", config.agent.runs_per_organization)
            .field("agentPromptCharacters", config.agent.prompt_limit)
            .field("openSlots", interviews::most_open_of_organization)
            .field("openSlotsPerInterviewer", interviews::most_open_of_interviewer)
            .field("slotsOpenedPerHour", interviews::most_opened_per_hour)
            .field("webhooks", directory::webhooks_per_organization)
            .field("invitationsPerHour", config.console.invitations_per_organization)
            .field("agentSessionsKeptDays", days(config.agent_retention))
            .field("auditLogKeptDays", days(config.audit_retention))
            .close_object();
    });
}

std::optional<std::string> read_mail_language(http::json_fields& fields) {
    auto language = fields.text("language");
    std::string tags;
    for (auto const& in : all_words()) {
        if (!language || in.language == *language) return language;
        tags.append(tags.empty() ? "" : ", ").append(in.language);
    }
    fields.problem("language", "not_allowed", "Must be one of " + tags + ".");
    return language;
}

} // namespace recruiting::auth_api::console
