-- All that the public side can see: published views, owned by recruiting_owner, and nothing else.
CREATE VIEW recruiting.published_organizations WITH (security_barrier) AS
SELECT o.id, o.slug, o.name, o.website_url, o.logo_url, o.time_zone, o.careers_page_url,
       (SELECT count(*) FROM recruiting.jobs j
        WHERE j.organization_id = o.id AND j.published AND j.status = 'open' AND j.deleted_at IS NULL
          AND (j.closes_at IS NULL OR j.closes_at > now())) AS open_job_count
FROM recruiting.organizations o;

CREATE VIEW recruiting.published_jobs WITH (security_barrier) AS
SELECT j.id, j.organization_id, o.slug AS organization_slug, o.name AS organization_name, j.title, j.sort_title,
       j.department, j.location_name, j.location_city, j.location_region, j.location_country_code,
       j.workplace_type, j.employment_type,
       CASE WHEN j.salary_published THEN j.salary_min END AS salary_min,
       CASE WHEN j.salary_published THEN j.salary_max END AS salary_max,
       CASE WHEN j.salary_published THEN j.salary_currency END AS salary_currency,
       CASE WHEN j.salary_published THEN j.salary_period END AS salary_period,
       j.description_html, j.description_text, j.published_at, j.closes_at, j.updated_at,
       rtrim(o.careers_page_url, '/') || '/jobs/' || replace(j.id::text, '-', '') AS public_url
FROM recruiting.jobs j JOIN recruiting.organizations o ON o.id = j.organization_id
WHERE j.published AND j.status = 'open' AND j.deleted_at IS NULL AND (j.closes_at IS NULL OR j.closes_at > now());

CREATE VIEW recruiting.published_stages WITH (security_barrier) AS
SELECT s.id, s.job_id, s.name, s.position, s.interview_duration_minutes
FROM recruiting.stages s JOIN recruiting.published_jobs j ON j.id = s.job_id
WHERE s.bookable AND s.interview_duration_minutes IS NOT NULL;

ALTER VIEW recruiting.published_organizations OWNER TO recruiting_owner;
ALTER VIEW recruiting.published_jobs OWNER TO recruiting_owner;
ALTER VIEW recruiting.published_stages OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.published_organizations, recruiting.published_jobs, recruiting.published_stages
    TO recruiting_public;
