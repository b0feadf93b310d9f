#include "recruitctl/import/store.hpp"

#include <array>

namespace recruiting::recruitctl {
namespace {

// New candidates that lack what one must have. The deletion of what was never there is nothing to do.
constexpr char const* find_incomplete_candidates = R"(
SELECT s.line FROM import_rows s
WHERE NOT s.record ?| '{name,deleted}' AND s.record ->> 'deleted_at' IS NULL
  AND NOT EXISTS (SELECT FROM recruiting.candidates t WHERE t.organization_id = $1 AND t.external_id = s.external_id)
ORDER BY s.line)";

// Merges as merge_jobs does. last_activity_at never goes back: an import of applications may have moved it on.
std::string const merge_candidates =
    R"(
WITH merged AS (
    INSERT INTO recruiting.candidates AS c
        (id, organization_id, external_id, name, email, email_key, phone, current_title, current_company, location_name,
         location_city, location_region, location_country_code, links, source, tags, last_activity_at, created_at,
         updated_at, deleted_at)
    SELECT s.id, $1, s.external_id, r.name, r.email, r.email_key, r.phone, r.current_title, r.current_company, r.location_name,
           r.location_city, r.location_region, r.location_country_code, coalesce(r.links, '[]'), r.source,
           coalesce(r.tags, '{}'), greatest(r.last_activity_at, t.last_activity_at),
           coalesce(r.created_at, now()), coalesce(r.updated_at, now()),
           CASE WHEN s.record ? 'deleted' THEN coalesce(r.deleted_at, now()) ELSE r.deleted_at END
    FROM import_rows s
    LEFT JOIN recruiting.candidates t ON t.organization_id = $1 AND t.external_id = s.external_id
    CROSS JOIN LATERAL jsonb_populate_record(t, s.record) AS r
    WHERE t.id IS NOT NULL OR s.record ? 'name'
    ORDER BY s.line)" +
    update_where_different(
        "c",
        "name, email, email_key, phone, current_title, current_company, location_name, location_city, location_region, "
        "location_country_code, links, source, tags, last_activity_at, deleted_at") +
    R"(
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

namespace {

// Finds candidate, job and stage of each application: what the file names, else what the application has; without a
// stage's name the job's first stage.
constexpr char const* resolve_applications = R"(
UPDATE import_rows s
SET candidate_id = x.candidate_id, job_id = x.job_id, stage_id = x.stage_id
FROM (SELECT i.line, p.candidate_id, p.job_id,
             CASE WHEN NOT i.record ? 'stage_name' AND t.job_id = p.job_id THEN t.stage_id ELSE stage.id END AS stage_id
      FROM import_rows i
      LEFT JOIN recruiting.applications t ON t.organization_id = $1 AND t.external_id = i.external_id
      LEFT JOIN recruiting.candidates c
             ON c.organization_id = $1 AND c.external_id = i.record ->> 'candidate_external_id'
      LEFT JOIN recruiting.jobs j ON j.organization_id = $1 AND j.external_id = i.record ->> 'job_external_id'
      CROSS JOIN LATERAL (
          SELECT CASE WHEN i.record ? 'candidate_external_id' THEN c.id ELSE t.candidate_id END AS candidate_id,
                 CASE WHEN i.record ? 'job_external_id' THEN j.id ELSE t.job_id END AS job_id) AS p
      LEFT JOIN LATERAL (
          SELECT g.id FROM recruiting.stages g
          WHERE g.job_id = p.job_id AND (NOT i.record ? 'stage_name' OR g.name = i.record ->> 'stage_name')
          ORDER BY g.position, g.id LIMIT 1) AS stage ON true) AS x
WHERE x.line = s.line)";

// A known application has a candidate and a job: without them the record is new. The deletion of what was never there
// is nothing to do.
constexpr char const* find_unknown_references = R"(
SELECT line, candidate, job, stage, candidate_missing, job_missing FROM (
    SELECT line,
           record ? 'candidate_external_id' AND candidate_id IS NULL AS candidate,
           record ? 'job_external_id' AND job_id IS NULL AS job,
           job_id IS NOT NULL AND stage_id IS NULL AS stage,
           NOT deletion AND NOT record ? 'candidate_external_id' AND candidate_id IS NULL AS candidate_missing,
           NOT deletion AND NOT record ? 'job_external_id' AND job_id IS NULL AS job_missing
    FROM (SELECT *, record ? 'deleted' OR record ->> 'deleted_at' IS NOT NULL AS deletion FROM import_rows) AS given) AS found
WHERE candidate OR job OR stage OR candidate_missing OR job_missing
ORDER BY line)";

// A candidate has one application a job (of those not deleted). Lines are taken in order, as if one by one: an
// application that a line before gave up (deleted, moved) is no obstacle.
constexpr char const* find_second_applications = R"(
WITH after_line AS MATERIALIZED (
    SELECT s.line, coalesce(t.id, s.id) AS id, s.candidate_id, s.job_id
    FROM import_rows s
    LEFT JOIN recruiting.applications t ON t.organization_id = $1 AND t.external_id = s.external_id
    WHERE s.candidate_id IS NOT NULL AND s.job_id IS NOT NULL
      AND CASE WHEN s.record ? 'deleted' THEN false
               WHEN s.record ? 'deleted_at' THEN s.record ->> 'deleted_at' IS NULL
               ELSE t.deleted_at IS NULL END
), ranked AS (
    SELECT line, id, candidate_id, job_id,
           row_number() OVER (PARTITION BY candidate_id, job_id ORDER BY line) AS rank
    FROM after_line)
SELECT r.line FROM ranked r
WHERE r.rank > 1
   OR EXISTS (SELECT FROM recruiting.applications a
              WHERE a.candidate_id = r.candidate_id AND a.job_id = r.job_id AND a.deleted_at IS NULL AND a.id <> r.id
                AND NOT EXISTS (SELECT FROM import_rows o
                                WHERE o.external_id = a.external_id AND a.organization_id = $1 AND o.line < r.line))
ORDER BY r.line)";

// Merges as merge_jobs does; a time of stage or status that the file lacks is the time of its change.
std::string const merge_applications =
    R"(
WITH merged AS (
    INSERT INTO recruiting.applications AS a
        (id, organization_id, external_id, candidate_id, job_id, stage_id, status, source, applied_at,
         stage_entered_at, rejected_at, hired_at, rejection_reason, created_at, updated_at, deleted_at)
    SELECT s.id, $1, s.external_id, s.candidate_id, s.job_id, s.stage_id, coalesce(r.status, 'active'), r.source,
           coalesce(r.applied_at, now()),
           CASE WHEN s.record ? 'stage_entered_at' THEN r.stage_entered_at
                WHEN t.id IS NULL THEN coalesce(r.applied_at, now())
                WHEN t.stage_id <> s.stage_id THEN now()
                ELSE t.stage_entered_at END,
           CASE WHEN s.record ? 'rejected_at' THEN r.rejected_at
                WHEN t.status = r.status THEN t.rejected_at
                WHEN r.status = 'rejected' THEN now() END,
           CASE WHEN s.record ? 'hired_at' THEN r.hired_at
                WHEN t.status = r.status THEN t.hired_at
                WHEN r.status = 'hired' THEN now() END,
           r.rejection_reason, coalesce(r.created_at, now()), coalesce(r.updated_at, now()),
           CASE WHEN s.record ? 'deleted' THEN coalesce(r.deleted_at, now()) ELSE r.deleted_at END
    FROM import_rows s
    LEFT JOIN recruiting.applications t ON t.organization_id = $1 AND t.external_id = s.external_id
    CROSS JOIN LATERAL jsonb_populate_record(t, s.record) AS r
    WHERE s.candidate_id IS NOT NULL AND s.job_id IS NOT NULL
    ORDER BY s.line)" +
    update_where_different(
        "a", "candidate_id, job_id, stage_id, status, source, applied_at, stage_entered_at, rejected_at, hired_at, "
             "rejection_reason, deleted_at") +
    R"(
    RETURNING a.id)
SELECT count(s.id) AS inserted, count(*) - count(s.id) AS updated
FROM merged m LEFT JOIN import_rows s ON s.id = m.id)";

// An application is an activity of its candidate; only candidates whose latest activity moves on are touched.
constexpr char const* advance_last_activity = R"(
UPDATE recruiting.candidates c SET last_activity_at = x.latest
FROM (SELECT a.candidate_id,
             max(greatest(a.applied_at, a.stage_entered_at, a.rejected_at, a.hired_at)) AS latest
      FROM import_rows s
      JOIN recruiting.applications a ON a.organization_id = $1 AND a.external_id = s.external_id
      WHERE a.deleted_at IS NULL
      GROUP BY a.candidate_id) AS x
WHERE c.id = x.candidate_id AND (c.last_activity_at IS NULL OR c.last_activity_at < x.latest))";

} // namespace

batch_outcome import_store::apply_applications() {
    auto const organization = pg::params().id(organization_);
    client_.run(resolve_applications, organization);
    std::array const what = {problem{"candidateExternalId", "unknown_reference", "names no candidate"},
                             problem{"jobExternalId", "unknown_reference", "names no job"},
                             problem{"stageName", "unknown_reference", "names no stage of the job"},
                             missing("candidateExternalId"), missing("jobExternalId")};
    auto bad = lines_with_any(client_.run(find_unknown_references), what);
    remove(bad);
    auto second = lines_with(client_.run(find_second_applications, organization),
                             {{}, "duplicate", "the candidate has another application for this job"});
    remove(second);
    auto outcome = counted(client_.run(merge_applications, organization));
    client_.run(advance_last_activity, organization);
    bad.insert(bad.end(), second.begin(), second.end());
    outcome.bad = std::move(bad);
    return outcome;
}

} // namespace recruiting::recruitctl
