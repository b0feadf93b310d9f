-- Salaries are exact amounts of money: 20.75 an hour. Postings name the country of a job, which may be the organization's.

-- All that show a salary's column, and what is read through these, are made again below: they fix its type.
DROP POLICY ask ON recruiting.booking_requests;
DROP VIEW recruiting.published_slots, recruiting.published_stages, recruiting.published_jobs;
-- Three decimals are as many as a currency in use has (ISO 4217).
-- locks: jobs are few, and one rewrite of their table takes seconds; a column's type can't be changed in steps.
ALTER TABLE recruiting.jobs
    ALTER COLUMN salary_min TYPE numeric,
    ALTER COLUMN salary_max TYPE numeric,
    DROP CONSTRAINT jobs_salary_min_check,
    DROP CONSTRAINT jobs_salary_max_check,
    ADD CONSTRAINT jobs_salary_min CHECK (salary_min BETWEEN 0 AND 1000000000000 AND scale(salary_min) <= 3),
    ADD CONSTRAINT jobs_salary_max CHECK (salary_max BETWEEN 0 AND 1000000000000 AND scale(salary_max) <= 3);

-- Amounts are kept without trailing zeros, so that their text is that of their JSON number.
CREATE OR REPLACE FUNCTION recruiting.write_job_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.salary_min := trim_scale(NEW.salary_min);
    NEW.salary_max := trim_scale(NEW.salary_max);
    IF greatest(NEW.salary_min, NEW.salary_max) = 0 THEN -- how files say that they name none
        NEW.salary_min := NULL;
        NEW.salary_max := NULL;
    END IF;
    NEW.record := concat(
        '"id":', recruiting.json_of(NEW.id),
        ',"externalId":', recruiting.json_of(NEW.external_id),
        ',"title":', recruiting.json_of(NEW.title),
        ',"status":', recruiting.json_of(NEW.status),
        ',"requisitionId":', recruiting.json_of(NEW.requisition_id),
        ',"department":', recruiting.json_of(NEW.department),
        ',"location":', recruiting.json_of_location(NEW.location_name, NEW.location_city, NEW.location_region,
                                                    NEW.location_country_code),
        ',"workplaceType":', recruiting.json_of(NEW.workplace_type),
        ',"employmentType":', recruiting.json_of(NEW.employment_type),
        ',"openings":', NEW.openings,
        ',"salary":', CASE WHEN num_nonnulls(NEW.salary_min, NEW.salary_max) = 0 THEN 'null' ELSE
            concat('{"min":', coalesce(NEW.salary_min::text, 'null'), ',"max":', coalesce(NEW.salary_max::text, 'null'),
                   ',"currency":', recruiting.json_of(NEW.salary_currency),
                   ',"period":', recruiting.json_of(NEW.salary_period), '}') END,
        ',"salaryPublished":', NEW.salary_published::text,
        ',"hiringTeam":', NEW.hiring_team,
        ',"published":', NEW.published::text,
        ',"publishedAt":', recruiting.json_of(NEW.published_at),
        ',"closesAt":', recruiting.json_of(NEW.closes_at),
        ',"openedAt":', recruiting.json_of(NEW.opened_at),
        ',"closedAt":', recruiting.json_of(NEW.closed_at),
        ',"createdAt":', recruiting.json_of(NEW.created_at),
        ',"updatedAt":', recruiting.json_of(NEW.updated_at),
        ',"deletedAt":', recruiting.json_of(NEW.deleted_at));
    RETURN NEW;
END $$;
-- Other records say what they said before.
-- locks: few jobs have a salary of 0.
UPDATE recruiting.jobs SET salary_min = NULL, salary_max = NULL WHERE greatest(salary_min, salary_max) = 0;

CREATE OR REPLACE VIEW recruiting.published_organizations WITH (security_barrier) AS
SELECT o.id, o.slug, o.name, o.website_url, o.logo_url, o.time_zone, o.careers_page_url, o.accent_color, o.share_image_url, o.apply_url,
       o.country_code
FROM recruiting.organizations o
WHERE EXISTS (SELECT FROM recruiting.jobs j
              WHERE j.organization_id = o.id AND j.published AND j.status <> 'draft' AND j.deleted_at IS NULL);

-- apply_url is the job's own: public-api falls back to the organization's, whose change leaves updated_at of its jobs.
CREATE VIEW recruiting.published_jobs WITH (security_barrier) AS
SELECT j.id, j.organization_id, j.title, j.department, j.location_name, j.location_city, j.location_region,
       j.location_country_code, j.workplace_type, j.employment_type,
       CASE WHEN j.salary_published THEN j.salary_min END AS salary_min,
       CASE WHEN j.salary_published THEN j.salary_max END AS salary_max,
       CASE WHEN j.salary_published THEN j.salary_currency END AS salary_currency,
       CASE WHEN j.salary_published THEN j.salary_period END AS salary_period,
       j.description_html, j.description_text, j.published_at, j.closes_at, j.updated_at, j.apply_url
FROM recruiting.jobs j
WHERE j.published AND j.status = 'open' AND j.deleted_at IS NULL AND (j.closes_at IS NULL OR j.closes_at > now());
ALTER VIEW recruiting.published_jobs OWNER TO recruiting_owner;

CREATE VIEW recruiting.published_stages WITH (security_barrier) AS
SELECT s.id, s.job_id, s.name, s.position, s.interview_duration_minutes
FROM recruiting.stages s JOIN recruiting.published_jobs j ON j.id = s.job_id
WHERE s.bookable AND s.interview_duration_minutes IS NOT NULL;
ALTER VIEW recruiting.published_stages OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.published_jobs, recruiting.published_stages TO recruiting_public;

-- The published schedule. It knows nothing of bookings: a slot that is taken looks as one that is not.
CREATE VIEW recruiting.published_slots WITH (security_barrier) AS
SELECT s.organization_id, s.job_id, s.stage_id, s.starts_at, max(s.ends_at) AS ends_at
FROM recruiting.interview_slots s
JOIN recruiting.published_stages st ON st.id = s.stage_id AND st.job_id = s.job_id
JOIN recruiting.memberships m ON m.id = s.membership_id AND m.status = 'active'
WHERE s.closed_at IS NULL
GROUP BY s.organization_id, s.job_id, s.stage_id, s.starts_at;
ALTER VIEW recruiting.published_slots OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.published_slots TO recruiting_public;

CREATE POLICY ask ON recruiting.booking_requests FOR INSERT TO recruiting_public
    WITH CHECK (EXISTS (SELECT FROM recruiting.published_slots p
                        WHERE p.job_id = booking_requests.job_id AND p.stage_id = booking_requests.stage_id
                          AND p.starts_at = booking_requests.starts_at
                          AND p.organization_id = booking_requests.organization_id));
