#include "recruitctl/import/store.hpp"

#include <array>
#include <set>

namespace recruiting::recruitctl {
namespace {

// Hiring team members that no membership of the organization answers to.
constexpr char const* find_unknown_members = R"(
SELECT DISTINCT s.line
FROM import_rows s
CROSS JOIN LATERAL jsonb_to_recordset(s.record -> 'team') AS given (email_key text, member_id uuid)
WHERE NOT EXISTS (SELECT FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
                  WHERE m.organization_id = $1
                    AND (m.id = given.member_id OR u.email_key = given.email_key))
ORDER BY s.line)";

// New jobs without a title. The deletion of what was never there is nothing to do.
constexpr char const* find_untitled_jobs = R"(
SELECT s.line FROM import_rows s
WHERE NOT s.record ?| '{title,deleted}' AND s.record ->> 'deleted_at' IS NULL
  AND NOT EXISTS (SELECT FROM recruiting.jobs t WHERE t.organization_id = $1 AND t.external_id = s.external_id)
ORDER BY s.line)";

// Leaves out salaries that would lack their currency or period, or whose range would be none, once the columns of a CSV
// file are laid over the job. One column a problem.
constexpr char const* leave_out_salaries = R"(
WITH found AS (
    SELECT s.line, coalesce(r.salary_min, r.salary_max) IS NOT NULL AND r.salary_currency IS NULL AS currency,
           coalesce(r.salary_min, r.salary_max) IS NOT NULL AND r.salary_period IS NULL AS period,
           coalesce(r.salary_min > r.salary_max, false) AS range
    FROM import_rows s
    LEFT JOIN recruiting.jobs t ON t.organization_id = $1 AND t.external_id = s.external_id
    CROSS JOIN LATERAL jsonb_populate_record(t, s.record) AS r
), changed AS (
    UPDATE import_rows s
    SET record = s.record - '{salary_min,salary_max,salary_currency,salary_period}'::text[]
    FROM found f WHERE s.line = f.line AND (f.currency OR f.period OR f.range))
SELECT line, currency, period, range FROM found WHERE currency OR period OR range ORDER BY line)";

// Inserts new jobs and changes those that differ: an equal row is not touched, because syncToken would report it.
// Times the file does not give follow from the status's and published's changes. A deletion of what was never there
// (no title given) is nothing to do. Returns the ids changed, and whether each is new.
std::string const merge_jobs =
    R"(
WITH merged AS (
    INSERT INTO recruiting.jobs AS j
        (id, organization_id, external_id, title, status, requisition_id, department, location_name, location_city,
         location_region, location_country_code, workplace_type, employment_type, openings, salary_min, salary_max,
         salary_currency, salary_period, salary_published, published, published_at, closes_at, opened_at, closed_at,
         description_html, description_text, created_at, updated_at, deleted_at, apply_url)
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
           CASE WHEN s.record ? 'deleted' THEN coalesce(r.deleted_at, now()) ELSE r.deleted_at END, r.apply_url
    FROM import_rows s
    LEFT JOIN recruiting.jobs t ON t.organization_id = $1 AND t.external_id = s.external_id
    CROSS JOIN LATERAL jsonb_populate_record(t, s.record) AS r
    WHERE t.id IS NOT NULL OR s.record ? 'title'
    ORDER BY s.line)" +
    update_where_different(
        "j", "title, status, requisition_id, department, location_name, location_city, location_region, "
             "location_country_code, workplace_type, employment_type, openings, salary_min, salary_max, "
             "salary_currency, salary_period, salary_published, published, published_at, closes_at, opened_at, "
             "closed_at, description_html, description_text, deleted_at, apply_url") +
    R"(
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
    CROSS JOIN LATERAL jsonb_to_recordset(t.list) AS g (email_key text, member_id uuid, role text)
    JOIN recruiting.memberships m ON m.organization_id = $1
    JOIN recruiting.users u ON u.id = m.user_id AND (m.id = g.member_id OR u.email_key = g.email_key)
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

constexpr std::string_view default_stages = R"([
{"name":"Applied","kind":"applied","position":0,"bookable":false},
{"name":"Phone screen","kind":"screen","position":1,"bookable":false},
{"name":"Interview","kind":"interview","position":2,"bookable":false},
{"name":"Offer","kind":"offer","position":3,"bookable":false},
{"name":"Hired","kind":"hired","position":4,"bookable":false}])";

} // namespace

batch_outcome import_store::apply_jobs() {
    batch_outcome outcome;
    auto const organization = pg::params().id(organization_);
    outcome.bad = lines_with(client_.run(find_unknown_members, organization),
                             {"hiringTeam", "unknown_reference", "names someone who is not a member"});
    remove(outcome.bad);
    auto const untitled = lines_with(client_.run(find_untitled_jobs, organization), missing("title"));
    remove(untitled);
    outcome.bad.insert(outcome.bad.end(), untitled.begin(), untitled.end());
    std::array const what = {problem{"salary.currency", "required", "is required with min or max"},
                             problem{"salary.period", "required", "is required with min or max"},
                             problem{"salary.max", "invalid_number", "must not be below min"}};
    outcome.warned = lines_with_any(client_.run(leave_out_salaries, organization), what);
    std::set<uuid> changed;
    auto const merged = client_.run(merge_jobs, organization);
    for (auto row : merged) {
        changed.insert(row.id());
        if (row.boolean()) ++outcome.inserted;
    }
    std::vector<std::string> to_touch;
    auto const stages = client_.run(apply_stages, pg::params().id(organization_).text(default_stages));
    for (auto row : stages)
        if (auto const job = row.id(); changed.insert(job).second) to_touch.push_back(to_string(job));
    auto const teams = client_.run(apply_hiring_teams, organization);
    for (auto row : teams) changed.insert(row.id());
    if (!to_touch.empty()) client_.run(touch_jobs, pg::params().id(organization_).text_array(to_touch));
    outcome.updated = static_cast<std::int64_t>(changed.size()) - outcome.inserted;
    return outcome;
}

} // namespace recruiting::recruitctl
