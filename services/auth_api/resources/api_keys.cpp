#include "auth_api/http/list_builder.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "directory/store.hpp"

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

std::optional<http::value_list> read_key_states(http::query_reader& query, std::string_view name) {
    return http::read_choices(query, name, {"active", "inactive", "expired", "revoked"});
}

constexpr list_filter key_filters[] = {
    {.parameter = "state",
     .read = read_key_states,
     // The same states as those of directory::state_of.
     .condition =
         "CASE WHEN k.revoked_at IS NOT NULL AND NOT k.name_released THEN 'revoked' WHEN k.expires_at <= now() THEN "
         "'expired' WHEN m.status = 'active' THEN 'active' ELSE 'inactive' END = ?",
     .with_deleted = "revoked"},
    {"memberId", read_id, "k.membership_id = ?::uuid", filter_index::sorted},
    {"id", read_id, "k.id = ?::uuid", filter_index::unique},
};

} // namespace

result<prepared_read> list_visible_keys(bind_input& in, key_writer write) {
    list_builder list(in, key_list);
    if (in.query.boolean("includeRevoked").value_or(false)) list.include_deleted();
    list.filter(key_filters);
    if (in.query.has("id")) list.include_deleted();
    auto const now = system_time().now();
    return list.read([write, now](http::json_writer& json, list_record const& record) {
        write(json, directory::store::read_key(record.row), now);
    });
}

} // namespace recruiting::auth_api
