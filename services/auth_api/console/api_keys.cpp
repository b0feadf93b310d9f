#include "directory/api_keys.hpp"
#include "auth_api/console/endpoints.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"
#include "auth_api/settings.hpp"
#include "directory/rules.hpp"
#include "directory/store.hpp"

namespace recruiting::auth_api::console {
namespace {

constexpr std::size_t most_scopes = 64;

void write_owner(http::json_writer& json, directory::api_key const& key) {
    json.key("owner")
        .open_object()
        .field("memberId", key.owner_id)
        .field("name", key.owner_name)
        .field("email", key.owner_email)
        .field("role", to_string(key.owner_role))
        .field("active", key.owner_active)
        .close_object();
}

void write_key(http::json_writer& json, directory::api_key const& key, timestamp now) {
    auto const expanded = expand(key.scopes);
    json.open_object()
        .field("id", key.id)
        .field("name", key.name)
        .field("displayedPrefix", key.displayed_prefix)
        .field("environment", key.environment);
    write_texts(json, "scopes", key.scopes);
    write_scopes(json, "expandedScopes", expanded);
    write_scopes(json, "effectiveScopes", expanded & role_allows(key.owner_role));
    write_texts(json, "allowedIps", key.allowed_ips);
    write_owner(json, key);
    json.field("state", directory::state_of(key, now))
        .field("createdAt", key.created_at)
        .field("expiresAt", key.expires_at)
        .field("revokedAt", key.revoked_at)
        .field("revokedBy", key.revoked_by)
        .field("lastUsedAt", key.last_used_at)
        .field("lastUsedIp", key.last_used_ip)
        .close_object();
}

result<directory::new_api_key> read_new_key(std::string_view body) {
    http::json_fields fields(body);
    auto name = fields.text("name", http::json_fields::presence::required);
    auto scopes = fields.texts("scopes", http::json_fields::presence::required, most_scopes);
    auto const expires_at = fields.time("expiresAt");
    auto allowed_ips = fields.texts("allowedIps", http::json_fields::presence::optional, directory::most_allowed_ips);
    fields.refuse_others({"name", "scopes", "expiresAt", "allowedIps"});
    if (!fields.ok()) return fields.error();
    directory::new_api_key wanted;
    wanted.name = std::move(*name);
    wanted.scopes = std::move(*scopes);
    wanted.expires_at = expires_at;
    if (allowed_ips) wanted.allowed_ips = std::move(*allowed_ips);
    return wanted;
}

} // namespace

result<prepared_read> list_keys(bind_input& in) { return list_visible_keys(in, write_key); }

result<http::response> create_key(change_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const by = actor_of(in);
    if (auto refused = directory::refuse_unless_key_owner(by)) return *refused;
    auto const wanted = read_new_key(in.body);
    if (!wanted) return wanted.error();
    directory::key_settings const installation{in.config.where(), in.config.peppers.current, in.config.keys_per_member};
    auto const made = directory::create_api_key(in.database, in.organization_slug, *wanted, installation, by);
    if (!made) return made.error();
    auto const write = [&](http::json_writer& json) {
        json.open_object().key("key");
        write_key(json, made->key, system_time().now());
        json.field("secret", made->secret).close_object();
    };
    return data_answer(write, 201);
}

result<http::response> revoke_key(change_input& in) {
    auto const id = path_id(in);
    if (!id) return id.error();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    http::json_fields fields(in.body);
    auto const name = fields.text("name", http::json_fields::presence::required);
    fields.refuse_others({"name"});
    if (!fields.ok()) return fields.error();
    auto const done = directory::revoke_api_key(in.database, in.organization_slug, *id, actor_of(in), *name);
    if (!done && done.error().code == error_code::not_found) return make_error(error_code::not_found);
    if (!done) return done.error();
    return data_answer([&](http::json_writer& json) { write_key(json, done->key, system_time().now()); });
}

} // namespace recruiting::auth_api::console
