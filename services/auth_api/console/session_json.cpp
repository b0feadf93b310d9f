#include "auth_api/console/session_json.hpp"

#include "auth_api/background/mail/member_words.hpp"

#include "auth/session.hpp"
#include "auth_api/console/session_store.hpp"
#include "auth_api/resources/shared_fields.hpp"
#include "directory/access.hpp"
#include "http/json_writer.hpp"

namespace recruiting::auth_api::console {
namespace {

using choice = organization_choice_columns;

void write_chosen(http::json_writer& json, pg::rows const& organizations) {
    int row = 0;
    while (row < organizations.size() && !organizations.boolean(row, choice::chosen)) ++row;
    if (row == organizations.size()) {
        json.key("organization").null().key("member").null();
        return;
    }
    json.key("organization")
        .open_object()
        .field("id", organizations.id(row, choice::id))
        .field("slug", organizations.text(row, choice::slug))
        .field("name", organizations.text(row, choice::name))
        .field("timeZone", organizations.text(row, choice::time_zone))
        .close_object();
    json.key("member")
        .open_object()
        .field("id", organizations.id(row, choice::membership_id))
        .field("role", organizations.text(row, choice::role))
        .field("title", organizations.optional_text(row, choice::title))
        .close_object();
}

void write_choices(http::json_writer& json, pg::rows const& organizations) {
    json.key("organizations").open_array();
    for (int row = 0; row < organizations.size(); ++row)
        json.open_object()
            .field("id", organizations.id(row, choice::id))
            .field("slug", organizations.text(row, choice::slug))
            .field("name", organizations.text(row, choice::name))
            .field("role", organizations.text(row, choice::role))
            .close_object();
    json.close_array();
}

} // namespace

std::string session_json(auth::principal const& caller, pg::rows const& organizations, std::string_view secret,
                         settings const& config) {
    std::string out;
    http::json_writer json(out);
    json.open_object()
        .key("data")
        .open_object()
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
    json.field("mayCreateKeys", caller.has_organization() && directory::may_own_keys(caller.role));
    json.close_object().close_object();
    return out;
}

std::string sessions_json(pg::rows const& sessions) {
    using columns = session_columns;
    std::string out;
    http::json_writer json(out);
    json.open_object().key("data").open_array();
    for (int row = 0; row < sessions.size(); ++row)
        json.open_object()
            .field("id", sessions.id(row, columns::id))
            .field("createdAt", sessions.time(row, columns::created_at))
            .field("lastSeenAt", sessions.time(row, columns::last_seen_at))
            .field("expiresAt", sessions.time(row, columns::expires_at))
            .field("ipAddress", sessions.optional_text(row, columns::ip_address))
            .field("userAgent", sessions.optional_text(row, columns::user_agent))
            .field("current", sessions.boolean(row, columns::current))
            .close_object();
    json.close_array().close_object();
    return out;
}

std::string settings_json(settings const& config) {
    std::string out;
    http::json_writer json(out);
    json.open_object().key("data").open_object().field("environment", config.environment_name);
    json.key("signIn")
        .open_object()
        .field("mail", !config.console.oidc.required && config.mail.server.what != mailing::mail_server::kind::none)
        .key("openIdConnect");
    if (config.console.oidc.is_on()) json.open_object().field("name", config.console.oidc.name).close_object();
    else json.null();
    json.close_object();
    json.close_object().close_object();
    return out;
}

std::optional<std::string> read_mail_language(http::json_fields& fields) {
    auto language = fields.text("language");
    if (language && !mailing::has_member_words(*language))
        fields.problem("language", "not_allowed", "Must be de, en, es, fr or it.");
    return language;
}

} // namespace recruiting::auth_api::console
