-- Each organization sees its members under the name it gave them (memberships.invited_name), after they have joined too.
-- users.name is the name that the first organization gave: it is shown only where an organization gave none (decision 0109).

-- A new name shows in the next interview of applications: as follow_users (0021). As the owner: admins who change members in
-- the console change no candidates.
CREATE FUNCTION recruiting.follow_member_name() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM recruiting.touch_candidates(ARRAY(
        SELECT b.candidate_id FROM recruiting.bookings b
        WHERE b.membership_id = NEW.id AND b.status = 'confirmed'
          AND tstzrange(b.starts_at, b.ends_at) && tstzrange(now(), NULL)));
    RETURN NULL;
END $$;
ALTER FUNCTION recruiting.follow_member_name OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.follow_member_name FROM PUBLIC; -- as of place_booking
CREATE TRIGGER follow_renamed AFTER UPDATE OF invited_name ON recruiting.memberships
    FOR EACH ROW WHEN (OLD.invited_name IS DISTINCT FROM NEW.invited_name)
    EXECUTE FUNCTION recruiting.follow_member_name();

-- The views as before, but for the names of members.

CREATE OR REPLACE VIEW recruiting.presented_credential WITH (security_barrier) AS
SELECT k.id, k.organization_id, k.membership_id, k.name, k.displayed_prefix, k.environment, k.scopes, k.allowed_ips,
       k.created_at, k.expires_at, CASE WHEN NOT k.name_released THEN k.revoked_at END AS revoked_at,
       m.role,
       CASE WHEN EXISTS (SELECT FROM recruiting.frozen_organizations f WHERE f.organization_id = k.organization_id)
            THEN 'frozen' ELSE m.status END AS status,
       coalesce(m.invited_name, u.name) AS member_name, u.email AS member_email, k.secret_hash
FROM recruiting.api_keys k
JOIN recruiting.memberships m ON m.id = k.membership_id
JOIN recruiting.users u ON u.id = m.user_id
WHERE k.secret_hash = ANY (recruiting.current_secret_hashes());

-- Before an organization is chosen, people see the name that the first one they joined gave them, else their address:
-- strangers who only invite them name nobody.
CREATE OR REPLACE VIEW recruiting.presented_session WITH (security_barrier) AS
SELECT s.id, s.user_id, m.organization_id, m.id AS membership_id, m.role,
       CASE WHEN m.id IS NOT NULL THEN coalesce(m.invited_name, u.name)
            ELSE coalesce((SELECT coalesce(j.invited_name, u.name) FROM recruiting.memberships j
                           WHERE j.user_id = u.id AND j.status = 'active' ORDER BY j.created_at, j.id LIMIT 1), u.email)
       END AS member_name,
       u.email AS member_email,
       s.created_at, s.expires_at, s.idle_expires_at, s.last_seen_at, o.slug AS organization_slug
FROM recruiting.console_sessions s
JOIN recruiting.users u ON u.id = s.user_id
LEFT JOIN recruiting.memberships m
       ON m.id = s.membership_id AND m.user_id = s.user_id AND m.status = 'active'
      AND NOT EXISTS (SELECT FROM recruiting.frozen_organizations f WHERE f.organization_id = m.organization_id)
LEFT JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE s.hash = recruiting.current_session_hash() AND s.expires_at > now() AND s.idle_expires_at > now();

CREATE OR REPLACE VIEW recruiting.presented_booking WITH (security_barrier) AS
SELECT b.id, b.status, b.starts_at, b.ends_at, b.wanted_starts_at, b.time_zone, b.join_url, b.calendar_uid, b.sequence,
       b.updated_at, b.job_id, j.title AS job_title, b.stage_id, s.name AS stage_name,
       o.name AS organization_name, o.slug AS organization_slug, o.logo_url, o.website_url,
       (SELECT coalesce(m.invited_name, u.name) FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
        WHERE m.id = b.membership_id) AS interviewer_name,
       b.language,
       EXISTS (SELECT FROM recruiting.booking_tokens t
               WHERE t.hash = recruiting.current_booking_token() AND t.join_hash IS NOT NULL) AS has_join_link,
       o.accent_color, b.declined_by IS NOT NULL AS is_declined
FROM recruiting.bookings b
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id
WHERE b.id = (SELECT recruiting.presented_booking_id());

CREATE OR REPLACE VIEW recruiting.mail_content WITH (security_barrier) AS
SELECT m.id, o.name AS organization_name, o.slug AS organization_slug, j.title AS job_title, s.name AS stage_name,
       c.name AS candidate_name, CASE WHEN c.deleted_at IS NULL THEN c.email END AS candidate_email,
       coalesce(i.invited_name, u.name) AS interviewer_name,
       CASE WHEN i.status = 'active' THEN u.email END AS interviewer_email,
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

-- A sign-in mail is of no organization: it names the person as presented_session does, or not at all.
CREATE OR REPLACE VIEW recruiting.member_mail_content WITH (security_barrier) AS
SELECT m.id, u.id AS user_id, u.email_key,
       CASE WHEN i.id IS NOT NULL THEN coalesce(i.invited_name, u.name)
            ELSE coalesce((SELECT coalesce(j.invited_name, u.name) FROM recruiting.memberships j
                           WHERE j.user_id = u.id AND j.status = 'active' ORDER BY j.created_at, j.id LIMIT 1), '')
       END AS member_name,
       o.name AS organization_name,
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

-- Members who have joined and whose shown name changes by this: syncs report them, and the candidates they interview. A
-- frozen organization accepts no change.
WITH renamed AS (
    UPDATE recruiting.memberships m SET user_id = m.user_id
    FROM recruiting.users u
    WHERE u.id = m.user_id AND NOT m.invitation_open AND m.invited_name <> u.name
      AND m.organization_id NOT IN (SELECT f.organization_id FROM recruiting.frozen_organizations f)
    RETURNING m.id)
SELECT recruiting.touch_candidates(ARRAY(
    SELECT b.candidate_id FROM recruiting.bookings b
    WHERE b.membership_id IN (SELECT id FROM renamed) AND b.status = 'confirmed'
      AND tstzrange(b.starts_at, b.ends_at) && tstzrange(now(), NULL)));
