#include "auth_api/http/list_builder.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"
#include "directory/store.hpp"

namespace recruiting::auth_api {
namespace {

// What a sync returns. A user's new name or e-mail stamps the membership.
constexpr std::string_view member_feed = R"sql(
SELECT m.changed_xid AS xid, m.id, m.removed_at AS left_at FROM recruiting.memberships m
WHERE m.organization_id = (SELECT recruiting.current_organization_id())
  AND (m.changed_xid, m.id) > ({after_xid}, {after_id}) AND m.changed_xid < {upper}
  AND (NOT {first} OR m.removed_at IS NULL)
)sql";

// GET /members. E-mail is the person's, and so is the name once they have joined; the rest is the membership's. The
// organization's condition repeats what row-level security adds, so that the planner reads the list's own index in its
// order.
list_shape const member_list = {
    .route = "/members",
    .columns = "m.id, m.email, " RECRUITING_MEMBER_NAME
               ", m.title, m.role, m.status, m.created_at, m.updated_at, m.removed_at",
    .from = "FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id "
            "WHERE m.organization_id = (SELECT recruiting.current_organization_id())",
    .live = "m.removed_at IS NULL",
    .id = "m.id",
    .sorts = {{{"createdAt", "m.created_at", true},
               {"updatedAt", "m.updated_at", true},
               {"name", RECRUITING_MEMBER_NAME, false, false}}},
    .feed = member_feed,
    .record = "JOIN recruiting.memberships m ON m.id = f.id JOIN recruiting.users u ON u.id = m.user_id",
    .gone = "m.removed_at",
};

std::optional<http::value_list> read_roles(http::query_reader& query, std::string_view name) {
    return http::read_choices(query, name, {"admin", "recruiter", "hiring_manager", "interviewer", "viewer"});
}
std::optional<http::value_list> read_member_statuses(http::query_reader& query, std::string_view name) {
    return http::read_choices(query, name, {"active", "invited", "removed"});
}

constexpr list_filter member_filters[] = {
    {.parameter = "role", .read = read_roles, .condition = "m.role = ?"},
    {.parameter = "status", .read = read_member_statuses, .condition = "m.status = ?", .with_deleted = "removed"},
};

void write_member(http::json_writer& json, list_record const& record) {
    auto row = record.row;
    write_object(json, row, {"id", "email", "name", "title", "role", "status", "createdAt", "updatedAt", "deletedAt"});
}

} // namespace

result<prepared_read> list_members(bind_input& in) {
    list_builder list(in, member_list);
    list.filter(member_filters);
    return list.read(write_member);
}

} // namespace recruiting::auth_api
