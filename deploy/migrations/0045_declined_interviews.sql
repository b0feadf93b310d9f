-- An interviewer declines an interview with the link in their mail or calendar (proto-docs/booking.md, Declining;
-- decision 0096). The candidate chooses another time; the interviewer is not offered at that time again.

-- Whose declining left the booking without a time, the one in wanted_starts_at. NULL: nobody's.
ALTER TABLE recruiting.bookings ADD COLUMN declined_by uuid;
ALTER TABLE recruiting.bookings ADD CONSTRAINT bookings_declined_by
    FOREIGN KEY (declined_by) REFERENCES recruiting.memberships (id) NOT VALID;

-- The links to decline: SHA-256 of the token's 32 random bytes. Each is for one interviewer and one time of one interview.
CREATE TABLE recruiting.decline_tokens (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    booking_id uuid NOT NULL REFERENCES recruiting.bookings (id) ON DELETE CASCADE,
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id), -- the interviewer's
    calendar_uid uuid NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    declined_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT recruiting.protect_tenant_table('recruiting.decline_tokens');
CREATE INDEX decline_tokens_of_booking ON recruiting.decline_tokens (booking_id);
CREATE INDEX decline_tokens_by_expiry ON recruiting.decline_tokens (expires_at);
CREATE POLICY mailer_only ON recruiting.decline_tokens AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer'))) WITH CHECK ((SELECT recruiting.is_worker('mailer')));
CREATE POLICY worker ON recruiting.decline_tokens TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer'))) WITH CHECK ((SELECT recruiting.is_worker('mailer')));
GRANT INSERT (hash, organization_id, booking_id, membership_id, calendar_uid, starts_at, ends_at, expires_at), DELETE
    ON recruiting.decline_tokens TO recruiting_auth;

-- What the page of the presented link shows. No row: the link is unknown or has expired, its owner is no longer a member,
-- or the interview is another interviewer's. Nothing of the candidate, for links are forwarded.
CREATE VIEW recruiting.presented_decline WITH (security_barrier) AS
SELECT CASE WHEN t.declined_at IS NOT NULL THEN 'declined'
            WHEN b.status <> 'confirmed' THEN 'canceled'
            WHEN b.calendar_uid <> t.calendar_uid OR b.starts_at <> t.starts_at THEN 'moved'
            WHEN b.starts_at <= now() THEN 'begun'
            ELSE 'open' END AS state,
       t.starts_at, t.ends_at, o.time_zone, j.title AS job_title, s.name AS stage_name, o.name AS organization_name,
       o.slug AS organization_slug, o.logo_url, o.accent_color
FROM recruiting.decline_tokens t
JOIN recruiting.memberships i ON i.id = t.membership_id AND i.status = 'active'
JOIN recruiting.bookings b ON b.id = t.booking_id
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id
WHERE t.hash = recruiting.current_booking_token() AND t.expires_at > now()
  AND (t.declined_at IS NOT NULL OR b.membership_id = t.membership_id);
ALTER VIEW recruiting.presented_decline OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_decline TO recruiting_public;

-- Declines the interview of the presented link, if it is still what the link names. False: nothing was changed.
CREATE FUNCTION recruiting.decline_interview() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    link recruiting.decline_tokens;
    interview recruiting.bookings;
BEGIN
    SELECT t.* INTO link FROM recruiting.decline_tokens t
    JOIN recruiting.memberships i ON i.id = t.membership_id AND i.status = 'active'
    WHERE t.hash = recruiting.current_booking_token() AND t.expires_at > now();
    -- Waits for a change through the candidate's link, and sees what it left.
    SELECT b.* INTO interview FROM recruiting.bookings b WHERE b.id = link.booking_id FOR NO KEY UPDATE;
    IF NOT FOUND OR interview.status <> 'confirmed' OR interview.membership_id <> link.membership_id
       OR interview.calendar_uid <> link.calendar_uid OR interview.starts_at <> link.starts_at
       OR interview.starts_at <= now() THEN
        RETURN false;
    END IF;
    -- Before the booking changes: whoever claims one of these slots at the same time is refused at once, and waits for
    -- nothing that this transaction holds.
    WITH closed AS (
        UPDATE recruiting.interview_slots s SET closed_at = clock_timestamp()
        WHERE s.id IN (SELECT o.id FROM recruiting.interview_slots o
                       WHERE o.membership_id = interview.membership_id AND o.closed_at IS NULL
                         AND o.starts_at < interview.ends_at AND o.starts_at > interview.starts_at - interval '8 hours'
                         AND o.ends_at > interview.starts_at
                       ORDER BY o.id FOR NO KEY UPDATE)
        RETURNING s.id)
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, target_type, target_id,
                                      success, request_id)
    SELECT gen_random_uuid(), clock_timestamp(), interview.organization_id, 'system', 'slot.closed', 'interview_slot',
           replace(c.id::text, '-', ''), true,
           substring(current_setting('recruiting.request_id', true) FROM '^[A-Za-z0-9_-]{8,64}$')
    FROM closed c;
    UPDATE recruiting.bookings b
    SET status = 'unplaced', wanted_starts_at = b.starts_at, declined_by = b.membership_id WHERE b.id = interview.id;
    UPDATE recruiting.decline_tokens t SET declined_at = clock_timestamp()
    WHERE t.booking_id = link.booking_id AND t.membership_id = link.membership_id
      AND t.calendar_uid = link.calendar_uid AND t.starts_at = link.starts_at;
    RETURN true;
END $$;
ALTER FUNCTION recruiting.decline_interview OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.decline_interview FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.decline_interview TO recruiting_public;

-- Whether this update is a declined interview's.
CREATE FUNCTION recruiting.declines(before recruiting.bookings, after recruiting.bookings) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    RETURN (before).status = 'confirmed' AND (after).status = 'unplaced' AND (after).declined_by IS NOT NULL
       AND (after).declined_by IS DISTINCT FROM (before).declined_by;
ALTER FUNCTION recruiting.declines OWNER TO recruiting_owner;

-- As in 0023, but an interviewer's declining uses up nothing of the candidate's allowance. It is limited by what it needs:
-- an interview that the candidate has booked or moved since.
CREATE OR REPLACE TRIGGER limit_changes BEFORE UPDATE ON recruiting.bookings FOR EACH ROW
    WHEN (NOT pg_has_role('recruiting_auth', 'USAGE') AND NEW.declined_by IS NOT DISTINCT FROM OLD.declined_by)
    EXECUTE FUNCTION recruiting.limit_booking_changes();

-- As in 0010; also the declined interview's place in its calendar's sequence, and until when a booking is called declined.
CREATE OR REPLACE FUNCTION recruiting.place_booking() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE slot recruiting.interview_slots;
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.declined_by = OLD.declined_by
       AND (NEW.status, NEW.wanted_starts_at) IS DISTINCT FROM (OLD.status, OLD.wanted_starts_at) THEN
        NEW.declined_by := NULL;
    END IF;
    IF NEW.status = 'confirmed' AND (TG_OP = 'INSERT' OR OLD.status <> 'confirmed'
                                     OR NEW.slot_id IS DISTINCT FROM OLD.slot_id) THEN
        SELECT * INTO slot FROM recruiting.interview_slots s
        WHERE s.id = NEW.slot_id AND s.closed_at IS NULL AND s.starts_at > now()
          AND s.job_id = NEW.job_id AND s.stage_id = NEW.stage_id
        FOR SHARE;
        -- Claims of one interviewer's time wait here for each other; at the exclusion constraint they could deadlock.
        PERFORM FROM recruiting.memberships m
        WHERE m.id = slot.membership_id AND m.status = 'active' FOR NO KEY UPDATE;
        IF NOT FOUND THEN
            RAISE check_violation USING MESSAGE = 'the slot is not open', CONSTRAINT = 'bookings_slot_open';
        END IF;
        NEW.membership_id := slot.membership_id;
        NEW.starts_at := slot.starts_at;
        NEW.ends_at := slot.ends_at;
        NEW.join_url := coalesce(slot.join_url, NEW.room_url);
        NEW.wanted_starts_at := NULL;
        IF TG_OP = 'UPDATE' THEN
            IF OLD.status = 'confirmed' AND OLD.starts_at > now() THEN
                NEW.sequence := OLD.sequence + 1;
            ELSE
                NEW.calendar_uid := gen_random_uuid();
                NEW.sequence := 0;
            END IF;
        END IF;
    ELSIF TG_OP = 'UPDATE' AND NEW.status = 'canceled' AND OLD.status = 'confirmed' THEN
        NEW.sequence := OLD.sequence + 1;
    ELSIF NEW.status = 'unplaced' THEN -- nothing is left of an interview before
        IF TG_OP = 'UPDATE' AND recruiting.declines(OLD, NEW) THEN
            NEW.sequence := OLD.sequence + 1;
        END IF;
        NEW.slot_id := NULL;
        NEW.membership_id := NULL;
        NEW.starts_at := NULL;
        NEW.ends_at := NULL;
        NEW.join_url := NULL;
    END IF;
    RETURN NEW;
END $$;

-- As in 0023, and the mails of a declined interview: both hold the interview as it was, which leaves their calendars.
CREATE OR REPLACE FUNCTION recruiting.tell_booking() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    event text;
    moved boolean;
BEGIN
    IF TG_OP = 'UPDATE' AND (NEW.status, NEW.slot_id, NEW.wanted_starts_at)
                            IS NOT DISTINCT FROM (OLD.status, OLD.slot_id, OLD.wanted_starts_at) THEN
        RETURN NULL;
    END IF;
    IF NEW.status = 'confirmed' THEN
        moved := TG_OP = 'UPDATE' AND OLD.status = 'confirmed' AND OLD.calendar_uid = NEW.calendar_uid;
        event := CASE WHEN moved THEN 'rescheduled' ELSE 'confirmed' END;
        PERFORM recruiting.write_booking_mail(NEW, 'candidate', event, NEW.membership_id,
                                              CASE WHEN moved THEN OLD.starts_at END);
        IF moved AND OLD.membership_id <> NEW.membership_id THEN
            OLD.sequence := NEW.sequence;
            PERFORM recruiting.write_booking_mail(OLD, 'interviewer', 'canceled', OLD.membership_id, NULL);
            PERFORM recruiting.write_booking_mail(NEW, 'interviewer', 'confirmed', NEW.membership_id, NULL);
        ELSE
            PERFORM recruiting.write_booking_mail(NEW, 'interviewer', event, NEW.membership_id,
                                                  CASE WHEN moved THEN OLD.starts_at END);
        END IF;
        IF NOT moved THEN
            INSERT INTO recruiting.usage_records (id, organization_id, kind, subject_id, interview_day)
            VALUES (gen_random_uuid(), NEW.organization_id, 'booking', NEW.id,
                    recruiting.interview_day(NEW.organization_id, NEW.starts_at))
            ON CONFLICT (subject_id, interview_day) WHERE kind = 'booking' AND interview_day IS NOT NULL DO NOTHING;
        END IF;
    ELSIF NEW.status = 'canceled' AND TG_OP = 'UPDATE' AND OLD.status = 'confirmed' THEN
        event := 'canceled';
        PERFORM recruiting.write_booking_mail(NEW, 'candidate', event, NEW.membership_id, NULL);
        PERFORM recruiting.write_booking_mail(NEW, 'interviewer', event, NEW.membership_id, NULL);
    ELSIF NEW.status = 'canceled' THEN
        event := 'canceled'; -- there was no time yet: nobody has to be told
    ELSIF TG_OP = 'UPDATE' AND recruiting.declines(OLD, NEW) THEN
        event := 'declined';
        OLD.sequence := NEW.sequence;
        PERFORM recruiting.write_booking_mail(OLD, 'candidate', event, OLD.membership_id, NULL);
        PERFORM recruiting.write_booking_mail(OLD, 'interviewer', event, OLD.membership_id, NULL);
    ELSE
        event := 'slot_taken';
        PERFORM recruiting.write_booking_mail(NEW, 'candidate', event, NULL, NULL);
    END IF;
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, target_type, target_id,
                                      success, request_id)
    VALUES (gen_random_uuid(), clock_timestamp(), NEW.organization_id, 'system', 'booking.' || event, 'booking',
            replace(NEW.id::text, '-', ''), true,
            -- Any role can set it: only what can be a request id goes into the log.
            substring(current_setting('recruiting.request_id', true) FROM '^[A-Za-z0-9_-]{8,64}$'));
    RETURN NULL;
END $$;

-- Every row of before fulfils it: it is wider than the one of 0030.
ALTER TABLE recruiting.mail_outbox DROP CONSTRAINT mail_outbox_about;
ALTER TABLE recruiting.mail_outbox ADD CONSTRAINT mail_outbox_about CHECK (
    CASE audience
        WHEN 'member' THEN user_id IS NOT NULL AND booking_id IS NULL AND CASE kind
            WHEN 'sign_in' THEN organization_id IS NULL AND membership_id IS NULL
            WHEN 'invitation' THEN organization_id IS NOT NULL AND membership_id IS NOT NULL
            ELSE false END
        WHEN 'candidate' THEN true
        WHEN 'interviewer' THEN true
        ELSE false END
    AND (audience = 'member' OR (organization_id IS NOT NULL AND booking_id IS NOT NULL AND calendar_uid IS NOT NULL
         AND sequence IS NOT NULL
         AND kind IN ('confirmed', 'rescheduled', 'canceled', 'slot_taken', 'already_booked', 'declined')))) NOT VALID;

-- A mailer that knows mails about declined interviews says so; one of the version before neither sees nor takes them.
CREATE POLICY known_kinds ON recruiting.mail_outbox AS RESTRICTIVE TO recruiting_auth
    USING (kind <> 'declined' OR (SELECT coalesce(current_setting('recruiting.declined_mails', true) = 'on', false)));

-- As in 0044, and at its end whether the interviewer of the time that was wanted has declined it.
CREATE OR REPLACE VIEW recruiting.presented_booking WITH (security_barrier) AS
SELECT b.id, b.status, b.starts_at, b.ends_at, b.wanted_starts_at, b.time_zone, b.join_url, b.calendar_uid, b.sequence,
       b.updated_at, b.job_id, j.title AS job_title, b.stage_id, s.name AS stage_name,
       o.name AS organization_name, o.slug AS organization_slug, o.logo_url, o.website_url,
       (SELECT u.name FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
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
