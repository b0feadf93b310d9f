-- What only data and programs of other versions needed is gone.

-- Every run records what its tools read under.
-- locks: no installation has more than a developer's rows
ALTER TABLE recruiting.agent_runs ALTER COLUMN tool_scopes SET DEFAULT '{}', ALTER COLUMN tool_scopes SET NOT NULL,
    ALTER COLUMN tool_role SET DEFAULT 'viewer', ALTER COLUMN tool_role SET NOT NULL;

-- Runs with and without a key are shown alike.
ALTER POLICY by_role ON recruiting.agent_sessions
    USING ((SELECT recruiting.has_role('admin'))
           OR ((SELECT recruiting.has_role('recruiter', 'hiring_manager'))
               AND membership_id = (SELECT recruiting.current_member_id()))
           OR (SELECT recruiting.is_worker('agent')));
ALTER POLICY by_role ON recruiting.agent_runs
    USING ((SELECT recruiting.has_role('admin'))
           OR ((SELECT recruiting.has_role('recruiter', 'hiring_manager'))
               AND membership_id = (SELECT recruiting.current_member_id()))
           OR (SELECT recruiting.is_worker('agent')));

-- The mailer takes all mails.
DROP POLICY known_kinds ON recruiting.mail_outbox;
ALTER POLICY workers_only ON recruiting.mail_outbox
    USING ((SELECT recruiting.is_worker('mailer'))
           OR CASE WHEN audience = 'member'
                   THEN (SELECT recruiting.is_worker('sign_in'))
                        OR (kind = 'invitation'
                            AND organization_id = (SELECT recruiting.console_organization_id('admin')))
                   ELSE (SELECT recruiting.is_worker('booking')) END)
    WITH CHECK ((SELECT recruiting.is_worker('mailer'))
                OR CASE WHEN audience = 'member'
                        THEN (SELECT recruiting.is_worker('sign_in'))
                             OR (kind = 'invitation'
                                 AND organization_id = (SELECT recruiting.console_organization_id('admin')))
                        ELSE (SELECT recruiting.is_worker('booking')) END);

-- Every link that manages a booking has one that only joins.
-- locks: no installation has more than a developer's rows
ALTER TABLE recruiting.booking_tokens ALTER COLUMN join_hash SET NOT NULL;
DROP VIEW recruiting.presented_booking;
CREATE VIEW recruiting.presented_booking WITH (security_barrier) AS
SELECT b.id, b.status, b.starts_at, b.ends_at, b.wanted_starts_at, b.time_zone, b.calendar_uid, b.sequence,
       b.updated_at, b.job_id, j.title AS job_title, b.stage_id, s.name AS stage_name,
       o.name AS organization_name, o.slug AS organization_slug, o.logo_url, o.website_url,
       (SELECT coalesce(m.invited_name, u.name) FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
        WHERE m.id = b.membership_id) AS interviewer_name,
       b.language, o.accent_color, b.declined_by IS NOT NULL AS is_declined
FROM recruiting.bookings b
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id
WHERE b.id = (SELECT recruiting.presented_booking_id());
ALTER VIEW recruiting.presented_booking OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_booking TO recruiting_public;

-- The address of the meeting is recruiting.meetings'.
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
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION recruiting.write_booking_mail(b recruiting.bookings, to_whom text, about text, interviewer uuid,
                                                         previous timestamptz) RETURNS void LANGUAGE sql VOLATILE
BEGIN ATOMIC
    INSERT INTO recruiting.mail_outbox (id, organization_id, booking_id, audience, kind, membership_id, starts_at,
                                        ends_at, previous_starts_at, wanted_starts_at, time_zone, calendar_uid, sequence)
    VALUES (gen_random_uuid(), b.organization_id, b.id, to_whom, about, interviewer, b.starts_at, b.ends_at, previous,
            b.wanted_starts_at, b.time_zone, b.calendar_uid, b.sequence);
END;
ALTER TABLE recruiting.bookings DROP COLUMN join_url;
ALTER TABLE recruiting.mail_outbox DROP COLUMN join_url;

-- A slot's address is checked as a member's, so that the view need not.
-- locks: no installation has more than a developer's rows
ALTER TABLE recruiting.interview_slots DROP CONSTRAINT interview_slots_join_url_check,
    ADD CONSTRAINT interview_slots_join_url_check
        CHECK (join_url ~ '^https://[\u0021-\u007e]+$' AND length(join_url) <= 2000); -- NULL: a room of its own a booking
CREATE OR REPLACE VIEW recruiting.meetings WITH (security_barrier) AS
SELECT b.id AS booking_id,
       coalesce(s.join_url, m.join_url, replace(o.room_url, '{room}', replace(b.room::text, '-', '')), b.room_url) AS url
FROM recruiting.bookings b
JOIN recruiting.organizations o ON o.id = b.organization_id
LEFT JOIN recruiting.interview_slots s ON s.id = b.slot_id
LEFT JOIN recruiting.memberships m ON m.id = b.membership_id
WHERE b.status = 'confirmed';

-- Hashes are in the log itself.
DROP PROCEDURE recruiting.merge_audit_seals;
DROP TABLE recruiting.audit_seals;
CREATE OR REPLACE FUNCTION recruiting.drop_audit_months(older_than interval) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
    past record;
    dropped integer := 0;
BEGIN
    IF older_than IS NULL OR older_than < interval '30 days' THEN
        RAISE EXCEPTION 'audit rows are kept for at least 30 days' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('recruiting.ensure_audit_partitions'));
    PERFORM pg_advisory_xact_lock(hashtext('recruiting.audit_log')); -- no row is sealed meanwhile
    FOR past IN SELECT * FROM recruiting.audit_partitions('audit_log') WHERE ends_at <= now() - older_than
                 ORDER BY ends_at LOOP
        IF EXISTS (SELECT FROM recruiting.audit_intake i CROSS JOIN LATERAL unnest(i.events) AS e
                    WHERE e.occurred_at < past.ends_at) THEN
            RAISE EXCEPTION '% holds rows that are not sealed yet', past.partition
                USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        PERFORM recruiting.keep_audit_chain_starts(past.ends_at);
        EXECUTE format('DROP TABLE recruiting.%I', past.partition);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END $$;
