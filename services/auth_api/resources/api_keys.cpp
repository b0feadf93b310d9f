#include "auth_api/resources/api_keys.hpp"

#include "auth_api/http/list_query.hpp"
#include "directory/store.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

// Which of the organization's keys these are is row-level security's to say (policy by_role): all to admins, to others
// their own.
list_shape const key_list = {
    .route = "/api-keys",
    .columns = RECRUITING_KEY_COLUMNS,
    .from = "FROM " RECRUITING_KEY_SOURCE "WHERE k.organization_id = (SELECT recruiting.current_organization_id())",
    .live = "(k.revoked_at IS NULL OR k.name_released)",
    .id = "k.id",
    .sorts = {{{"createdAt", "k.created_at", true}}},
};

// As directory::state_of.
constexpr list_filter key_is_in_state{
    "state",
    "CASE WHEN k.revoked_at IS NOT NULL AND NOT k.name_released THEN 'revoked' WHEN k.expires_at <= now() THEN "
    "'expired' WHEN m.status = 'active' THEN 'active' ELSE 'inactive' END = ?"};
constexpr list_filter key_has_owner{"memberId", "k.membership_id = ?::uuid", filter_index::sorted};
constexpr list_filter key_has_id{"id", "k.id = ?::uuid", filter_index::unique};

} // namespace

result<prepared_read> list_keys_in_reach(bind_input& in, key_writer write) {
    list_query list(in, key_list);
    if (in.query.boolean("includeRevoked").value_or(false)) list.include_deleted();
    if (auto const states = http::read_choices(in.query, "state", {"active", "inactive", "expired", "revoked"})) {
        list.where_any(key_is_in_state, *states);
        if (std::ranges::find(*states, "revoked") != states->end()) list.include_deleted();
    }
    if (auto const owner = in.query.id("memberId")) list.where(key_has_owner, to_string(*owner));
    if (auto const id = in.query.id("id")) {
        list.where(key_has_id, to_string(*id));
        list.include_deleted();
    }
    auto statements = list.statements();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const now = system_time().now();
    return list.prepared(
        std::move(statements),
        [list, write, now](std::span<pg::rows const> results, render_context const& context, http::response& answer) {
            return list.render(results, context, answer, [&](http::json_writer& json, pg::row row) {
                write(json, directory::store::read_key(row), now);
            });
        });
}

} // namespace recruiting::auth_api
