-- Bookings that members act on (decision 0130): cancel, move, hand over, send again, a link to copy, and what happened.

-- Admins and recruiters change every booking of their organization, hiring managers those of the jobs whose hiring team they are
-- on. What has begun is over.
CREATE POLICY console_change ON recruiting.bookings FOR UPDATE TO recruiting_auth
    USING ((organization_id = (SELECT recruiting.console_organization_id('admin', 'recruiter'))
            OR (organization_id = (SELECT recruiting.console_organization_id('hiring_manager'))
                AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                               WHERE t.membership_id = (SELECT recruiting.console_member_id('hiring_manager')))))
           AND NOT (status = 'confirmed' AND starts_at <= now()))
    WITH CHECK ((organization_id = (SELECT recruiting.console_organization_id('admin', 'recruiter'))
                 OR (organization_id = (SELECT recruiting.console_organization_id('hiring_manager'))
                     AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                                    WHERE t.membership_id = (SELECT recruiting.console_member_id('hiring_manager')))))
                AND status IN ('confirmed', 'canceled'));

ALTER TABLE recruiting.mail_outbox DROP CONSTRAINT mail_outbox_about;
-- locks: the outbox holds the mails of thirty days, and is read once
ALTER TABLE recruiting.mail_outbox ADD CONSTRAINT mail_outbox_about CHECK (
    CASE audience
        WHEN 'member' THEN user_id IS NOT NULL AND booking_id IS NULL AND CASE kind
            WHEN 'sign_in' THEN organization_id IS NULL AND membership_id IS NULL
            WHEN 'invitation' THEN organization_id IS NOT NULL AND membership_id IS NOT NULL
            WHEN 'webhook_failed' THEN organization_id IS NOT NULL AND membership_id IS NOT NULL
            ELSE false END
        WHEN 'candidate' THEN true
        WHEN 'interviewer' THEN kind <> 'handed_over' -- one is told of a canceled interview, the other of a new one
        ELSE false END
    AND (audience = 'member' OR (organization_id IS NOT NULL AND booking_id IS NOT NULL AND calendar_uid IS NOT NULL
         AND sequence IS NOT NULL
         AND kind IN ('confirmed', 'rescheduled', 'handed_over', 'canceled', 'slot_taken', 'already_booked', 'declined'))));

DROP FUNCTION recruiting.write_booking_mail;
CREATE FUNCTION recruiting.write_booking_mail(b recruiting.bookings, to_whom text, about text, interviewer uuid,
                                              previous timestamptz) RETURNS uuid LANGUAGE sql VOLATILE
BEGIN ATOMIC
    INSERT INTO recruiting.mail_outbox (id, organization_id, booking_id, audience, kind, membership_id, starts_at,
                                        ends_at, previous_starts_at, wanted_starts_at, time_zone, calendar_uid, sequence)
    VALUES (gen_random_uuid(), b.organization_id, b.id, to_whom, about, interviewer, b.starts_at, b.ends_at, previous,
            b.wanted_starts_at, b.time_zone, b.calendar_uid, b.sequence)
    RETURNING id;
END;
ALTER FUNCTION recruiting.write_booking_mail OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.write_booking_mail FROM PUBLIC;

-- As before, and: who acts in the console is named, and an interview that is handed over is told as such.
CREATE OR REPLACE FUNCTION recruiting.tell_booking() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    event text;
    moved boolean;
    told uuid; -- the candidate's mail
BEGIN
    IF TG_OP = 'UPDATE' AND (NEW.status, NEW.slot_id, NEW.wanted_starts_at)
                            IS NOT DISTINCT FROM (OLD.status, OLD.slot_id, OLD.wanted_starts_at) THEN
        RETURN NULL;
    END IF;
    IF NEW.status = 'confirmed' THEN
        moved := TG_OP = 'UPDATE' AND OLD.status = 'confirmed' AND OLD.calendar_uid = NEW.calendar_uid;
        event := CASE WHEN NOT moved THEN 'confirmed'
                      WHEN OLD.starts_at = NEW.starts_at AND OLD.membership_id <> NEW.membership_id THEN 'handed_over'
                      ELSE 'rescheduled' END;
        told := recruiting.write_booking_mail(NEW, 'candidate', event, NEW.membership_id,
                                              CASE WHEN event = 'rescheduled' THEN OLD.starts_at END);
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
        told := recruiting.write_booking_mail(NEW, 'candidate', event, NEW.membership_id, NULL);
        PERFORM recruiting.write_booking_mail(NEW, 'interviewer', event, NEW.membership_id, NULL);
    ELSIF NEW.status = 'canceled' THEN
        event := 'canceled'; -- there was no time yet: there is no one to tell
    ELSIF TG_OP = 'UPDATE' AND recruiting.declines(OLD, NEW) THEN
        event := 'declined';
        OLD.sequence := NEW.sequence;
        told := recruiting.write_booking_mail(OLD, 'candidate', event, OLD.membership_id, NULL);
        PERFORM recruiting.write_booking_mail(OLD, 'interviewer', event, OLD.membership_id, NULL);
    ELSE
        event := 'slot_taken';
        told := recruiting.write_booking_mail(NEW, 'candidate', event, NULL, NULL);
    END IF;
    -- The row has the id of the candidate's mail, which holds the times (booking_timeline).
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, actor_member_id, actor_email, actor_role,
                                      action, target_type, target_id, success, request_id)
    SELECT coalesce(told, gen_random_uuid()), clock_timestamp(), NEW.organization_id,
           CASE WHEN s.membership_id IS NULL THEN 'system' ELSE 'member' END, s.membership_id, s.member_email, s.role,
           'booking.' || event, 'booking', replace(NEW.id::text, '-', ''), true,
           -- Any role can set it: only what can be a request id goes into the log.
           substring(current_setting('recruiting.request_id', true) FROM '^[A-Za-z0-9_-]{8,64}$')
      FROM (SELECT) AS one LEFT JOIN recruiting.presented_session s ON recruiting.is_worker('console');
    RETURN NULL;
END $$;

-- A receiver is told of it as of a moved interview.
CREATE OR REPLACE FUNCTION recruiting.write_webhook_messages(most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET enable_seqscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off SET max_parallel_workers_per_gather = 0 AS $$
DECLARE
    most_rows CONSTANT bigint := 10000; -- of the audit log, of one position
    most_runs CONSTANT integer := 100;
    most_jobs CONSTANT integer := 20;
    own_reads CONSTANT text[] := ARRAY['/api/v1/audit', 'mcp:search_audit'];
    upper xid8;
    newest xid8;
    p record;
    lower xid8;
    bound bigint;
    first timestamptz;
    subjects uuid[];
    moved bigint := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('recruiting.webhooks', 0)) THEN
        RETURN 0;
    END IF;
    upper := recruiting.transaction_horizon();
    newest := pg_snapshot_xmax(pg_current_snapshot());
    FOR p IN
        SELECT w.id AS webhook_id, w.organization_id, w.retry_at, s.resource, s.seen_xid, s.seen_sequence,
               (SELECT h.sequence FROM recruiting.audit_heads h WHERE h.organization_id = s.organization_id) AS sequence
          FROM (SELECT s.* FROM recruiting.webhook_positions s
                 WHERE CASE
                           WHEN s.seen_sequence IS NOT NULL THEN
                               EXISTS (SELECT FROM recruiting.audit_heads h WHERE h.organization_id = s.organization_id
                                          AND h.sequence <> s.seen_sequence)
                           WHEN s.seen_xid > newest THEN true -- restored from a dump: its transactions began again
                           WHEN s.resource = 'members' THEN
                               EXISTS (SELECT FROM recruiting.memberships m WHERE m.organization_id = s.organization_id
                                          AND m.changed_xid >= s.seen_xid AND m.changed_xid < upper)
                           -- A job's candidates are its pipeline, and its team decides which candidates a hiring manager sees.
                           ELSE EXISTS (SELECT FROM recruiting.jobs j WHERE j.organization_id = s.organization_id
                                           AND j.changed_xid >= s.seen_xid AND j.changed_xid < upper)
                                OR (s.resource <> 'candidates'
                                    AND EXISTS (SELECT FROM recruiting.job_counts n WHERE n.organization_id = s.organization_id
                                                   AND n.changed_xid >= s.seen_xid AND n.changed_xid < upper))
                                OR (s.resource <> 'jobs'
                                    AND EXISTS (SELECT FROM recruiting.candidates c WHERE c.organization_id = s.organization_id
                                                   AND c.changed_xid >= s.seen_xid AND c.changed_xid < upper))
                       END
                OFFSET 0) AS s -- what has not changed, most, is joined with nothing
          JOIN recruiting.webhooks w ON w.id = s.webhook_id
         WHERE w.status = 'active'
           AND NOT EXISTS (SELECT FROM recruiting.webhook_messages m WHERE m.webhook_id = s.webhook_id AND m.resource = s.resource)
         LIMIT most
           FOR KEY SHARE OF w SKIP LOCKED
    LOOP
        moved := moved + 1;
        bound := least(coalesce(p.sequence, 0), p.seen_sequence + most_rows);
        subjects := ARRAY[NULL::uuid];
        first := NULL;
        IF p.resource = 'agent_runs' THEN
            bound := coalesce((SELECT a.sequence FROM recruiting.audit_log a
                                WHERE a.organization_id = p.organization_id AND a.sequence > p.seen_sequence AND a.sequence <= bound
                                  AND a.action IN ('agent.run_completed', 'agent.run_failed')
                                ORDER BY a.sequence OFFSET most_runs - 1 LIMIT 1), bound);
            INSERT INTO recruiting.webhook_messages (id, webhook_id, organization_id, type, resource, subject, run, next_attempt_at)
            SELECT gen_random_uuid(), p.webhook_id, p.organization_id, replace(a.action, 'agent.run_', 'agent_runs.'), p.resource,
                   a.session_id, a.correlation_id, greatest(clock_timestamp(), p.retry_at)
              FROM recruiting.audit_log a
             WHERE a.organization_id = p.organization_id AND a.sequence > p.seen_sequence AND a.sequence <= bound
               AND a.action IN ('agent.run_completed', 'agent.run_failed')
             ORDER BY a.sequence;
            subjects := '{}';
        ELSIF p.seen_sequence IS NOT NULL THEN
            -- Reading the audit log writes into it: a receiver that reads it would be called for ever.
            first := (SELECT min(a.occurred_at) FROM recruiting.audit_log a
                       WHERE a.organization_id = p.organization_id AND a.sequence > p.seen_sequence AND a.sequence <= bound
                         AND CASE p.resource
                                 WHEN 'audit' THEN NOT (a.action = 'api.request' AND a.endpoint = ANY (own_reads))
                                 ELSE a.action IN ('booking.confirmed', 'booking.rescheduled', 'booking.canceled', 'booking.declined',
                                                   'booking.handed_over')
                             END);
            IF first IS NULL THEN
                subjects := '{}';
            END IF;
        ELSIF p.resource = 'pipeline' THEN
            lower := CASE WHEN p.seen_xid > newest THEN '0'::xid8 ELSE p.seen_xid END;
            subjects := ARRAY(SELECT j.id FROM recruiting.jobs j
                               WHERE j.organization_id = p.organization_id AND j.deleted_at IS NULL
                                 AND ((j.changed_xid >= lower AND j.changed_xid < upper)
                                      OR EXISTS (SELECT FROM recruiting.job_candidates k
                                                  WHERE k.job_id = j.id AND k.changed_xid >= lower AND k.changed_xid < upper))
                               LIMIT most_jobs + 1);
            IF cardinality(subjects) > most_jobs THEN
                subjects := ARRAY[NULL::uuid];
            END IF;
        END IF;
        INSERT INTO recruiting.webhook_messages (id, webhook_id, organization_id, type, resource, subject, since, next_attempt_at)
        SELECT gen_random_uuid(), p.webhook_id, p.organization_id, p.resource || '.changed', p.resource, subject,
               CASE p.resource WHEN 'audit' THEN first END, greatest(clock_timestamp(), p.retry_at)
          FROM unnest(subjects) AS subject;
        UPDATE recruiting.webhook_positions s
           SET seen_xid = CASE WHEN p.seen_xid IS NOT NULL THEN upper END,
               seen_sequence = CASE WHEN p.seen_sequence IS NOT NULL THEN bound END
         WHERE s.webhook_id = p.webhook_id AND s.resource = p.resource;
    END LOOP;
    RETURN moved;
END $$;

-- Links that a member has copied, beside those that are mailed.
ALTER TABLE recruiting.booking_tokens ADD COLUMN copied boolean NOT NULL DEFAULT false;

-- Locks a booking of a member who may act on it, and counts the confirmations and copied links that it has had in this clock
-- hour. No row: there is none in the member's reach, or it has begun.
CREATE FUNCTION recruiting.lock_booking_links(booking uuid) RETURNS TABLE (b recruiting.bookings, links bigint)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    SELECT k.* INTO b FROM recruiting.bookings k
     WHERE k.id = booking AND NOT (k.status = 'confirmed' AND k.starts_at <= now())
       AND (k.organization_id = recruiting.console_organization_id('admin', 'recruiter')
            OR (k.organization_id = recruiting.console_organization_id('hiring_manager')
                AND k.job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                                 WHERE t.membership_id = recruiting.console_member_id('hiring_manager'))))
       FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    links := (SELECT count(*) FROM recruiting.mail_outbox m
               WHERE m.booking_id = booking AND m.audience = 'candidate' AND m.kind = 'confirmed'
                 AND m.created_at >= date_trunc('hour', clock_timestamp(), 'UTC'))
           + (SELECT count(*) FROM recruiting.booking_tokens t
               WHERE t.booking_id = booking AND t.copied AND t.created_at >= date_trunc('hour', clock_timestamp(), 'UTC'));
    RETURN NEXT;
END $$;
ALTER FUNCTION recruiting.lock_booking_links OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.lock_booking_links FROM PUBLIC;

-- Mails a confirmed interview's candidate the confirmation again. Whether it was within the limit; NULL: no such interview.
CREATE FUNCTION recruiting.resend_confirmation(booking uuid, most bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE found record;
BEGIN
    SELECT l.b, l.links INTO found FROM recruiting.lock_booking_links(booking) l;
    IF (found.b).status IS DISTINCT FROM 'confirmed' THEN
        RETURN NULL;
    ELSIF found.links >= most THEN
        RETURN false;
    END IF;
    PERFORM recruiting.write_booking_mail(found.b, 'candidate', 'confirmed', (found.b).membership_id, NULL);
    RETURN true;
END $$;
ALTER FUNCTION recruiting.resend_confirmation OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.resend_confirmation FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.resend_confirmation TO recruiting_auth;

-- Another link of the candidate's, as the mailer's: it ends when the others do. Whether it was within the limit; NULL: no such
-- booking.
CREATE FUNCTION recruiting.add_booking_link(booking uuid, most bigint, manage bytea, joins bytea, lifetime interval)
    RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE found record;
BEGIN
    SELECT l.b, l.links INTO found FROM recruiting.lock_booking_links(booking) l;
    IF found.links IS NULL THEN
        RETURN NULL;
    ELSIF found.links >= most THEN
        RETURN false;
    END IF;
    INSERT INTO recruiting.booking_tokens (hash, join_hash, told_starts_at, organization_id, booking_id, expires_at, copied)
    SELECT manage, joins, (found.b).starts_at, (found.b).organization_id, booking,
           greatest(coalesce((found.b).ends_at, (found.b).wanted_starts_at) + interval '1 day', clock_timestamp() + lifetime,
                    (SELECT max(t.expires_at) FROM recruiting.booking_tokens t WHERE t.booking_id = booking)), true;
    RETURN true;
END $$;
ALTER FUNCTION recruiting.add_booking_link OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.add_booking_link FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.add_booking_link TO recruiting_auth;

-- What happened to a booking that the member may see (by_role): its rows of the audit log, and of the end of the intake, which
-- are sealed in a moment. Times and interviewers are in the candidates' mails and last as long as those do.
CREATE FUNCTION recruiting.booking_timeline(booking uuid)
    RETURNS TABLE (occurred_at timestamptz, action text, by_member boolean, member_name text, previous_starts_at timestamptz,
                   starts_at timestamptz, interviewer_name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH shown AS MATERIALIZED (
        SELECT b.id, b.organization_id, b.created_at, replace(b.id::text, '-', '') AS target FROM recruiting.bookings b
         WHERE b.id = booking_timeline.booking AND b.organization_id = recruiting.current_organization_id()
           AND (recruiting.has_role('admin', 'recruiter')
                OR (recruiting.has_role('hiring_manager')
                    AND b.job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                                     WHERE t.membership_id = recruiting.current_member_id()))
                OR (recruiting.has_role('hiring_manager', 'interviewer')
                    AND recruiting.current_session_user_id() IS NOT NULL
                    AND b.membership_id = recruiting.current_member_id()))),
    happened AS (
        SELECT a.id, a.occurred_at, a.action, a.actor_type, a.actor_member_id, a.actor_email
          FROM shown b JOIN recruiting.audit_log a
            ON a.organization_id = b.organization_id AND a.target_id = b.target
           AND a.occurred_at >= b.created_at - interval '1 minute'
           AND a.action IN ('booking.confirmed', 'booking.rescheduled', 'booking.canceled', 'booking.declined',
                            'booking.slot_taken', 'booking.handed_over', 'booking.resent', 'booking.link_created')
        UNION ALL
        SELECT e.id, e.occurred_at, e.action, e.actor_type, e.actor_member_id, e.actor_email
          FROM shown b, (SELECT i.event_count, i.events FROM recruiting.audit_intake i ORDER BY i.id DESC LIMIT 2000) AS i,
               LATERAL unnest(i.events) AS e
         WHERE i.event_count = 1 AND e.organization_id = b.organization_id AND e.target_type = 'booking'
           AND e.target_id = b.target)
    SELECT h.occurred_at, h.action, h.actor_type = 'member', coalesce(m.invited_name, u.name, h.actor_email),
           o.previous_starts_at, o.starts_at, coalesce(i.invited_name, v.name)
      FROM happened h
      LEFT JOIN recruiting.memberships m ON m.id = h.actor_member_id
      LEFT JOIN recruiting.users u ON u.id = m.user_id
      LEFT JOIN recruiting.mail_outbox o ON o.id = h.id
      LEFT JOIN recruiting.memberships i ON i.id = o.membership_id
      LEFT JOIN recruiting.users v ON v.id = i.user_id
     ORDER BY h.occurred_at, h.id LIMIT 500;
END;
ALTER FUNCTION recruiting.booking_timeline OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.booking_timeline FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.booking_timeline TO recruiting_auth;
