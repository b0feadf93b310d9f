#include "auth_api/agent/tools/api_keys.hpp"

#include "directory/api_keys.hpp"
#include "directory/key_store.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent {
namespace {

constexpr int most_keys = 200;

void write_key(http::json_writer& json, directory::api_key const& key, timestamp now) {
    json.open_object();
    write_key_identity(json, key);
    json.field("environment", key.environment).key("scopes").open_array();
    for (auto const& scope : key.scopes) json.value(scope);
    json.close_array()
        .field("state", directory::state_of(key, now))
        .field("expiresAt", key.expires_at)
        .field("lastUsedAt", key.last_used_at)
        .field("createdAt", key.created_at)
        .close_object();
}

result<void> render(std::span<pg::rows const> results, render_context const&, http::response& answer) {
    auto const now = system_time().now();
    http::json_writer json(answer.body);
    auto const shown = std::min(results[0].size(), most_keys);
    json.open_object();
    if (shown < results[0].size()) json.field("truncated", true);
    json.key("data").open_array();
    for (int row = 0; row < shown; ++row) write_key(json, directory::store::read_key(results[0], row), now);
    json.close_array().close_object();
    return {};
}

} // namespace

result<prepared_read> list_api_keys(bind_input& in) {
    auto const with_revoked = in.query.boolean("includeRevoked").value_or(false);
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{directory::store::keys_in_reach(with_revoked, most_keys + 1)}, render, nullptr};
}

void write_key_identity(http::json_writer& json, directory::api_key const& key) {
    json.field("id", key.id)
        .field("name", key.name)
        .field("displayedPrefix", key.displayed_prefix)
        .field("ownerName", key.owner_name)
        .field("ownerEmail", key.owner_email);
}

} // namespace recruiting::auth_api::agent
