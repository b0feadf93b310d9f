#include "public_api/organizations/organization_store.hpp"

namespace recruiting::public_api {
namespace {

// An organization as it shows itself. The columns are those of organization_column, in its order. open_job_count
// counts what the job list shows.
constexpr char const* organization_sql = R"(
SELECT name, slug, website_url, logo_url, time_zone, open_job_count
FROM recruiting.published_organizations WHERE slug = $1)";

// Tells an organization without published jobs (an empty list) from an unknown one (404). No count is made: the view
// counts only where the column is asked for.
constexpr char const* organization_exists_sql = R"(
SELECT id FROM recruiting.published_organizations WHERE slug = $1)";

pg::statement with_slug(char const* sql, std::string_view slug) {
    pg::params params;
    params.text(slug);
    return {sql, std::move(params)};
}

} // namespace

pg::statement select_organization(std::string_view slug) { return with_slug(organization_sql, slug); }

pg::statement find_organization(std::string_view slug) { return with_slug(organization_exists_sql, slug); }

} // namespace recruiting::public_api
