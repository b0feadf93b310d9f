#include "auth_api/resources/members_store.hpp"

namespace recruiting::auth_api {
namespace {

// What a sync returns. A user's new name or e-mail stamps the membership (0002).
constexpr std::string_view member_feed = R"sql(
SELECT m.changed_xid AS xid, m.id, m.removed_at AS left_at FROM recruiting.memberships m
WHERE m.organization_id = (SELECT recruiting.current_organization_id())
  AND (m.changed_xid, m.id) > ({after_xid}, {after_id}) AND m.changed_xid < {upper}
  AND (NOT {first} OR m.removed_at IS NULL)
)sql";

} // namespace

// GET /members. name and e-mail are the person's, the rest is the membership's. The organization's condition repeats
// what row-level security adds, so that the planner reads the list's own index in its order.
list_shape const member_list = {
    .route = "/members",
    .columns = "m.id, m.created_at, m.updated_at, u.name, u.email, m.title, m.role, m.status, m.removed_at",
    .from = "FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id "
            "WHERE m.organization_id = (SELECT recruiting.current_organization_id())",
    .live = "m.removed_at IS NULL",
    .id = "m.id",
    .sorts = {{{"createdAt", "m.created_at", 1, true},
               {"updatedAt", "m.updated_at", 2, true},
               {"name", "u.name", 3, false, false}}},
    .feed = member_feed,
    .record = "JOIN recruiting.memberships m ON m.id = f.id JOIN recruiting.users u ON u.id = m.user_id",
};

} // namespace recruiting::auth_api
