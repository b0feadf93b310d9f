#include "public_api/catalogue/catalogue_store.hpp"

#include "pg/standby_store.hpp"

#include <map>

namespace recruiting::public_api {
namespace {

struct organization_columns {
    enum : int {
        id,
        slug,
        name,
        website_url,
        logo_url,
        careers_page_url,
        time_zone,
        accent_color,
        share_image_url,
        apply_url
    };
};

// Organizations as they show themselves; the columns are those of organization_columns. open_job_count is not asked
// for: jobs close by themselves after this was read, and the view counts only where the column is asked for.
constexpr char const* organizations_sql = "SELECT id, slug, name, website_url, logo_url, careers_page_url, time_zone, "
                                          "accent_color, share_image_url, apply_url "
                                          "FROM recruiting.published_organizations ";
constexpr char const* named_organizations_sql = "WHERE id = ANY ($1::uuid[])";
constexpr char const* range_of_organizations_sql = "WHERE id > $1 AND id <= $2";

struct page_columns {
    enum : int { last_id };
};
constexpr char const* pages_sql = "SELECT recruiting.published_pages($1::integer)";

struct logged_columns {
    enum : int { recent, newest };
};

struct version_columns {
    enum : int { organization_id, job_id, updated_at };
};

// Published jobs and when each was changed last, a change of its stages included: jobs whose time is known are not read
// again, so that a comparison of ten thousand jobs reads what has changed. The view decides what is published.
constexpr char const* versions_sql = "SELECT organization_id, id, updated_at FROM recruiting.published_jobs ";
constexpr char const* named_versions_sql = "WHERE organization_id = ANY ($1::uuid[])";
constexpr char const* range_of_versions_sql = "WHERE organization_id > $1 AND organization_id <= $2";

struct job_columns {
    enum : int {
        id,
        organization_id,
        title,
        department,
        location_name,
        location_city,
        location_region,
        location_country_code,
        workplace_type,
        employment_type,
        salary_min,
        salary_max,
        salary_currency,
        salary_period,
        description_html,
        description_text,
        published_at,
        closes_at,
        updated_at,
        apply_url
    };
};

// The columns are those of job_columns, in its order.
constexpr char const* jobs_sql = R"(
SELECT id, organization_id, title, department, location_name, location_city, location_region, location_country_code,
       workplace_type, employment_type, salary_min, salary_max, salary_currency, salary_period, description_html,
       description_text, published_at, closes_at, updated_at, apply_url
FROM recruiting.published_jobs WHERE id = ANY ($1::uuid[]))";

struct stage_columns {
    enum : int { job_id, stage_id, name, duration_minutes };
};

// In the order in which candidates pass them. A look-up a job, which OFFSET 0 insists on: joined with the view as a
// whole, every published job would be read for each.
constexpr char const* stages_sql = R"(
SELECT wanted.id, s.id, s.name, s.interview_duration_minutes
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT p.id, p.name, p.position, p.interview_duration_minutes
                    FROM recruiting.published_stages p WHERE p.job_id = wanted.id OFFSET 0) s
ORDER BY wanted.id, s.position, s.id)";

pg::statement with_ids(std::string sql, std::vector<uuid> const& ids) {
    std::vector<std::string> texts;
    texts.reserve(ids.size());
    for (auto const& id : ids) texts.push_back(to_string(id));
    return {sql, pg::params().text_array(texts)};
}

published_job read_job(pg::rows const& found, int row) {
    using column = job_columns;
    published_job job;
    job.id = found.id(row, column::id);
    job.title = found.text(row, column::title);
    job.department = found.optional_text(row, column::department);
    job.location_name = found.optional_text(row, column::location_name);
    job.location_city = found.optional_text(row, column::location_city);
    job.location_region = found.optional_text(row, column::location_region);
    job.location_country_code = found.optional_text(row, column::location_country_code);
    job.workplace_type = found.optional_text(row, column::workplace_type);
    job.employment_type = found.optional_text(row, column::employment_type);
    job.salary_min = found.optional_integer(row, column::salary_min);
    job.salary_max = found.optional_integer(row, column::salary_max);
    job.salary_currency = found.optional_text(row, column::salary_currency);
    job.salary_period = found.optional_text(row, column::salary_period);
    job.description_html = found.text(row, column::description_html);
    job.description_text = found.text(row, column::description_text);
    job.published_at = found.time(row, column::published_at);
    job.closes_at = found.optional_time(row, column::closes_at);
    job.updated_at = found.time(row, column::updated_at);
    job.own_apply_url = found.optional_text(row, column::apply_url);
    return job;
}

constexpr uuid first_id{};
constexpr uuid last_id{
    {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}};

pg::params ends_of(organization_range const& range) {
    return pg::params().id(range.after.value_or(first_id)).id(range.last.value_or(last_id));
}

constexpr char const* logged_sql = "SELECT (SELECT count(*) FROM recruiting.published_changes WHERE changed_at >= $1), "
                                   "(SELECT max(changed_at) FROM recruiting.published_changes)";

constexpr char const* changes_sql =
    "SELECT DISTINCT organization_id FROM recruiting.published_changes WHERE changed_xid >= $1::xid8";

} // namespace

pg::statement notify_listeners(std::string_view channel, std::string_view payload) {
    // The command, for the role may not call pg_notify (confine_roles.sql).
    return {"NOTIFY " + std::string(channel) + ", '" + std::string(payload) + "'", {}};
}

pg::statement select_organizations(organization_choice const& which) {
    std::string const select(organizations_sql);
    if (auto const* const ids = std::get_if<std::vector<uuid>>(&which))
        return with_ids(select + named_organizations_sql, *ids);
    return {select + range_of_organizations_sql, ends_of(std::get<organization_range>(which))};
}

pg::statement select_pages() { return {pages_sql, pg::params().integer(organizations_at_once)}; }

std::vector<uuid> read_pages(pg::rows const& found) {
    std::vector<uuid> ends;
    for (int row = 0; row < found.size(); ++row) ends.push_back(found.id(row, page_columns::last_id));
    return ends;
}

change_position read_position(pg::rows const& found) {
    auto const moment = pg::read_moment(found);
    return {moment.line, moment.ended_below};
}

pg::statement select_logged(timestamp since) { return {logged_sql, pg::params().time(since)}; }

server_changes read_server_changes(pg::rows const& position, pg::rows const& logged) {
    return {read_position(position).server, logged.integer(0, logged_columns::recent),
            logged.optional_time(0, logged_columns::newest)};
}

bool has_all(server_changes const& standby, server_changes const& primary) noexcept {
    return standby.recent >= primary.recent && standby.newest >= primary.newest;
}

pg::statement select_changes(std::int64_t first_transaction) {
    return {changes_sql, pg::params().integer(first_transaction)};
}

std::vector<uuid> read_changes(pg::rows const& found) {
    std::vector<uuid> organizations;
    for (int row = 0; row < found.size(); ++row) organizations.push_back(found.id(row, 0));
    return organizations;
}

std::vector<published_organization> read_organizations(pg::rows const& found) {
    std::vector<published_organization> organizations(static_cast<std::size_t>(found.size()));
    for (int row = 0; row < found.size(); ++row) {
        auto& organization = organizations[static_cast<std::size_t>(row)];
        organization.id = found.id(row, organization_columns::id);
        organization.slug = found.text(row, organization_columns::slug);
        organization.name = found.text(row, organization_columns::name);
        organization.website_url = found.optional_text(row, organization_columns::website_url);
        organization.logo_url = found.optional_text(row, organization_columns::logo_url);
        organization.careers_page_url = found.optional_text(row, organization_columns::careers_page_url);
        organization.time_zone = found.text(row, organization_columns::time_zone);
        organization.accent_color = found.optional_text(row, organization_columns::accent_color);
        organization.share_image_url = found.optional_text(row, organization_columns::share_image_url);
        organization.apply_url = found.optional_text(row, organization_columns::apply_url);
    }
    return organizations;
}

pg::statement select_job_versions(organization_choice const& which) {
    std::string const select(versions_sql);
    if (auto const* const ids = std::get_if<std::vector<uuid>>(&which))
        return with_ids(select + named_versions_sql, *ids);
    return {select + range_of_versions_sql, ends_of(std::get<organization_range>(which))};
}

std::vector<job_version> read_job_versions(pg::rows const& found) {
    std::vector<job_version> versions;
    versions.reserve(static_cast<std::size_t>(found.size()));
    for (int row = 0; row < found.size(); ++row)
        versions.push_back({found.id(row, version_columns::organization_id), found.id(row, version_columns::job_id),
                            found.time(row, version_columns::updated_at)});
    return versions;
}

pg::statement select_jobs(std::vector<uuid> const& jobs) { return with_ids(jobs_sql, jobs); }

pg::statement select_stages(std::vector<uuid> const& jobs) { return with_ids(stages_sql, jobs); }

std::vector<job_of> read_jobs(pg::rows const& jobs, pg::rows const& stages) {
    std::map<uuid, std::vector<bookable_stage>> stages_of;
    for (int row = 0; row < stages.size(); ++row)
        stages_of[stages.id(row, stage_columns::job_id)].push_back(
            {stages.id(row, stage_columns::stage_id), std::string(stages.text(row, stage_columns::name)),
             stages.integer(row, stage_columns::duration_minutes)});
    std::vector<job_of> read;
    read.reserve(static_cast<std::size_t>(jobs.size()));
    for (int row = 0; row < jobs.size(); ++row) {
        auto& added = read.emplace_back(job_of{jobs.id(row, job_columns::organization_id), read_job(jobs, row)});
        added.job.bookable_stages = std::move(stages_of[added.job.id]);
    }
    return read;
}

} // namespace recruiting::public_api
