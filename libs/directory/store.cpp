#include "directory/store.hpp"

#include "audit/actions.hpp"

#include <stdexcept>

namespace recruiting::directory {
namespace {

// The change has happened when this is committed, so it is always a success. clock_timestamp() and not now(): rows of
// one transaction keep their order.
#define RECRUITING_CHANGE_COLUMNS                                                                                      \
    "INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, actor_member_id, actor_email, "   \
    "actor_role, credential_id, credential_name, session_id, correlation_id, request_id, action, target_type, "        \
    "target_id, success, request_count) "
#define RECRUITING_CHANGE_VALUES                                                                                       \
    "clock_timestamp(), $2::uuid, $3::text, $4::uuid, $5::text, $6::text, $7::uuid, $8::text, $9::uuid, $10::uuid, "   \
    "$11::text, $12::text, $13::text, "
constexpr std::string_view insert_audit_row =
    RECRUITING_CHANGE_COLUMNS "SELECT $1::uuid, " RECRUITING_CHANGE_VALUES "$14::text, true, $15::bigint";
constexpr std::string_view insert_audit_rows =
    RECRUITING_CHANGE_COLUMNS "SELECT t.id, " RECRUITING_CHANGE_VALUES "t.target, true, NULL::bigint "
                              "FROM unnest($1::uuid[], $14::text[]) AS t (id, target)";
#undef RECRUITING_CHANGE_VALUES
#undef RECRUITING_CHANGE_COLUMNS

// $2 to $13.
void add_values(pg::params& values, change const& made, actor const& by) {
    if (!audit::is_action(made.action)) throw std::logic_error("audit/actions.hpp lacks " + std::string(made.action));
    values.id(made.organization_id).text(by.type);
    values.optional_id(by.member_id).optional_text(by.email).optional_text(by.role);
    values.optional_id(by.credential_id).optional_text(by.credential_name);
    values.optional_id(by.session_id).optional_id(by.correlation_id).optional_text(by.request_id);
    values.text(made.action).text(made.target_type);
}

} // namespace

pg::statement change_row(change const& made, actor const& by) {
    pg::statement out{std::string(insert_audit_row), {}};
    auto& values = out.params;
    values.id(new_record_id());
    add_values(values, made, by);
    values.text(to_string(made.target_id));
    if (made.count) values.integer(*made.count);
    else values.null();
    return out;
}

void record_changes(pg::client& database, change const& made, std::span<uuid const> targets, actor const& by) {
    std::vector<uuid> rows(targets.size());
    for (auto& row : rows) row = new_record_id();
    pg::params values;
    values.id_array(rows);
    add_values(values, made, by);
    values.id_array(targets);
    database.run(insert_audit_rows, values);
}

void record_change(pg::client& database, change const& made, actor const& by) { database.run(change_row(made, by)); }

} // namespace recruiting::directory

namespace recruiting::directory::store {
namespace {

// The server's own list, because what it knows is what later conversions accept. Its own spellings ("posix/…",
// "localtime") are none that other systems know.
constexpr std::string_view time_zone_exists = R"(
SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = $1 AND name !~ '^posix' AND name NOT IN ('localtime', 'Factory')))";

// A taken slug is an ordinary outcome: no exception, and the transaction stays usable.
constexpr std::string_view insert_organization_row = R"(
INSERT INTO recruiting.organizations (id, slug, name, website_url, logo_url, time_zone, country_code, careers_page_url,
    accent_color, share_image_url, apply_url, introduction_html)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (slug) DO NOTHING)";

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
       o.created_at, o.updated_at, o.room_url, o.accent_color, o.share_image_url, o.apply_url,
       o.introduction_html, o.candidate_retention_days::bigint, o.candidate_retention_acts_from
FROM recruiting.organizations o
WHERE $1::text IS NULL OR o.slug = $1
ORDER BY o.slug)";

// NO KEY UPDATE: rows that refer to the organization may still be added meanwhile.
constexpr std::string_view lock_organization_row =
    "SELECT id FROM recruiting.organizations WHERE slug = $1 FOR NO KEY UPDATE";

constexpr std::string_view update_organization_row = R"(
UPDATE recruiting.organizations
SET logo_url = $2, accent_color = $3, share_image_url = $4, apply_url = $5, room_url = $6, candidate_retention_days = $7,
    introduction_html = $8
WHERE id = $1)";

constexpr std::string_view count_inactive_candidates = R"(
SELECT (SELECT count(*) FROM recruiting.inactive_candidates($1, now() - make_interval(days => $2), NULL)),
       (SELECT count(*) FROM recruiting.candidates c
         WHERE c.organization_id = $1 AND c.updated_at < now() - make_interval(days => $2) AND c.erased_at IS NULL))";

constexpr std::string_view select_inactive_candidates = R"(
SELECT c.id, c.external_id, c.updated_at, c.deleted_at IS NOT NULL
FROM recruiting.inactive_candidates($1, now() - make_interval(days => $2), $3) AS i
JOIN recruiting.candidates c ON c.id = i
ORDER BY c.updated_at LIMIT $3)";

organization to_organization(pg::row row) {
    organization o;
    row.read(o.id, o.slug, o.name, o.website_url, o.logo_url, o.time_zone, o.country_code, o.careers_page_url)
        .read(o.member_count, o.open_job_count, o.created_at, o.updated_at)
        .read(o.room_url, o.accent_color, o.share_image_url, o.apply_url, o.introduction_html)
        .read(o.candidate_retention_days, o.candidate_retention_acts_from);
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
    values.optional_text(wanted.introduction_html);
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
    if (wanted.candidate_retention_days) values.integer(*wanted.candidate_retention_days);
    else values.null();
    values.optional_text(wanted.introduction_html);
    database.run(update_organization_row, values);
}

retention_preview select_retention_preview(pg::client& database, uuid const& organization_id, std::int64_t days,
                                           std::int64_t most) {
    pg::transaction const one_view(database);
    retention_preview out;
    auto const counts = database.run(count_inactive_candidates, pg::params{}.id(organization_id).integer(days));
    out.due = counts.integer(0, 0);
    out.kept = counts.integer(0, 1) - out.due;
    auto const found =
        database.run(select_inactive_candidates, pg::params{}.id(organization_id).integer(days).integer(most));
    for (auto row : found) {
        inactive_candidate one;
        row.read(one.id, one.external_id, one.updated_at, one.is_deleted);
        out.first.push_back(std::move(one));
    }
    return out;
}

} // namespace recruiting::directory::store
