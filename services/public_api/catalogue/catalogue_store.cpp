#include "public_api/catalogue/catalogue_store.hpp"

#include "html/text.hpp"
#include "pg/standby_store.hpp"

#include <map>

namespace recruiting::public_api {
namespace {

// Organizations as they show themselves.
constexpr char const* organizations_sql = "SELECT id, slug, name, website_url, logo_url, careers_page_url, time_zone, "
                                          "accent_color, share_image_url, apply_url, country_code, introduction_html "
                                          "FROM recruiting.published_organizations ";

constexpr char const* pages_sql = "SELECT recruiting.published_pages($1::integer)";

// Published jobs and when each was changed last, a change of its stages included: jobs whose time is known are not read
// again, so that a comparison of ten thousand jobs reads what has changed. The view decides what is published.
constexpr char const* versions_sql = "SELECT organization_id, id, updated_at FROM recruiting.published_jobs ";

constexpr char const* jobs_sql = R"(
SELECT organization_id, id, title, department, location_name, location_city, location_region, location_country_code,
       workplace_type, employment_type, salary_min::text, salary_max::text, salary_currency, salary_period,
       description_html, description_text, published_at, closes_at, updated_at, apply_url
FROM recruiting.published_jobs WHERE id = ANY ($1::uuid[]))";

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

// Behind the organization's id.
published_job read_job(pg::row row) {
    published_job job;
    row.read(job.id, job.title, job.department, job.location_name, job.location_city, job.location_region)
        .read(job.location_country_code, job.workplace_type, job.employment_type, job.salary_min, job.salary_max)
        .read(job.salary_currency, job.salary_period, job.description_html, job.description_text)
        .read(job.published_at, job.closes_at, job.updated_at, job.own_apply_url);
    return job;
}

constexpr uuid first_id{};
constexpr uuid last_id{
    {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}};

// sql, of the chosen organizations. id: the column that has their ids.
pg::statement select_where(std::string sql, std::string const& id, organization_choice const& which) {
    if (auto const* const ids = std::get_if<std::vector<uuid>>(&which))
        return with_ids(sql + "WHERE " + id + " = ANY ($1::uuid[])", *ids);
    auto const& range = std::get<organization_range>(which);
    return {sql + "WHERE " + id + " > $1 AND " + id + " <= $2",
            pg::params().id(range.after.value_or(first_id)).id(range.last.value_or(last_id))};
}

constexpr char const* logged_sql = "SELECT (SELECT count(*) FROM recruiting.published_changes WHERE changed_at >= $1), "
                                   "(SELECT max(changed_at) FROM recruiting.published_changes)";

constexpr char const* changes_sql =
    "SELECT DISTINCT organization_id FROM recruiting.published_changes WHERE changed_xid >= $1::xid8";

} // namespace

pg::statement select_organizations(organization_choice const& which) {
    return select_where(organizations_sql, "id", which);
}

pg::statement select_pages() { return {pages_sql, pg::params().integer(organizations_at_once)}; }

pg::statement select_logged(timestamp since) { return {logged_sql, pg::params().time(since)}; }

server_changes read_server_changes(pg::rows const& moment, pg::rows const& logged) {
    return {pg::read_moment(moment).line, logged.integer(0, 0), logged[0].from(1).optional_time()};
}

bool has_all(server_changes const& standby, server_changes const& primary) noexcept {
    return standby.recent >= primary.recent && standby.newest >= primary.newest;
}

pg::statement select_changes(std::int64_t first_transaction) {
    return {changes_sql, pg::params().integer(first_transaction)};
}

std::vector<uuid> read_ids(pg::rows const& found) {
    std::vector<uuid> ids;
    for (auto row : found) ids.push_back(row.id());
    return ids;
}

std::vector<published_organization> read_organizations(pg::rows const& found) {
    std::vector<published_organization> organizations;
    organizations.reserve(static_cast<std::size_t>(found.size()));
    for (auto row : found) {
        auto& o = organizations.emplace_back();
        row.read(o.id, o.slug, o.name, o.website_url, o.logo_url, o.careers_page_url)
            .read(o.time_zone, o.accent_color, o.share_image_url, o.apply_url, o.country_code, o.introduction_html);
        if (o.introduction_html) o.introduction_html = html::sanitize(*o.introduction_html);
    }
    return organizations;
}

pg::statement select_job_versions(organization_choice const& which) {
    return select_where(versions_sql, "organization_id", which);
}

std::vector<job_version> read_job_versions(pg::rows const& found) {
    std::vector<job_version> versions;
    versions.reserve(static_cast<std::size_t>(found.size()));
    for (auto row : found) versions.push_back({row.id(), row.id(), row.time()});
    return versions;
}

pg::statement select_jobs(std::vector<uuid> const& jobs) { return with_ids(jobs_sql, jobs); }

pg::statement select_stages(std::vector<uuid> const& jobs) { return with_ids(stages_sql, jobs); }

std::vector<job_of> read_jobs(pg::rows const& jobs, pg::rows const& stages) {
    std::map<uuid, std::vector<bookable_stage>> stages_of;
    for (auto row : stages) stages_of[row.id()].push_back({row.id(), std::string(row.text()), row.integer()});
    std::vector<job_of> read;
    read.reserve(static_cast<std::size_t>(jobs.size()));
    for (auto row : jobs) {
        auto const organization = row.id();
        auto& added = read.emplace_back(job_of{organization, read_job(row)});
        added.job.bookable_stages = std::move(stages_of[added.job.id]);
    }
    return read;
}

} // namespace recruiting::public_api
