-- recruitctl: formerly 2360baac401151e5a3a1bedca7e5b3ce1c6c374da2ea3d12e3fd14baf2a2a517
-- The join link of a booking and the language of its mails (design: Public API, Booking). The link is an address of our
-- own pages; where it leads is read when it is followed, so that an address that is set later still serves.

ALTER TABLE recruiting.memberships ADD COLUMN join_url text -- where this interviewer meets; NULL: nowhere in particular
    CHECK (join_url ~ '^https://[\u0021-\u007e]+$' AND length(join_url) <= 2000);
ALTER TABLE recruiting.organizations ADD COLUMN room_url text -- {room} becomes 32 characters of each booking's own
    CHECK (room_url ~ '^https://[\u0021-\u007e]+$' AND length(room_url) <= 1000 AND strpos(room_url, '{room}') > 0);
-- In steps: PostgreSQL 15.20 and 17.12 refuse a column with a default where a function takes the table's row type
-- (write_booking_mail).
ALTER TABLE recruiting.bookings ADD COLUMN room uuid;
ALTER TABLE recruiting.bookings DISABLE TRIGGER USER;
UPDATE recruiting.bookings SET room = gen_random_uuid();
ALTER TABLE recruiting.bookings ENABLE TRIGGER USER;
ALTER TABLE recruiting.bookings ALTER COLUMN room SET DEFAULT gen_random_uuid(), ALTER COLUMN room SET NOT NULL;

-- What the request asked for, resolved to a language there are words for; NULL: English. Every request has one of the
-- same few values, whoever it names.
ALTER TABLE recruiting.booking_requests ADD COLUMN language text CHECK (length(language) <= 35);
GRANT INSERT (language) ON recruiting.booking_requests TO recruiting_public;
ALTER TABLE recruiting.bookings ADD COLUMN language text CHECK (length(language) <= 35);
GRANT INSERT (language), UPDATE (language) ON recruiting.bookings TO recruiting_auth;

-- Each mail's link has a second token that only joins: it stands in calendars, which people share. NULL: the mail was
-- sent before there were join links.
ALTER TABLE recruiting.booking_tokens ADD COLUMN join_hash bytea UNIQUE CHECK (length(join_hash) = 32);
ALTER TABLE recruiting.booking_tokens ADD COLUMN told_starts_at timestamptz; -- the time that the mail names

-- Where each confirmed interview meets; NULL: nowhere yet. Only other views read it: nobody is granted it.
CREATE VIEW recruiting.meetings WITH (security_barrier) AS
SELECT b.id AS booking_id,
       coalesce(s.join_url, m.join_url, replace(o.room_url, '{room}', replace(b.room::text, '-', '')), b.room_url) AS url
FROM recruiting.bookings b
JOIN recruiting.organizations o ON o.id = b.organization_id
LEFT JOIN recruiting.interview_slots s ON s.id = b.slot_id
LEFT JOIN recruiting.memberships m ON m.id = b.membership_id
WHERE b.status = 'confirmed';
ALTER VIEW recruiting.meetings OWNER TO recruiting_owner;

-- The link that this transaction has presented, to manage or only to join; no row without one, or when it has expired.
CREATE FUNCTION recruiting.presented_join() RETURNS TABLE (booking_id uuid, told_starts_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT t.booking_id, t.told_starts_at FROM recruiting.booking_tokens t
    WHERE (t.hash = recruiting.current_booking_token() OR t.join_hash = recruiting.current_booking_token())
      AND t.expires_at > now();
END;
ALTER FUNCTION recruiting.presented_join OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.presented_join FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.presented_join TO recruiting_public;

-- What the join page shows: the interview and where it meets; nothing of the people, for links are forwarded.
CREATE VIEW recruiting.presented_meeting WITH (security_barrier) AS
SELECT b.status, b.starts_at, b.ends_at, b.time_zone, b.language, p.told_starts_at <> b.starts_at AS moved,
       (SELECT w.url FROM recruiting.meetings w WHERE w.booking_id = b.id) AS url,
       j.title AS job_title, s.name AS stage_name, o.name AS organization_name, o.slug AS organization_slug, o.logo_url
FROM recruiting.presented_join() p
JOIN recruiting.bookings b ON b.id = p.booking_id
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id;
ALTER VIEW recruiting.presented_meeting OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_meeting TO recruiting_public;

-- As before, and at its end the language and whether the link has one that only joins.
CREATE OR REPLACE VIEW recruiting.presented_booking WITH (security_barrier) AS
SELECT b.id, b.status, b.starts_at, b.ends_at, b.wanted_starts_at, b.time_zone, b.join_url, b.calendar_uid, b.sequence,
       b.updated_at, b.job_id, j.title AS job_title, b.stage_id, s.name AS stage_name,
       o.name AS organization_name, o.slug AS organization_slug, o.logo_url, o.website_url,
       (SELECT u.name FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
        WHERE m.id = b.membership_id) AS interviewer_name,
       b.language,
       EXISTS (SELECT FROM recruiting.booking_tokens t
               WHERE t.hash = recruiting.current_booking_token() AND t.join_hash IS NOT NULL) AS has_join_link
FROM recruiting.bookings b
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id
WHERE b.id = (SELECT recruiting.presented_booking_id());

CREATE OR REPLACE VIEW recruiting.mail_content WITH (security_barrier) AS
SELECT m.id, o.name AS organization_name, o.slug AS organization_slug, j.title AS job_title, s.name AS stage_name,
       c.name AS candidate_name, CASE WHEN c.deleted_at IS NULL THEN c.email END AS candidate_email,
       u.name AS interviewer_name, CASE WHEN i.status = 'active' THEN u.email END AS interviewer_email,
       o.time_zone AS organization_time_zone, b.language,
       EXISTS (SELECT FROM recruiting.meetings w WHERE w.booking_id = b.id AND w.url IS NOT NULL) AS has_meeting_url
FROM recruiting.mail_outbox m
JOIN recruiting.bookings b ON b.id = m.booking_id
JOIN recruiting.organizations o ON o.id = m.organization_id
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.candidates c ON c.id = b.candidate_id
LEFT JOIN recruiting.memberships i ON i.id = m.membership_id
LEFT JOIN recruiting.users u ON u.id = i.user_id
WHERE recruiting.is_worker('mailer');
