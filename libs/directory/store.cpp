#include "directory/store.hpp"

namespace recruiting::directory::store {
namespace {

// The server's own list, because what it knows is what later conversions accept. Its own spellings ("posix/…",
// "localtime") are none that other systems know.
constexpr std::string_view time_zone_exists = R"(
SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = $1 AND name !~ '^posix' AND name NOT IN ('localtime', 'Factory')))";
struct time_zone_columns {
    enum : int { exists };
};

// A taken slug is an ordinary outcome: no exception, and the transaction stays usable.
constexpr std::string_view insert_organization_row = R"(
INSERT INTO recruiting.organizations (id, slug, name, website_url, logo_url, time_zone, country_code, careers_page_url)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (slug) DO NOTHING)";

// Every organization has a subscription from its first minute, so that GET /billing always has an answer.
constexpr std::string_view insert_trial_subscription = R"(
INSERT INTO recruiting.subscriptions (organization_id, plan, status, currency, current_period_start, current_period_end,
    seats_included)
VALUES ($1, 'trial', 'trialing', 'USD', now(), now() + interval '30 days', 5))";

// One or all, with the counts GET /organization shows. A null slug means all.
constexpr std::string_view select_organization_rows = R"(
SELECT o.id, o.slug, o.name, o.website_url, o.logo_url, o.time_zone, o.country_code, o.careers_page_url,
       (SELECT count(*) FROM recruiting.memberships m WHERE m.organization_id = o.id AND m.status = 'active'),
       (SELECT count(*) FROM recruiting.jobs j
        WHERE j.organization_id = o.id AND j.status = 'open' AND j.deleted_at IS NULL),
       o.created_at, o.updated_at, o.room_url
FROM recruiting.organizations o
WHERE $1::text IS NULL OR o.slug = $1
ORDER BY o.slug)";
struct organization_columns {
    enum : int {
        id,
        slug,
        name,
        website_url,
        logo_url,
        time_zone,
        country_code,
        careers_page_url,
        member_count,
        open_job_count,
        created_at,
        updated_at,
        room_url
    };
};

// NO KEY UPDATE: rows that refer to the organization may still be added meanwhile.
constexpr std::string_view lock_organization_row =
    "SELECT id FROM recruiting.organizations WHERE slug = $1 FOR NO KEY UPDATE";
struct locked_columns {
    enum : int { id };
};

constexpr std::string_view update_room_url_row = "UPDATE recruiting.organizations SET room_url = $2 WHERE id = $1";

organization to_organization(pg::rows const& found, int row) {
    organization o;
    o.id = found.id(row, organization_columns::id);
    o.slug = found.text(row, organization_columns::slug);
    o.name = found.text(row, organization_columns::name);
    o.website_url = found.optional_text(row, organization_columns::website_url);
    o.logo_url = found.optional_text(row, organization_columns::logo_url);
    o.time_zone = found.text(row, organization_columns::time_zone);
    o.country_code = found.optional_text(row, organization_columns::country_code);
    o.careers_page_url = found.optional_text(row, organization_columns::careers_page_url);
    o.member_count = found.integer(row, organization_columns::member_count);
    o.open_job_count = found.integer(row, organization_columns::open_job_count);
    o.created_at = found.time(row, organization_columns::created_at);
    o.updated_at = found.time(row, organization_columns::updated_at);
    o.room_url = found.optional_text(row, organization_columns::room_url);
    return o;
}

std::vector<organization> select(pg::client& database, pg::params const& values) {
    auto const found = database.run(select_organization_rows, values);
    std::vector<organization> organizations;
    for (int row = 0; row < found.size(); ++row) organizations.push_back(to_organization(found, row));
    return organizations;
}

} // namespace

bool is_time_zone(pg::client& database, std::string_view name) {
    return database.run(time_zone_exists, pg::params{}.text(name)).boolean(0, time_zone_columns::exists);
}

bool insert_organization(pg::client& database, uuid const& id, organization const& wanted) {
    pg::params values;
    values.id(id).text(wanted.slug).text(wanted.name).optional_text(wanted.website_url);
    values.optional_text(wanted.logo_url).text(wanted.time_zone).optional_text(wanted.country_code);
    values.optional_text(wanted.careers_page_url);
    return database.run(insert_organization_row, values).affected() == 1;
}

void insert_trial(pg::client& database, uuid const& organization_id) {
    database.run(insert_trial_subscription, pg::params{}.id(organization_id));
}

std::optional<organization> select_organization(pg::client& database, std::string_view slug) {
    auto found = select(database, pg::params{}.text(slug));
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

std::vector<organization> select_organizations(pg::client& database) { return select(database, pg::params{}.null()); }

std::optional<uuid> lock_organization(pg::client& database, std::string_view slug) {
    auto const found = database.run(lock_organization_row, pg::params{}.text(slug));
    if (found.empty()) return std::nullopt;
    return found.id(0, locked_columns::id);
}

void update_room_url(pg::client& database, uuid const& organization_id, std::optional<std::string> const& url) {
    database.run(update_room_url_row, pg::params{}.id(organization_id).optional_text(url));
}

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

namespace recruiting::directory {
namespace {

// The change has happened when this is committed, so it is always a success. clock_timestamp() and not now(): rows of
// one transaction keep their order.
constexpr std::string_view insert_audit_row = R"(
INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, actor_member_id, actor_email, actor_role,
    credential_id, credential_name, session_id, correlation_id, request_id, action, target_type, target_id, success)
SELECT $1::uuid, clock_timestamp(), $2::uuid, $3::text, $4::uuid, $5::text, $6::text, $7::uuid, $8::text, $9::uuid,
    $10::uuid, $11::text, $12::text, $13::text, $14::text, true)";

} // namespace

pg::statement change_row(change const& made, actor const& by) {
    pg::statement out{std::string(insert_audit_row), {}};
    auto& values = out.params;
    values.id(new_record_id()).id(made.organization_id).text(by.type);
    values.optional_id(by.member_id).optional_text(by.email).optional_text(by.role);
    values.optional_id(by.credential_id).optional_text(by.credential_name);
    values.optional_id(by.session_id).optional_id(by.correlation_id).optional_text(by.request_id);
    values.text(made.action).text(made.target_type).text(to_string(made.target_id));
    return out;
}

void record_change(pg::client& database, change const& made, actor const& by) {
    auto const row = change_row(made, by);
    database.run(row.sql, row.params);
}

} // namespace recruiting::directory
