#include "recruitctl/import/store.hpp"

namespace recruiting::recruitctl {
namespace {

// New candidates that lack what one must have. The deletion of what was never there is nothing to do.
constexpr char const* find_incomplete_candidates = R"(
SELECT s.line FROM import_rows s
WHERE NOT s.record ?| '{name,deleted}' AND s.record ->> 'deleted_at' IS NULL
  AND NOT EXISTS (SELECT FROM recruiting.candidates t WHERE t.organization_id = $1 AND t.external_id = s.external_id)
ORDER BY s.line)";

// As merge_jobs. last_activity_at never goes back: an import of applications may have moved it on.
constexpr char const* merge_candidates = R"(
WITH merged AS (
    INSERT INTO recruiting.candidates AS c
        (id, organization_id, external_id, name, email, phone, current_title, current_company, location_name,
         location_city, location_region, location_country_code, links, source, tags, last_activity_at, created_at,
         updated_at, deleted_at)
    SELECT s.id, $1, s.external_id, r.name, r.email, r.phone, r.current_title, r.current_company, r.location_name,
           r.location_city, r.location_region, r.location_country_code, coalesce(r.links, '[]'), r.source,
           coalesce(r.tags, '{}'), greatest(r.last_activity_at, t.last_activity_at),
           coalesce(r.created_at, now()), coalesce(r.updated_at, now()),
           CASE WHEN s.record ? 'deleted' THEN coalesce(r.deleted_at, now()) ELSE r.deleted_at END
    FROM import_rows s
    LEFT JOIN recruiting.candidates t ON t.organization_id = $1 AND t.external_id = s.external_id
    CROSS JOIN LATERAL jsonb_populate_record(t, s.record) AS r
    WHERE t.id IS NOT NULL OR s.record ? 'name'
    ORDER BY s.line
    ON CONFLICT (organization_id, external_id) DO UPDATE SET
        (name, email, phone, current_title, current_company, location_name, location_city, location_region,
         location_country_code, links, source, tags, last_activity_at, deleted_at)
      = (excluded.name, excluded.email, excluded.phone, excluded.current_title, excluded.current_company,
         excluded.location_name, excluded.location_city, excluded.location_region, excluded.location_country_code,
         excluded.links, excluded.source, excluded.tags, excluded.last_activity_at, excluded.deleted_at)
    WHERE (c.name, c.email, c.phone, c.current_title, c.current_company, c.location_name, c.location_city,
           c.location_region, c.location_country_code, c.links, c.source, c.tags, c.last_activity_at, c.deleted_at)
          IS DISTINCT FROM
          (excluded.name, excluded.email, excluded.phone, excluded.current_title, excluded.current_company,
           excluded.location_name, excluded.location_city, excluded.location_region, excluded.location_country_code,
           excluded.links, excluded.source, excluded.tags, excluded.last_activity_at, excluded.deleted_at)
    RETURNING c.id)
SELECT count(s.id) AS inserted, count(*) - count(s.id) AS updated
FROM merged m LEFT JOIN import_rows s ON s.id = m.id)";

} // namespace

batch_outcome import_store::apply_candidates() {
    auto const organization = pg::params().id(organization_);
    auto bad = lines_with(client_.run(find_incomplete_candidates, organization), missing("name"));
    remove(bad);
    auto outcome = counted(client_.run(merge_candidates, organization));
    outcome.bad = std::move(bad);
    return outcome;
}

} // namespace recruiting::recruitctl
