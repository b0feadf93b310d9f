-- Many organizations of very different sizes, from the demo's records (organization "template"): the k-th has 1/k of the
-- candidates, jobs and requests of the first. Rows of all organizations lie mixed in the tables, in the order of their
-- creation, as they do in a system that has been up for years. Asked for by current_setting('bench.organizations').
CREATE SCHEMA bench;

CREATE FUNCTION bench.id_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(r, 1, 3) || '8' ||
            substr(r, 4, 15))::uuid FROM md5(random()::text) AS r
$$;
CREATE FUNCTION bench.any_organization() RETURNS integer LANGUAGE sql VOLATILE AS $$
    SELECT floor(current_setting('bench.organizations')::integer ^ random())::integer
$$;

CREATE UNLOGGED TABLE bench.organizations AS
SELECT n::integer, bench.id_at(created_at) AS id, created_at
  FROM (SELECT n, now() - interval '3 years' + n * interval '1 year' / current_setting('bench.organizations')::integer
               AS created_at
          FROM generate_series(1, current_setting('bench.organizations')::integer) AS n) o;
CREATE UNIQUE INDEX ON bench.organizations (n);
INSERT INTO recruiting.organizations (id, slug, name, careers_page_url, time_zone, country_code, created_at, updated_at,
                                      accent_color, apply_url)
SELECT o.id, 'bench-' || o.n, 'Bench ' || o.n, 'https://bench-' || o.n || '.example/careers', t.time_zone,
       t.country_code, o.created_at, o.created_at, t.accent_color, t.apply_url
  FROM bench.organizations o, recruiting.organizations t WHERE t.slug = 'template';
INSERT INTO recruiting.subscriptions (organization_id, plan, status, currency, current_period_start, current_period_end,
                                      seats_included, amount_due_cents)
SELECT o.id, s.plan, s.status, s.currency, s.current_period_start, s.current_period_end, s.seats_included, 0
  FROM bench.organizations o, recruiting.subscriptions s JOIN recruiting.organizations t ON t.id = s.organization_id
 WHERE t.slug = 'template';

-- The first member is an admin, the second a recruiter, the third a hiring manager.
CREATE UNLOGGED TABLE bench.members AS
SELECT o.n, o.id AS organization_id, m::integer, bench.id_at(o.created_at) AS id, gen_random_uuid() AS user_id, o.created_at
  FROM bench.organizations o CROSS JOIN LATERAL generate_series(1, 3 + 300 / o.n) AS m;
CREATE UNIQUE INDEX ON bench.members (n, m);
INSERT INTO recruiting.users (id, email_key, name, created_at, updated_at)
SELECT user_id, 'member' || m || '@bench-' || n || '.example', 'Member ' || m, created_at, created_at FROM bench.members;
INSERT INTO recruiting.memberships (id, organization_id, user_id, email, role, created_at, updated_at)
SELECT id, organization_id, user_id, 'member' || m || '@bench-' || n || '.example',
       (ARRAY['admin', 'recruiter', 'hiring_manager', 'interviewer', 'viewer'])[1 + (m - 1) % 5], created_at, created_at
  FROM bench.members;
CREATE UNLOGGED TABLE bench.api_keys AS
SELECT n, organization_id, m, gen_random_uuid() AS id, id AS membership_id, created_at FROM bench.members WHERE m <= 2;
CREATE UNIQUE INDEX ON bench.api_keys (n, m);
INSERT INTO recruiting.api_keys (id, organization_id, membership_id, name, secret_hash, displayed_prefix, environment, scopes,
                                 expires_at, created_at, updated_at)
SELECT id, organization_id, membership_id, 'warehouse sync ' || m, sha256(id::text::bytea), 'rk_test_bench', 'test',
       ARRAY['jobs:read', 'candidates:read', 'audit:read'], now() + interval '90 days', created_at, created_at
  FROM bench.api_keys;
INSERT INTO recruiting.agent_sessions (id, organization_id, membership_id, credential_id, title, status, run_count,
                                       last_run_at, created_at, updated_at)
SELECT bench.id_at(at), k.organization_id, k.membership_id, k.id, 'Open positions', 'completed', 1, at, at, at
  FROM bench.api_keys k CROSS JOIN LATERAL (SELECT now() - random() * interval '25 days' AS at) s WHERE k.m = 1;

-- At least two jobs each. Their stages and teams are written as those of an organization that moves are: the job's row has
-- them already.
CREATE UNLOGGED TABLE bench.template_jobs AS
SELECT row_number() OVER (ORDER BY j.id) AS t, j.* FROM recruiting.jobs j JOIN recruiting.organizations o
    ON o.id = j.organization_id AND o.slug = 'template';
CREATE UNLOGGED TABLE bench.jobs AS
SELECT j.n, j.organization_id, bench.id_at(j.created_at) AS id, j.created_at,
       1 + floor(random() * (SELECT count(*) FROM bench.template_jobs))::bigint AS t
  FROM (SELECT o.n, o.id AS organization_id, now() - random() * interval '2 years' AS created_at
          FROM bench.organizations o CROSS JOIN LATERAL generate_series(
               1, 2 + current_setting('bench.largest_jobs')::integer / o.n) AS of_it) j
 ORDER BY j.created_at;
CREATE UNLOGGED TABLE bench.job_stages AS
SELECT bench.id_at(j.created_at) AS id, j.organization_id, j.id AS job_id, s.name, s.kind, s.position, s.bookable,
       s.interview_duration_minutes, j.created_at
  FROM bench.jobs j JOIN bench.template_jobs t USING (t) JOIN recruiting.stages s ON s.job_id = t.id;
CREATE UNLOGGED TABLE bench.stages AS
SELECT j.n, row_number() OVER (PARTITION BY j.n ORDER BY j.id) AS j, s.*
  FROM (SELECT job_id, array_agg(id ORDER BY position) AS ids,
               json_agg(json_build_object(
                   'id', replace(id::text, '-', ''), 'name', name, 'kind', kind, 'position', position,
                   'bookable', bookable, 'interviewDurationMinutes', interview_duration_minutes)
                   ORDER BY position)::text AS list
          FROM bench.job_stages GROUP BY job_id) s
  JOIN bench.jobs j ON j.id = s.job_id;
CREATE UNIQUE INDEX ON bench.stages (n, j);
CREATE UNLOGGED TABLE bench.job_counts AS SELECT n, count(*) AS jobs FROM bench.stages GROUP BY n;
CREATE UNIQUE INDEX ON bench.job_counts (n);
ANALYZE bench.organizations, bench.members, bench.jobs, bench.stages;
INSERT INTO recruiting.jobs (id, organization_id, title, status, requisition_id, department, location_name, location_city,
                             location_region, location_country_code, workplace_type, employment_type, openings, salary_min,
                             salary_max, salary_currency, salary_period, salary_published, published, published_at, opened_at,
                             closed_at, description_html, description_text, created_at, updated_at, hiring_team, stages)
SELECT j.id, j.organization_id, t.title, t.status, t.requisition_id, t.department, t.location_name, t.location_city,
       t.location_region, t.location_country_code, t.workplace_type, t.employment_type, t.openings, t.salary_min,
       t.salary_max, t.salary_currency, t.salary_period, t.salary_published, t.published, j.created_at, j.created_at,
       t.closed_at, t.description_html, t.description_text, j.created_at, j.created_at,
       json_build_array(json_build_object('memberId', replace(m.id::text, '-', ''), 'role', 'hiring_manager'))::text, s.list
  FROM bench.jobs j JOIN bench.template_jobs t USING (t) JOIN bench.members m ON m.n = j.n AND m.m = 3
  JOIN bench.stages s ON s.job_id = j.id ORDER BY j.created_at;
SET session_replication_role = replica; -- jobs have their stages and teams already
INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position, bookable, interview_duration_minutes,
                               created_at, updated_at)
SELECT s.*, s.created_at FROM bench.job_stages s ORDER BY s.created_at;
INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id)
SELECT j.organization_id, j.id, m.id FROM bench.jobs j JOIN bench.members m ON m.n = j.n AND m.m = 3;
RESET session_replication_role;

-- Ten times ahead, for one open position of each organization.
INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at)
SELECT gen_random_uuid(), s.organization_id, s.job_id, s.id, m.id, at, at + make_interval(mins => s.interview_duration_minutes)
  FROM (SELECT DISTINCT ON (s.organization_id) s.* FROM recruiting.stages s JOIN recruiting.jobs j ON j.id = s.job_id
         WHERE s.bookable AND j.published AND j.status = 'open' ORDER BY s.organization_id, s.id) s
  JOIN bench.organizations o ON o.id = s.organization_id JOIN bench.members m ON m.n = o.n AND m.m = 3
 CROSS JOIN generate_series(date_trunc('hour', now()) + interval '2 days', now() + interval '2 days 10 hours', interval '1 hour') AS at;

CREATE UNLOGGED TABLE bench.template_candidates AS
SELECT row_number() OVER (ORDER BY c.id) AS t, c.* FROM recruiting.candidates c JOIN recruiting.organizations o
    ON o.id = c.organization_id AND o.slug = 'template';
CREATE UNIQUE INDEX ON bench.template_candidates (t);
ANALYZE;

-- Candidates number first to last of `all`, over two years, each with an application.
CREATE PROCEDURE bench.add_candidates(first bigint, last bigint, all_of_them bigint) LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMPORARY TABLE added AS
    SELECT c.i, c.n, o.id AS organization_id, bench.id_at(c.created_at) AS id, c.created_at,
           1 + c.i % (SELECT count(*) FROM bench.template_candidates) AS t, 1 + floor(random() * j.jobs)::bigint AS j
      FROM (SELECT i, bench.any_organization() AS n, now() - interval '2 years' + i * interval '2 years' / all_of_them AS created_at
              FROM generate_series(first, last) AS i) c
      JOIN bench.organizations o USING (n) JOIN bench.job_counts j USING (n);
    INSERT INTO recruiting.candidates (id, organization_id, name, email, email_key, phone, current_title, current_company, location_city,
                                       location_region, location_country_code, links, source, tags, last_activity_at,
                                       created_at, updated_at)
    SELECT a.id, a.organization_id, t.name, 'c' || a.i || '@' || split_part(t.email, '@', 2),
           'c' || a.i || '@' || split_part(t.email, '@', 2), t.phone, t.current_title,
           t.current_company, t.location_city, t.location_region, t.location_country_code, t.links, t.source, t.tags,
           a.created_at, a.created_at, a.created_at
      FROM added a JOIN bench.template_candidates t USING (t) ORDER BY a.created_at;
    INSERT INTO recruiting.applications (id, organization_id, candidate_id, job_id, stage_id, status, source, applied_at,
                                         stage_entered_at, rejected_at, created_at, updated_at)
    SELECT bench.id_at(a.created_at), a.organization_id, a.id, s.job_id, s.ids[1 + floor(random() ^ 3 * cardinality(s.ids))::integer],
           CASE WHEN a.i % 3 = 0 THEN 'rejected' ELSE 'active' END, 'careers_page', a.created_at, a.created_at,
           CASE WHEN a.i % 3 = 0 THEN a.created_at END, a.created_at, a.created_at
      FROM added a JOIN bench.stages s USING (n, j) ORDER BY a.created_at;
    DROP TABLE added;
END $$;
