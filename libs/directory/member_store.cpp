#include "directory/member_store.hpp"

namespace recruiting::directory::store {
namespace {

// One (by e-mail), all present ones, or all that ever were. Callers rely on the order by name.
constexpr std::string_view select_member_rows = R"(
SELECT m.id, u.email, u.name, m.title, m.role, m.status, m.created_at, m.updated_at, m.removed_at, m.join_url
FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
WHERE m.organization_id = $1 AND ($2::text IS NULL OR u.email_key = lower($2)) AND ($3 OR m.status <> 'removed')
ORDER BY lower(u.name), m.id)";
struct member_columns {
    enum : int { id, email, name, title, role, status, created_at, updated_at, removed_at, join_url };
};

// Read under the lock of the organization's row, so that no other admin can leave meanwhile.
constexpr std::string_view count_other_active_admins = R"(
SELECT count(*) FROM recruiting.memberships
WHERE organization_id = $1 AND id <> $2 AND role = 'admin' AND status = 'active')";
struct admin_columns {
    enum : int { count };
};

// Another organization may add the same person at this moment: the loser of that race takes the winner's row.
constexpr std::string_view insert_user = R"(
INSERT INTO recruiting.users (id, email, name) VALUES ($1, $2, $3) ON CONFLICT (email_key) DO NOTHING)";
constexpr std::string_view select_user = "SELECT id FROM recruiting.users WHERE email_key = lower($1)";
struct user_columns {
    enum : int { id };
};

constexpr std::string_view insert_membership = R"(
INSERT INTO recruiting.memberships (id, organization_id, user_id, role, title) VALUES ($1, $2, $3, $4, $5))";

// The same membership again: its keys work again from the next request on.
constexpr std::string_view revive_membership = R"(
UPDATE recruiting.memberships SET status = 'active', removed_at = NULL, role = $2, title = coalesce($3, title)
WHERE id = $1)";

constexpr std::string_view update_membership_role = "UPDATE recruiting.memberships SET role = $2 WHERE id = $1";

// The row stays; its keys stop working at the next request, because authenticate reads the status.
constexpr std::string_view remove_membership = R"(
UPDATE recruiting.memberships SET status = 'removed', removed_at = clock_timestamp() WHERE id = $1)";

constexpr std::string_view update_membership_join_url = "UPDATE recruiting.memberships SET join_url = $2 WHERE id = $1";

member to_member(pg::rows const& found, int row) {
    member m;
    m.id = found.id(row, member_columns::id);
    m.email = found.text(row, member_columns::email);
    m.name = found.text(row, member_columns::name);
    m.title = found.optional_text(row, member_columns::title);
    m.held = parse_role(found.text(row, member_columns::role)).value();
    m.status = found.text(row, member_columns::status);
    m.created_at = found.time(row, member_columns::created_at);
    m.updated_at = found.time(row, member_columns::updated_at);
    m.removed_at = found.optional_time(row, member_columns::removed_at);
    m.join_url = found.optional_text(row, member_columns::join_url);
    return m;
}

} // namespace

std::optional<member> select_member(pg::client& database, uuid const& organization_id, std::string_view email) {
    auto const found = database.run(select_member_rows, pg::params{}.id(organization_id).text(email).boolean(true));
    if (found.empty()) return std::nullopt;
    return to_member(found, 0);
}

std::vector<member> select_members(pg::client& database, uuid const& organization_id, bool with_removed) {
    auto const found = database.run(select_member_rows, pg::params{}.id(organization_id).null().boolean(with_removed));
    std::vector<member> members;
    for (int row = 0; row < found.size(); ++row) members.push_back(to_member(found, row));
    return members;
}

std::int64_t count_other_admins(pg::client& database, uuid const& organization_id, uuid const& member_id) {
    return database.run(count_other_active_admins, pg::params{}.id(organization_id).id(member_id))
        .integer(0, admin_columns::count);
}

std::optional<uuid> find_or_insert_user(pg::client& database, std::string_view email,
                                        std::optional<std::string> const& name) {
    if (name) database.run(insert_user, pg::params{}.id(new_record_id()).text(email).text(*name));
    auto const found = database.run(select_user, pg::params{}.text(email));
    if (found.empty()) return std::nullopt;
    return found.id(0, user_columns::id);
}

void insert_member(pg::client& database, uuid const& organization_id, uuid const& user_id, role held,
                   std::optional<std::string> const& title) {
    pg::params values;
    values.id(new_record_id()).id(organization_id).id(user_id).text(to_string(held)).optional_text(title);
    database.run(insert_membership, values);
}

void revive_member(pg::client& database, uuid const& member_id, role held, std::optional<std::string> const& title) {
    database.run(revive_membership, pg::params{}.id(member_id).text(to_string(held)).optional_text(title));
}

void update_role(pg::client& database, uuid const& member_id, role held) {
    database.run(update_membership_role, pg::params{}.id(member_id).text(to_string(held)));
}

void remove_member(pg::client& database, uuid const& member_id) {
    database.run(remove_membership, pg::params{}.id(member_id));
}

void update_join_url(pg::client& database, uuid const& member_id, std::optional<std::string> const& url) {
    database.run(update_membership_join_url, pg::params{}.id(member_id).optional_text(url));
}

} // namespace recruiting::directory::store
