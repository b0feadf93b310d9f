#include "directory/store.hpp"

namespace recruiting::directory::store {
namespace {

// The server's own list, because what it knows is what later conversions accept. Its own spellings ("posix/…",
// "localtime") are none that other systems know.
constexpr std::string_view time_zone_exists = R"(
SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = $1 AND name !~ '^posix' AND name NOT IN ('localtime', 'Factory')))";

// A taken slug is an ordinary outcome: no exception, and the transaction stays usable.
constexpr std::string_view insert_organization_row = R"(
INSERT INTO recruiting.organizations (id, slug, name, website_url, logo_url, time_zone, country_code, careers_page_url,
    accent_color, share_image_url, apply_url)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (slug) DO NOTHING)";

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
       o.created_at, o.updated_at, o.room_url, o.accent_color, o.share_image_url, o.apply_url
FROM recruiting.organizations o
WHERE $1::text IS NULL OR o.slug = $1
ORDER BY o.slug)";

// NO KEY UPDATE: rows that refer to the organization may still be added meanwhile.
constexpr std::string_view lock_organization_row =
    "SELECT id FROM recruiting.organizations WHERE slug = $1 FOR NO KEY UPDATE";

constexpr std::string_view update_organization_row = R"(
UPDATE recruiting.organizations
SET logo_url = $2, accent_color = $3, share_image_url = $4, apply_url = $5, room_url = $6 WHERE id = $1)";

organization to_organization(pg::row row) {
    organization o;
    row.read(o.id, o.slug, o.name, o.website_url, o.logo_url, o.time_zone, o.country_code, o.careers_page_url)
        .read(o.member_count, o.open_job_count, o.created_at, o.updated_at)
        .read(o.room_url, o.accent_color, o.share_image_url, o.apply_url);
    return o;
}

std::vector<organization> select(pg::client& database, pg::params const& values) {
    auto const found = database.run(select_organization_rows, values);
    std::vector<organization> organizations;
    for (auto const row : found) organizations.push_back(to_organization(row));
    return organizations;
}

} // namespace

bool is_time_zone(pg::client& database, std::string_view name) {
    return database.run(time_zone_exists, pg::params{}.text(name)).boolean(0, 0);
}

bool insert_organization(pg::client& database, uuid const& id, organization const& wanted) {
    pg::params values;
    values.id(id).text(wanted.slug).text(wanted.name).optional_text(wanted.website_url);
    values.optional_text(wanted.logo_url).text(wanted.time_zone).optional_text(wanted.country_code);
    values.optional_text(wanted.careers_page_url).optional_text(wanted.accent_color);
    values.optional_text(wanted.share_image_url).optional_text(wanted.apply_url);
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
    return found.id(0, 0);
}

void update_organization(pg::client& database, organization const& wanted) {
    pg::params values;
    values.id(wanted.id).optional_text(wanted.logo_url).optional_text(wanted.accent_color);
    values.optional_text(wanted.share_image_url).optional_text(wanted.apply_url).optional_text(wanted.room_url);
    database.run(update_organization_row, values);
}

} // namespace recruiting::directory::store
