-- How an organization looks in pages, mails and link previews, and where people apply (decision 0095). The constraints
-- are NOT VALID so that no table is read under a lock: no row has a value yet, and each one that is written is checked.
ALTER TABLE recruiting.organizations
    ADD COLUMN accent_color text,    -- #rrggbb; pages and mails show legible shades of it (libs/html/accent.hpp)
    ADD COLUMN share_image_url text, -- the picture of link previews (og:image)
    ADD COLUMN apply_url text,       -- where people apply for jobs that have no apply_url of their own
    ADD CONSTRAINT organizations_accent_color CHECK (accent_color ~ '^#[0-9a-f]{6}$') NOT VALID,
    ADD CONSTRAINT organizations_apply_url
        CHECK (apply_url ~ '^(https?://|mailto:)[^[:space:][:cntrl:]]+$' AND length(apply_url) <= 2048) NOT VALID;
ALTER TABLE recruiting.jobs
    ADD COLUMN apply_url text,
    ADD CONSTRAINT jobs_apply_url
        CHECK (apply_url ~ '^(https?://|mailto:)[^[:space:][:cntrl:]]+$' AND length(apply_url) <= 2048) NOT VALID;

-- The views as before, with columns appended. Triggers of 0009 notify public-api of each change of these tables.

CREATE OR REPLACE VIEW recruiting.published_organizations WITH (security_barrier) AS
SELECT o.id, o.slug, o.name, o.website_url, o.logo_url, o.time_zone, o.careers_page_url,
       (SELECT count(*) FROM recruiting.jobs j
        WHERE j.organization_id = o.id AND j.published AND j.status = 'open' AND j.deleted_at IS NULL
          AND (j.closes_at IS NULL OR j.closes_at > now())) AS open_job_count,
       o.accent_color, o.share_image_url, o.apply_url
FROM recruiting.organizations o
WHERE EXISTS (SELECT FROM recruiting.jobs j
              WHERE j.organization_id = o.id AND j.published AND j.status <> 'draft' AND j.deleted_at IS NULL);

-- apply_url is the job's own: public-api falls back to the organization's, whose change leaves updated_at of its jobs.
CREATE OR REPLACE VIEW recruiting.published_jobs WITH (security_barrier) AS
SELECT j.id, j.organization_id, o.slug AS organization_slug, o.name AS organization_name, j.title, j.sort_title,
       j.department, j.location_name, j.location_city, j.location_region, j.location_country_code,
       j.workplace_type, j.employment_type,
       CASE WHEN j.salary_published THEN j.salary_min END AS salary_min,
       CASE WHEN j.salary_published THEN j.salary_max END AS salary_max,
       CASE WHEN j.salary_published THEN j.salary_currency END AS salary_currency,
       CASE WHEN j.salary_published THEN j.salary_period END AS salary_period,
       j.description_html, j.description_text, j.published_at, j.closes_at, j.updated_at,
       rtrim(o.careers_page_url, '/') || '/jobs/' || replace(j.id::text, '-', '') AS public_url,
       j.apply_url
FROM recruiting.jobs j JOIN recruiting.organizations o ON o.id = j.organization_id
WHERE j.published AND j.status = 'open' AND j.deleted_at IS NULL AND (j.closes_at IS NULL OR j.closes_at > now());

CREATE OR REPLACE VIEW recruiting.presented_booking WITH (security_barrier) AS
SELECT b.id, b.status, b.starts_at, b.ends_at, b.wanted_starts_at, b.time_zone, b.join_url, b.calendar_uid, b.sequence,
       b.updated_at, b.job_id, j.title AS job_title, b.stage_id, s.name AS stage_name,
       o.name AS organization_name, o.slug AS organization_slug, o.logo_url, o.website_url,
       (SELECT u.name FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
        WHERE m.id = b.membership_id) AS interviewer_name,
       b.language,
       EXISTS (SELECT FROM recruiting.booking_tokens t
               WHERE t.hash = recruiting.current_booking_token() AND t.join_hash IS NOT NULL) AS has_join_link,
       o.accent_color
FROM recruiting.bookings b
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id
WHERE b.id = (SELECT recruiting.presented_booking_id());

CREATE OR REPLACE VIEW recruiting.presented_meeting WITH (security_barrier) AS
SELECT b.status, b.starts_at, b.ends_at, b.time_zone, b.language, p.told_starts_at <> b.starts_at AS moved,
       (SELECT w.url FROM recruiting.meetings w WHERE w.booking_id = b.id) AS url,
       j.title AS job_title, s.name AS stage_name, o.name AS organization_name, o.slug AS organization_slug, o.logo_url,
       o.accent_color
FROM recruiting.presented_join() p
JOIN recruiting.bookings b ON b.id = p.booking_id
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id
WHERE NOT EXISTS (SELECT FROM recruiting.booking_tokens t
                  WHERE (t.hash = recruiting.current_booking_token() OR t.join_hash = recruiting.current_booking_token())
                    AND t.membership_id IS NOT NULL
                    AND NOT EXISTS (SELECT FROM recruiting.memberships i
                                    WHERE i.id = t.membership_id AND i.id = b.membership_id AND i.status = 'active'));

CREATE OR REPLACE VIEW recruiting.mail_content WITH (security_barrier) AS
SELECT m.id, o.name AS organization_name, o.slug AS organization_slug, j.title AS job_title, s.name AS stage_name,
       c.name AS candidate_name, CASE WHEN c.deleted_at IS NULL THEN c.email END AS candidate_email,
       u.name AS interviewer_name, CASE WHEN i.status = 'active' THEN u.email END AS interviewer_email,
       o.time_zone AS organization_time_zone, b.language,
       EXISTS (SELECT FROM recruiting.meetings w WHERE w.booking_id = b.id AND w.url IS NOT NULL) AS has_meeting_url,
       o.logo_url, o.accent_color
FROM recruiting.mail_outbox m
JOIN recruiting.bookings b ON b.id = m.booking_id
JOIN recruiting.organizations o ON o.id = m.organization_id
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.candidates c ON c.id = b.candidate_id
LEFT JOIN recruiting.memberships i ON i.id = m.membership_id
LEFT JOIN recruiting.users u ON u.id = i.user_id
WHERE recruiting.is_worker('mailer');

CREATE OR REPLACE VIEW recruiting.member_mail_content WITH (security_barrier) AS
SELECT m.id, u.id AS user_id, u.email_key, u.name AS member_name, o.name AS organization_name,
       CASE WHEN CASE m.kind
                     WHEN 'invitation' THEN i.status = 'invited'
                     ELSE EXISTS (SELECT FROM recruiting.memberships a
                                  WHERE a.user_id = u.id AND a.status IN ('active', 'invited')) END
            THEN u.email END AS email,
       o.logo_url, o.accent_color
FROM recruiting.mail_outbox m
JOIN recruiting.users u ON u.id = m.user_id
LEFT JOIN recruiting.organizations o ON o.id = m.organization_id
LEFT JOIN recruiting.memberships i ON i.id = m.membership_id
WHERE m.audience = 'member' AND recruiting.is_worker('mailer');
