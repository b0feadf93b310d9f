-- recruitctl: formerly fa7aceb00cfdb0f85a3795e709029351634b39bd7f7d3225747c07478065f494
-- Booking can't be turned against a candidate (design: Public API, Booking): what one client sends is bounded for the
-- candidate, the organization and the database, and shows to no other client.

-- A request beyond the larger limit that one e-mail address has over all networks together. The row is written all the
-- same, so that nobody learns of the count by the time an answer takes; the worker takes such requests last and repeats
-- no mail for them.
ALTER TABLE recruiting.booking_requests ADD COLUMN excess boolean NOT NULL DEFAULT false;
GRANT INSERT (excess) ON recruiting.booking_requests TO recruiting_public;
CREATE INDEX booking_requests_in_turn ON recruiting.booking_requests (excess, received_at, id);
DROP INDEX recruiting.booking_requests_by_arrival;

-- Changes through e-mailed links are counted per booking: every mail brings another link, and all of them are one
-- credential. Fixed windows on the clock, as all limits. Only an update counts that changes the row.
ALTER TABLE recruiting.bookings
    ADD COLUMN changes_hour timestamptz, -- when the hour began in which it was changed last
    ADD COLUMN changes_in_hour integer,
    ADD COLUMN changes_day timestamptz,
    ADD COLUMN changes_in_day integer;
-- In steps, as in 0022.
ALTER TABLE recruiting.bookings DISABLE TRIGGER USER;
UPDATE recruiting.bookings SET changes_in_hour = 0, changes_in_day = 0;
ALTER TABLE recruiting.bookings ENABLE TRIGGER USER;
ALTER TABLE recruiting.bookings
    ALTER COLUMN changes_in_hour SET DEFAULT 0, ALTER COLUMN changes_in_hour SET NOT NULL,
    ALTER COLUMN changes_in_day SET DEFAULT 0, ALTER COLUMN changes_in_day SET NOT NULL;

-- The limits are public-api's settings, which it names in each transaction that changes a booking. The version before
-- names none: it counts by itself, per link.
CREATE FUNCTION recruiting.limit_booking_changes() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    per_hour integer := nullif(current_setting('recruiting.booking_changes_per_hour', true), '');
    per_day integer := nullif(current_setting('recruiting.booking_changes_per_day', true), '');
    hour timestamptz := date_bin('1 hour', now(), 'epoch'::timestamptz);
    day timestamptz := date_bin('1 day', now(), 'epoch'::timestamptz);
BEGIN
    NEW.changes_in_hour := CASE WHEN OLD.changes_hour = hour THEN OLD.changes_in_hour ELSE 0 END + 1;
    NEW.changes_in_day := CASE WHEN OLD.changes_day = day THEN OLD.changes_in_day ELSE 0 END + 1;
    NEW.changes_hour := hour;
    NEW.changes_day := day;
    -- The day first: when both are full, the client waits for the one that ends later.
    IF NEW.changes_in_day > per_day THEN
        RAISE check_violation USING MESSAGE = 'too many changes today', CONSTRAINT = 'bookings_changes_per_day';
    ELSIF NEW.changes_in_hour > per_hour THEN
        RAISE check_violation USING MESSAGE = 'too many changes this hour', CONSTRAINT = 'bookings_changes_per_hour';
    END IF;
    RETURN NEW;
END $$;
ALTER FUNCTION recruiting.limit_booking_changes OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.limit_booking_changes FROM PUBLIC; -- as of place_booking
-- After "begun" and before "place": triggers fire in the order of their names. The worker is not limited.
CREATE TRIGGER limit_changes BEFORE UPDATE ON recruiting.bookings FOR EACH ROW
    WHEN (NOT pg_has_role('recruiting_auth', 'USAGE'))
    EXECUTE FUNCTION recruiting.limit_booking_changes();

-- All links of one booking are one credential: the latest mail's date holds for each of them.
CREATE OR REPLACE FUNCTION recruiting.presented_booking_id() RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    RETURN (SELECT t.booking_id FROM recruiting.booking_tokens t
            WHERE t.hash = recruiting.current_booking_token()
              AND EXISTS (SELECT FROM recruiting.booking_tokens o
                          WHERE o.booking_id = t.booking_id AND o.expires_at > now()));

CREATE OR REPLACE FUNCTION recruiting.presented_join() RETURNS TABLE (booking_id uuid, told_starts_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT t.booking_id, t.told_starts_at FROM recruiting.booking_tokens t
    WHERE (t.hash = recruiting.current_booking_token() OR t.join_hash = recruiting.current_booking_token())
      AND EXISTS (SELECT FROM recruiting.booking_tokens o
                  WHERE o.booking_id = t.booking_id AND o.expires_at > now());
END;

-- A booking is billed once for each calendar day of its interview, however often it is canceled and booked again: one
-- booking is one application at one stage. NULL: recorded before, or no booking.
ALTER TABLE recruiting.usage_records ADD COLUMN interview_day date;
CREATE UNIQUE INDEX usage_records_once_a_day ON recruiting.usage_records (subject_id, interview_day)
    WHERE kind = 'booking' AND interview_day IS NOT NULL;

-- The day on which an interview takes place where the organization is. PostgreSQL may lack a time zone that our own
-- tables have.
CREATE FUNCTION recruiting.interview_day(organization uuid, at timestamptz) RETURNS date LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (at AT TIME ZONE (SELECT o.time_zone FROM recruiting.organizations o WHERE o.id = organization))::date;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN (at AT TIME ZONE 'UTC')::date;
END $$;
ALTER FUNCTION recruiting.interview_day OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.interview_day FROM PUBLIC;

-- As before, but for how often an interview is billed.
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

-- Mails are counted when they are sent, per recipient and UTC day. The mailer holds back what is beyond the limit until
-- the day is over, and drops what a later mail about the same interview has overtaken by then.
ALTER TABLE recruiting.mail_outbox
    ADD COLUMN counted_on date,        -- the day on which this mail was counted; further attempts count no more that day
    ADD COLUMN held_until timestamptz; -- set when it was held back
GRANT UPDATE (counted_on, held_until) ON recruiting.mail_outbox TO recruiting_auth;

CREATE TABLE recruiting.booking_mail_counts (
    recipient bytea NOT NULL CHECK (length(recipient) = 32), -- SHA-256: no address stands here
    day date NOT NULL,
    mails integer NOT NULL,
    replies integer NOT NULL, -- of those, mails that a request brings about which changes nothing
    PRIMARY KEY (recipient, day)
);
ALTER TABLE recruiting.booking_mail_counts OWNER TO recruiting_owner;
ALTER TABLE recruiting.booking_mail_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.booking_mail_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.booking_mail_counts TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY worker ON recruiting.booking_mail_counts TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer'))) WITH CHECK ((SELECT recruiting.is_worker('mailer')));
GRANT SELECT, INSERT, DELETE, UPDATE (mails, replies) ON recruiting.booking_mail_counts TO recruiting_auth;
CREATE INDEX booking_mail_counts_by_day ON recruiting.booking_mail_counts (day);
