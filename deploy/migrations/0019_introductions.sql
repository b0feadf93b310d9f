-- An organization introduces itself on its careers page and on those of its jobs. HTML as html::sanitize writes it.
-- locks: the table has one row per organization
ALTER TABLE recruiting.organizations
    ADD COLUMN introduction_html text
        CONSTRAINT organizations_introduction_html CHECK (length(introduction_html) BETWEEN 1 AND 10000);

CREATE OR REPLACE VIEW recruiting.published_organizations WITH (security_barrier) AS
SELECT o.id, o.slug, o.name, o.website_url, o.logo_url, o.time_zone, o.careers_page_url, o.accent_color, o.share_image_url, o.apply_url,
       o.country_code, o.introduction_html
FROM recruiting.organizations o
WHERE EXISTS (SELECT FROM recruiting.jobs j
              WHERE j.organization_id = o.id AND j.published AND j.status <> 'draft' AND j.deleted_at IS NULL);

-- With what the interviewer's calendar entry needs, which like the page shows nothing about the candidate.
CREATE OR REPLACE VIEW recruiting.presented_decline WITH (security_barrier) AS
SELECT CASE WHEN t.declined_at IS NOT NULL THEN 'declined'
            WHEN b.status <> 'confirmed' THEN 'canceled'
            WHEN b.calendar_uid <> t.calendar_uid OR b.starts_at <> t.starts_at THEN 'moved'
            WHEN b.starts_at <= now() THEN 'begun'
            ELSE 'open' END AS state,
       t.starts_at, t.ends_at, o.time_zone, j.title AS job_title, s.name AS stage_name, o.name AS organization_name,
       o.slug AS organization_slug, o.logo_url, o.accent_color,
       b.calendar_uid, b.sequence, b.updated_at
FROM recruiting.decline_tokens t
JOIN recruiting.memberships i ON i.id = t.membership_id AND i.status = 'active'
JOIN recruiting.bookings b ON b.id = t.booking_id
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id
WHERE t.hash = recruiting.current_booking_token() AND t.expires_at > now()
  AND (t.declined_at IS NOT NULL OR b.membership_id = t.membership_id);
