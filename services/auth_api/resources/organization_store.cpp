#include "auth_api/resources/organization_store.hpp"

namespace recruiting::auth_api {
namespace {

// For /me. The tenant's own row is named, so that the primary key finds it.
constexpr auto name_sql = R"sql(
SELECT id, name, slug FROM recruiting.organizations WHERE id = (SELECT recruiting.current_organization_id())
)sql";

// For GET /organization; the counts are of what the lists show.
constexpr auto organization_record_sql = R"sql(
SELECT o.id, o.name, o.slug, o.website_url, o.logo_url, o.time_zone, o.country_code, o.careers_page_url,
       o.created_at, o.updated_at,
       (SELECT count(*) FROM recruiting.memberships m WHERE m.organization_id = o.id AND m.status = 'active'),
       (SELECT count(*) FROM recruiting.jobs j
        WHERE j.organization_id = o.id AND j.status = 'open' AND j.deleted_at IS NULL)
FROM recruiting.organizations o WHERE o.id = (SELECT recruiting.current_organization_id())
)sql";

} // namespace

pg::statement organization_name() { return {name_sql, {}}; }
pg::statement organization_record() { return {organization_record_sql, {}}; }

} // namespace recruiting::auth_api
