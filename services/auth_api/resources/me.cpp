// GET /me and GET /scopes: the credential's owner, and what it may do.
#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"
#include "http/json_writer.hpp"

namespace recruiting::auth_api {
namespace {

// GET /me. The condition names the caller's organization, so that the primary key finds it.
constexpr auto my_organization_sql = R"sql(
SELECT id, name, slug FROM recruiting.organizations WHERE id = (SELECT recruiting.current_organization_id())
)sql";

void write_principal(http::json_writer& json, auth::principal const& principal) {
    json.key("principal")
        .open_object()
        .field("type", "api_key")
        .field("credentialId", principal.credential_id)
        .field("name", principal.credential_name)
        .field("displayedPrefix", principal.displayed_prefix)
        .field("environment", principal.environment)
        .field("memberId", principal.member_id)
        .field("memberName", principal.member_name)
        .field("memberEmail", principal.member_email)
        .field("createdAt", principal.created_at)
        .field("expiresAt", principal.expires_at)
        .close_object();
}

result<void> render_me(std::span<pg::rows const> results, render_context const& context, http::response& answer) {
    if (results[0].empty()) return make_error(error_code::not_found);
    auto organization = results[0][0];
    auto const& principal = context.principal;
    http::json_writer json(answer.body);
    json.open_object();
    write_principal(json, principal);
    json.key("organization");
    write_object(json, organization, {"id", "name", "slug"});
    json.field("role", to_string(principal.role));
    write_scopes(json, "scopes", principal.scopes);
    write_texts(json, "grantedScopes", principal.granted);
    write_scopes(json, "effectiveScopes", principal.effective);
    json.close_object();
    return {};
}

result<void> render_scopes(std::span<pg::rows const>, render_context const& context, http::response& answer) {
    http::json_writer json(answer.body);
    json.open_object().key("data").open_array();
    for (std::size_t i = 0; i < scope_catalogue.size(); ++i) {
        auto const& scope = scope_catalogue[i];
        json.open_object()
            .field("scope", scope.name)
            .field("resource", scope.resource)
            .field("action", scope.action)
            .field("description", scope.description)
            .field("granted", context.principal.scopes.test(i))
            .field("effective", context.principal.effective.test(i))
            .close_object();
    }
    json.close_array().close_object();
    return {};
}

} // namespace

result<prepared_read> get_me(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{{my_organization_sql, {}}}, render_me};
}

result<prepared_read> list_scopes(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{}, render_scopes};
}

} // namespace recruiting::auth_api
