#include "import_store.hpp"

#include "core/text.hpp"

#include <set>

namespace recruiting::recruitctl {
namespace {

// The organization an import goes to.
constexpr char const* find_organization_by_slug = R"(
SELECT id FROM recruiting.organizations WHERE slug = $1)";

// Where a batch waits for its set-based statements. record holds columns by name: jsonb_populate_record lays them over
// the row that is there, so that a column the file does not give keeps its value. The ids are filled in for applications.
constexpr char const* create_import_rows = R"(
CREATE TEMPORARY TABLE IF NOT EXISTS import_rows (
    line bigint NOT NULL,
    id uuid NOT NULL,
    external_id text NOT NULL,
    record jsonb NOT NULL,
    candidate_id uuid,
    job_id uuid,
    stage_id uuid
))";

constexpr char const* clear_import_rows = "TRUNCATE import_rows";

constexpr char const* copy_import_rows = "COPY import_rows (line, id, external_id, record) FROM STDIN";

// Callers rely on: two imports of one organization never see each other half done.
constexpr char const* lock_imports_of_organization = R"(
SELECT pg_advisory_xact_lock(hashtextextended('recruiting.import.' || $1::uuid::text, 0))::text)";

// Lines whose references are missing leave the batch before anything is written.
constexpr char const* remove_import_rows = R"(
DELETE FROM import_rows WHERE line = ANY ($1::bigint[]))";

// Hiring team members that no membership of the organization answers to.
constexpr char const* find_unknown_members = R"(
SELECT DISTINCT s.line
FROM import_rows s
CROSS JOIN LATERAL jsonb_to_recordset(s.record -> 'team') AS given (email text, member_id uuid)
WHERE NOT EXISTS (SELECT FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
                  WHERE m.organization_id = $1
                    AND (m.id = given.member_id OR u.email_key = lower(given.email)))
ORDER BY s.line)";

// Inserts new jobs and changes those that differ: an equal row is not touched, because syncToken would report it.
// Times the file does not give follow from the status's and published's changes. A deletion of what was never there
// (no title given) is nothing to do. Returns the ids changed, and whether each is new.
constexpr char const* merge_jobs = R"(
WITH merged AS (
    INSERT INTO recruiting.jobs AS j
        (id, organization_id, external_id, title, status, requisition_id, department, location_name, location_city,
         location_region, location_country_code, workplace_type, employment_type, openings, salary_min, salary_max,
         salary_currency, salary_period, salary_published, published, published_at, closes_at, opened_at, closed_at,
         description_html, description_text, created_at, updated_at, deleted_at)
    SELECT s.id, $1, s.external_id, r.title, coalesce(r.status, 'draft'), r.requisition_id, r.department,
           r.location_name, r.location_city, r.location_region, r.location_country_code, r.workplace_type,
           r.employment_type, coalesce(r.openings, 1), r.salary_min, r.salary_max, r.salary_currency, r.salary_period,
           coalesce(r.salary_published, false), coalesce(r.published, false),
           CASE WHEN r.published THEN coalesce(r.published_at, t.published_at, now()) ELSE r.published_at END,
           r.closes_at,
           CASE WHEN s.record ? 'opened_at' THEN r.opened_at
                WHEN r.status = 'open' AND t.status IN ('draft', 'closed', 'archived') THEN now()
                WHEN r.status = 'open' THEN coalesce(t.opened_at, now())
                ELSE t.opened_at END,
           CASE WHEN s.record ? 'closed_at' THEN r.closed_at
                WHEN t.status = r.status THEN t.closed_at
                WHEN r.status = 'archived' AND t.status = 'closed' THEN t.closed_at
                WHEN r.status IN ('closed', 'archived') THEN now() END,
           coalesce(r.description_html, ''), coalesce(r.description_text, ''),
           coalesce(r.created_at, now()), coalesce(r.updated_at, now()),
           CASE WHEN s.record ? 'deleted' THEN coalesce(r.deleted_at, now()) ELSE r.deleted_at END
    FROM import_rows s
    LEFT JOIN recruiting.jobs t ON t.organization_id = $1 AND t.external_id = s.external_id
    CROSS JOIN LATERAL jsonb_populate_record(t, s.record) AS r
    WHERE t.id IS NOT NULL OR s.record ? 'title'
    ORDER BY s.line
    ON CONFLICT (organization_id, external_id) DO UPDATE SET
        (title, status, requisition_id, department, location_name, location_city, location_region,
         location_country_code, workplace_type, employment_type, openings, salary_min, salary_max, salary_currency,
         salary_period, salary_published, published, published_at, closes_at, opened_at, closed_at, description_html,
         description_text, deleted_at)
      = (excluded.title, excluded.status, excluded.requisition_id, excluded.department, excluded.location_name,
         excluded.location_city, excluded.location_region, excluded.location_country_code, excluded.workplace_type,
         excluded.employment_type, excluded.openings, excluded.salary_min, excluded.salary_max,
         excluded.salary_currency, excluded.salary_period, excluded.salary_published, excluded.published,
         excluded.published_at, excluded.closes_at, excluded.opened_at, excluded.closed_at, excluded.description_html,
         excluded.description_text, excluded.deleted_at)
    WHERE (j.title, j.status, j.requisition_id, j.department, j.location_name, j.location_city, j.location_region,
           j.location_country_code, j.workplace_type, j.employment_type, j.openings, j.salary_min, j.salary_max,
           j.salary_currency, j.salary_period, j.salary_published, j.published, j.published_at, j.closes_at,
           j.opened_at, j.closed_at, j.description_html, j.description_text, j.deleted_at)
          IS DISTINCT FROM
          (excluded.title, excluded.status, excluded.requisition_id, excluded.department, excluded.location_name,
           excluded.location_city, excluded.location_region, excluded.location_country_code, excluded.workplace_type,
           excluded.employment_type, excluded.openings, excluded.salary_min, excluded.salary_max,
           excluded.salary_currency, excluded.salary_period, excluded.salary_published, excluded.published,
           excluded.published_at, excluded.closes_at, excluded.opened_at, excluded.closed_at,
           excluded.description_html, excluded.description_text, excluded.deleted_at)
    RETURNING j.id)
SELECT m.id, s.id IS NOT NULL AS inserted FROM merged m LEFT JOIN import_rows s ON s.id = m.id)";

// Brings the stages of jobs to the given lists, matched by name. A job without any gets the default pipeline ($2). A
// stage left out of the list goes, unless applications stand in it: then it stays, behind the listed ones.
// Ids are UUIDv7 (RFC 9562 section 5.7) made here, because only here it is known which stages are new.
// Returns the jobs whose stages changed.
constexpr char const* apply_stages = R"(
WITH target AS MATERIALIZED (
    SELECT j.id AS job_id,
           CASE WHEN s.record ? 'stages' AND s.record -> 'stages' <> '[]' THEN s.record -> 'stages'
                WHEN NOT EXISTS (SELECT FROM recruiting.stages x WHERE x.job_id = j.id) THEN $2::jsonb
           END AS list
    FROM import_rows s
    JOIN recruiting.jobs j ON j.organization_id = $1 AND j.external_id = s.external_id
), given AS MATERIALIZED (
    SELECT t.job_id, g.*
    FROM target t
    CROSS JOIN LATERAL jsonb_to_recordset(t.list)
        AS g (name text, kind text, position integer, bookable boolean, interview_duration_minutes integer)
), left_out AS MATERIALIZED (
    SELECT x.id, x.job_id, x.position,
           EXISTS (SELECT FROM recruiting.applications a WHERE a.stage_id = x.id) AS used
    FROM target t JOIN recruiting.stages x ON x.job_id = t.job_id
    WHERE t.list IS NOT NULL AND NOT EXISTS (SELECT FROM given g WHERE g.job_id = x.job_id AND g.name = x.name)
), removed AS (
    DELETE FROM recruiting.stages x USING left_out o WHERE x.id = o.id AND NOT o.used RETURNING x.job_id
), moved AS (
    UPDATE recruiting.stages x SET position = o.new_position
    FROM (SELECT o.id, (SELECT count(*) FROM given g WHERE g.job_id = o.job_id)
                       + row_number() OVER (PARTITION BY o.job_id ORDER BY o.position, o.id) - 1 AS new_position
          FROM left_out o WHERE o.used) o
    WHERE x.id = o.id AND x.position <> o.new_position
    RETURNING x.job_id
), written AS (
    INSERT INTO recruiting.stages AS x
        (id, organization_id, job_id, name, kind, position, bookable, interview_duration_minutes)
    SELECT encode(set_byte(overlay(uuid_send(gen_random_uuid())
                                   PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                                   FROM 1 FOR 6),
                           6, 112 + floor(random() * 16)::integer), 'hex')::uuid,
           $1, g.job_id, g.name, g.kind, g.position, g.bookable, g.interview_duration_minutes
    FROM given g ORDER BY g.job_id, g.position
    ON CONFLICT (job_id, name) DO UPDATE SET
        (kind, position, bookable, interview_duration_minutes)
      = (excluded.kind, excluded.position, excluded.bookable, excluded.interview_duration_minutes)
    WHERE (x.kind, x.position, x.bookable, x.interview_duration_minutes)
          IS DISTINCT FROM
          (excluded.kind, excluded.position, excluded.bookable, excluded.interview_duration_minutes)
    RETURNING x.job_id)
SELECT job_id FROM removed UNION SELECT job_id FROM moved UNION SELECT job_id FROM written)";

// Brings hiring teams to the given lists. A trigger stamps the job of every row changed. Returns those jobs.
constexpr char const* apply_hiring_teams = R"(
WITH target AS MATERIALIZED (
    SELECT j.id AS job_id, s.record -> 'team' AS list
    FROM import_rows s
    JOIN recruiting.jobs j ON j.organization_id = $1 AND j.external_id = s.external_id
    WHERE s.record ? 'team'
), given AS MATERIALIZED (
    SELECT DISTINCT ON (t.job_id, m.id) t.job_id, m.id AS membership_id, g.role
    FROM target t
    CROSS JOIN LATERAL jsonb_to_recordset(t.list) AS g (email text, member_id uuid, role text)
    JOIN recruiting.memberships m ON m.organization_id = $1
    JOIN recruiting.users u ON u.id = m.user_id AND (m.id = g.member_id OR u.email_key = lower(g.email))
    ORDER BY t.job_id, m.id
), removed AS (
    DELETE FROM recruiting.hiring_teams h USING target t
    WHERE h.job_id = t.job_id
      AND NOT EXISTS (SELECT FROM given g WHERE g.job_id = h.job_id AND g.membership_id = h.membership_id)
    RETURNING h.job_id
), written AS (
    INSERT INTO recruiting.hiring_teams AS h (organization_id, job_id, membership_id, role)
    SELECT $1, g.job_id, g.membership_id, g.role FROM given g
    ON CONFLICT (job_id, membership_id) DO UPDATE SET role = excluded.role WHERE h.role <> excluded.role
    RETURNING h.job_id)
SELECT job_id FROM removed UNION SELECT job_id FROM written)";

// The stages are part of the job's record, so a change of them is a change of the job.
constexpr char const* touch_jobs = R"(
UPDATE recruiting.jobs SET title = title WHERE organization_id = $1 AND id = ANY ($2::uuid[]))";

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

constexpr char const* find_unknown_references = R"(
SELECT line,
       record ? 'candidate_external_id' AND candidate_id IS NULL AS candidate,
       record ? 'job_external_id' AND job_id IS NULL AS job,
       job_id IS NOT NULL AND stage_id IS NULL AS stage
FROM import_rows
WHERE (record ? 'candidate_external_id' AND candidate_id IS NULL)
   OR (record ? 'job_external_id' AND job_id IS NULL)
   OR (job_id IS NOT NULL AND stage_id IS NULL)
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

// As merge_jobs; the times of stage and status follow from their changes where the file does not give them.
constexpr char const* merge_applications = R"(
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
    ORDER BY s.line
    ON CONFLICT (organization_id, external_id) DO UPDATE SET
        (candidate_id, job_id, stage_id, status, source, applied_at, stage_entered_at, rejected_at, hired_at,
         rejection_reason, deleted_at)
      = (excluded.candidate_id, excluded.job_id, excluded.stage_id, excluded.status, excluded.source,
         excluded.applied_at, excluded.stage_entered_at, excluded.rejected_at, excluded.hired_at,
         excluded.rejection_reason, excluded.deleted_at)
    WHERE (a.candidate_id, a.job_id, a.stage_id, a.status, a.source, a.applied_at, a.stage_entered_at, a.rejected_at,
           a.hired_at, a.rejection_reason, a.deleted_at)
          IS DISTINCT FROM
          (excluded.candidate_id, excluded.job_id, excluded.stage_id, excluded.status, excluded.source,
           excluded.applied_at, excluded.stage_entered_at, excluded.rejected_at, excluded.hired_at,
           excluded.rejection_reason, excluded.deleted_at)
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

// What was done, by whom and to what kind of record; never what the file said.
constexpr char const* insert_audit_row = R"(
INSERT INTO recruiting.audit_log
    (id, occurred_at, organization_id, actor_type, action, target_type, success, duration_ms)
VALUES ($1, $2, $3, 'system', 'import.finished', $4, $5, $6))";

// The audit row's month must have its partition, also on an installation whose services have not run for long.
constexpr char const* ensure_audit_partitions = "SELECT recruiting.ensure_audit_partitions()::text";

constexpr std::string_view default_stages = R"([
{"name":"Applied","kind":"applied","position":0,"bookable":false},
{"name":"Phone screen","kind":"screen","position":1,"bookable":false},
{"name":"Interview","kind":"interview","position":2,"bookable":false},
{"name":"Offer","kind":"offer","position":3,"bookable":false},
{"name":"Hired","kind":"hired","position":4,"bookable":false}])";

std::vector<bad_line> lines_with(pg::rows const& found, problem const& what) {
    std::vector<bad_line> bad;
    for (int row = 0; row < found.size(); ++row)
        bad.push_back({static_cast<std::uint64_t>(found.integer(row, 0)), {what}});
    return bad;
}

batch_outcome counted(pg::rows const& merged) {
    batch_outcome outcome;
    outcome.inserted = merged.integer(0, 0);
    outcome.updated = merged.integer(0, 1);
    return outcome;
}

} // namespace

std::optional<uuid> find_organization(pg::client& on, std::string_view slug) {
    auto const found = on.run(find_organization_by_slug, pg::params().text(slug));
    if (found.empty()) return std::nullopt;
    return found.id(0, 0);
}

void import_store::prepare() { client_.run(create_import_rows); }

void import_store::lock_organization() {
    client_.run(lock_imports_of_organization, pg::params().id(organization_));
}

void import_store::copy(std::span<import_row const> rows) {
    client_.run(clear_import_rows);
    client_.copy_start(copy_import_rows);
    std::string lines;
    for (auto const& row : rows) {
        append_number(lines, row.line);
        lines += '\t';
        append_id(lines, new_record_id());
        lines += '\t';
        pg::append_copy_text(lines, row.external_id);
        lines += '\t';
        pg::append_copy_text(lines, row.columns);
        lines += '\n';
        if (lines.size() < 65536) continue;
        client_.copy_send(lines);
        lines.clear();
    }
    client_.copy_send(lines);
    client_.copy_finish();
}

void import_store::remove(std::vector<bad_line> const& bad) {
    if (bad.empty()) return;
    std::vector<std::string> lines;
    for (auto const& line : bad) lines.push_back(std::to_string(line.line));
    client_.run(remove_import_rows, pg::params().text_array(lines));
}

batch_outcome import_store::apply(import_kind kind, std::span<import_row const> rows) {
    copy(rows);
    auto outcome = kind == import_kind::jobs         ? apply_jobs()
                   : kind == import_kind::candidates ? apply_candidates()
                                                     : apply_applications();
    outcome.unchanged = static_cast<std::int64_t>(rows.size() - outcome.bad.size()) - outcome.inserted - outcome.updated;
    return outcome;
}

batch_outcome import_store::apply_jobs() {
    batch_outcome outcome;
    auto const organization = pg::params().id(organization_);
    outcome.bad = lines_with(client_.run(find_unknown_members, organization),
                             {"hiringTeam", "unknown_reference", "names someone who is not a member"});
    remove(outcome.bad);
    std::set<uuid> changed;
    auto const merged = client_.run(merge_jobs, organization);
    for (int row = 0; row < merged.size(); ++row) {
        changed.insert(merged.id(row, 0));
        if (merged.boolean(row, 1)) ++outcome.inserted;
    }
    std::vector<std::string> to_touch;
    auto const stages = client_.run(apply_stages, pg::params().id(organization_).text(default_stages));
    for (int row = 0; row < stages.size(); ++row)
        if (changed.insert(stages.id(row, 0)).second) to_touch.push_back(to_string(stages.id(row, 0)));
    auto const teams = client_.run(apply_hiring_teams, organization);
    for (int row = 0; row < teams.size(); ++row) changed.insert(teams.id(row, 0));
    if (!to_touch.empty()) client_.run(touch_jobs, pg::params().id(organization_).text_array(to_touch));
    outcome.updated = static_cast<std::int64_t>(changed.size()) - outcome.inserted;
    return outcome;
}

batch_outcome import_store::apply_candidates() {
    return counted(client_.run(merge_candidates, pg::params().id(organization_)));
}

batch_outcome import_store::apply_applications() {
    auto const organization = pg::params().id(organization_);
    client_.run(resolve_applications, organization);
    std::vector<bad_line> bad;
    auto const unknown = client_.run(find_unknown_references);
    for (int row = 0; row < unknown.size(); ++row) {
        bad_line line{static_cast<std::uint64_t>(unknown.integer(row, 0)), {}};
        if (unknown.boolean(row, 1))
            line.problems.push_back({"candidateExternalId", "unknown_reference", "names no candidate"});
        if (unknown.boolean(row, 2)) line.problems.push_back({"jobExternalId", "unknown_reference", "names no job"});
        if (unknown.boolean(row, 3))
            line.problems.push_back({"stageName", "unknown_reference", "names no stage of the job"});
        bad.push_back(std::move(line));
    }
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

void import_store::record(import_event const& event) {
    client_.run(ensure_audit_partitions);
    auto const now = system_time().now();
    auto const kind = to_string(event.kind);
    client_.run(insert_audit_row, pg::params()
                                      .id(new_record_id(now))
                                      .time(now)
                                      .id(event.organization)
                                      .text(kind.substr(0, kind.size() - 1)) // "job"
                                      .boolean(event.success)
                                      .integer(event.duration_ms));
}

} // namespace recruiting::recruitctl
