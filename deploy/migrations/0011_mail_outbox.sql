-- Mails about bookings: written in the transaction that changes the booking, sent by a worker. A row holds what the
-- booking was then, and no address: names and addresses are read when it is sent.
CREATE TABLE recruiting.mail_outbox (
    id uuid PRIMARY KEY, -- its Message-ID is made of it
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    booking_id uuid NOT NULL REFERENCES recruiting.bookings (id),
    audience text NOT NULL CHECK (audience IN ('candidate', 'interviewer')),
    kind text NOT NULL CHECK (kind IN ('confirmed', 'rescheduled', 'canceled', 'slot_taken', 'already_booked')),
    membership_id uuid REFERENCES recruiting.memberships (id), -- the interviewer of that time
    starts_at timestamptz,
    ends_at timestamptz,
    previous_starts_at timestamptz, -- rescheduled: from when
    wanted_starts_at timestamptz,   -- slot_taken: what was gone
    join_url text,
    time_zone text NOT NULL,
    calendar_uid uuid NOT NULL,
    sequence integer NOT NULL,
    status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'dead')),
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lease uuid, -- of the sender that works on it, until leased_until
    leased_until timestamptz,
    last_error text, -- the server's answer or what went wrong; never an address
    finished_at timestamptz CHECK ((finished_at IS NOT NULL) = (status <> 'waiting')),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT recruiting.protect_tenant_table('recruiting.mail_outbox');
CREATE INDEX mail_outbox_waiting ON recruiting.mail_outbox (next_attempt_at, id) WHERE status = 'waiting';
CREATE INDEX mail_outbox_dead ON recruiting.mail_outbox (organization_id, created_at, id) WHERE status = 'dead';
CREATE INDEX mail_outbox_finished ON recruiting.mail_outbox (finished_at) WHERE status <> 'waiting';
CREATE INDEX mail_outbox_of_booking ON recruiting.mail_outbox (booking_id, created_at, id);
CREATE POLICY workers_only ON recruiting.mail_outbox AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer')) OR (SELECT recruiting.is_worker('booking')))
    WITH CHECK ((SELECT recruiting.is_worker('mailer')) OR (SELECT recruiting.is_worker('booking')));
CREATE POLICY worker ON recruiting.mail_outbox TO recruiting_auth USING (true) WITH CHECK (true);
GRANT INSERT (id, organization_id, booking_id, audience, kind, membership_id, starts_at, ends_at, wanted_starts_at,
              join_url, time_zone, calendar_uid, sequence),
      UPDATE (status, attempts, next_attempt_at, lease, leased_until, last_error, finished_at),
      DELETE ON recruiting.mail_outbox TO recruiting_auth;

-- What a mail says and to whom, as it is now; the row itself is recruiting.mail_outbox. Whoever is no member any more
-- learns nothing of candidates.
CREATE VIEW recruiting.mail_content WITH (security_barrier) AS
SELECT m.id, o.name AS organization_name, o.slug AS organization_slug, j.title AS job_title, s.name AS stage_name,
       c.name AS candidate_name, CASE WHEN c.deleted_at IS NULL THEN c.email END AS candidate_email,
       u.name AS interviewer_name, CASE WHEN i.status = 'active' THEN u.email END AS interviewer_email,
       o.time_zone AS organization_time_zone
FROM recruiting.mail_outbox m
JOIN recruiting.bookings b ON b.id = m.booking_id
JOIN recruiting.organizations o ON o.id = m.organization_id
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.candidates c ON c.id = b.candidate_id
LEFT JOIN recruiting.memberships i ON i.id = m.membership_id
LEFT JOIN recruiting.users u ON u.id = i.user_id
WHERE recruiting.is_worker('mailer');
ALTER VIEW recruiting.mail_content OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.mail_content TO recruiting_auth;

CREATE FUNCTION recruiting.write_booking_mail(b recruiting.bookings, to_whom text, about text, interviewer uuid,
                                              previous timestamptz) RETURNS void LANGUAGE sql VOLATILE
BEGIN ATOMIC
    INSERT INTO recruiting.mail_outbox (id, organization_id, booking_id, audience, kind, membership_id, starts_at,
                                        ends_at, previous_starts_at, wanted_starts_at, join_url, time_zone,
                                        calendar_uid, sequence)
    VALUES (gen_random_uuid(), b.organization_id, b.id, to_whom, about, interviewer, b.starts_at, b.ends_at, previous,
            b.wanted_starts_at, b.join_url, b.time_zone, b.calendar_uid, b.sequence);
END;
ALTER FUNCTION recruiting.write_booking_mail OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.write_booking_mail FROM PUBLIC;

-- Every change of a booking is told: mails, one audit row, and the usage of a new interview.
CREATE FUNCTION recruiting.tell_booking() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog AS $$
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
            INSERT INTO recruiting.usage_records (id, organization_id, kind, subject_id)
            VALUES (gen_random_uuid(), NEW.organization_id, 'booking', NEW.id);
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
ALTER FUNCTION recruiting.tell_booking OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.tell_booking FROM PUBLIC; -- as of place_booking
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON recruiting.bookings
    FOR EACH ROW EXECUTE FUNCTION recruiting.tell_booking();
