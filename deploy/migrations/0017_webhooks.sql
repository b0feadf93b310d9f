-- Webhooks that carry no data (decision 0129): what an organization's receivers are told is that and where something changed.

CREATE TABLE recruiting.webhooks (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    url text NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),
    description text CHECK (length(description) BETWEEN 1 AND 200),
    resources text[] NOT NULL CHECK (cardinality(resources) BETWEEN 1 AND 7),
    -- Messages are signed with both while one is rotated. In clear: who reads one can make a receiver sync, and nothing else.
    secret bytea NOT NULL CHECK (length(secret) = 32),
    previous_secret bytea,
    previous_secret_expires_at timestamptz,
    -- paused: by an admin. failed: nothing was accepted for three days. gone: the receiver answered 410, for good.
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'failed', 'gone')),
    failures integer NOT NULL DEFAULT 0, -- since the last delivery that succeeded
    failing_since timestamptz,
    retry_at timestamptz NOT NULL DEFAULT '-infinity', -- no delivery begins before
    lease uuid,                                        -- of the sender that works on it, until leased_until
    leased_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- Up to where the changes of a resource are in messages: by transaction as the syncs read them, or by the sequence of the audit log.
CREATE TABLE recruiting.webhook_positions (
    webhook_id uuid NOT NULL REFERENCES recruiting.webhooks (id) ON DELETE CASCADE,
    resource text NOT NULL CHECK (resource IN ('jobs', 'candidates', 'members', 'pipeline', 'interviews', 'agent_runs', 'audit')),
    organization_id uuid NOT NULL,
    seen_xid xid8,
    seen_sequence bigint,
    PRIMARY KEY (webhook_id, resource),
    CHECK ((seen_xid IS NULL) = (resource IN ('interviews', 'agent_runs', 'audit'))
           AND (seen_sequence IS NULL) = (seen_xid IS NOT NULL))
);
-- Messages that are not delivered yet.
CREATE TABLE recruiting.webhook_messages (
    id uuid PRIMARY KEY,
    webhook_id uuid NOT NULL REFERENCES recruiting.webhooks (id) ON DELETE CASCADE,
    organization_id uuid NOT NULL,
    type text NOT NULL,
    resource text, -- whose changes it reports; NULL: a test, or one that is sent again
    subject uuid,  -- pipeline: the job; agent_runs: the session
    run uuid,      -- agent_runs
    since timestamptz, -- audit: when the first of the rows occurred
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp() -- infinity: the webhook is not active
);
CREATE INDEX webhook_messages_of_webhook ON recruiting.webhook_messages (webhook_id, created_at, id);
CREATE INDEX webhook_messages_due ON recruiting.webhook_messages (next_attempt_at);
-- The last attempts of each webhook.
CREATE TABLE recruiting.webhook_deliveries (
    id uuid PRIMARY KEY,
    webhook_id uuid NOT NULL REFERENCES recruiting.webhooks (id) ON DELETE CASCADE,
    organization_id uuid NOT NULL,
    message_id uuid NOT NULL,
    type text NOT NULL,
    subject uuid,
    run uuid,
    since timestamptz,
    message_created_at timestamptz NOT NULL,
    attempted_at timestamptz NOT NULL,
    status_code integer,
    failure text,
    duration_ms integer NOT NULL,
    excerpt text NOT NULL CHECK (length(excerpt) <= 200),
    CHECK ((status_code IS NULL) <> (failure IS NULL))
);
CREATE INDEX webhook_deliveries_of_webhook ON recruiting.webhook_deliveries (webhook_id, attempted_at, id);
CREATE INDEX webhooks_by_organization ON recruiting.webhooks (organization_id);

-- Admins read and change what their organization has, the worker sends.
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['webhooks', 'webhook_positions', 'webhook_messages', 'webhook_deliveries'] LOOP
        PERFORM recruiting.protect_tenant_table(('recruiting.' || name)::regclass);
        EXECUTE format('CREATE POLICY by_role ON recruiting.%I AS RESTRICTIVE TO recruiting_auth '
                       'USING ((SELECT recruiting.has_role(''admin'')) OR (SELECT recruiting.is_worker(''webhooks'')))', name);
        EXECUTE format('CREATE POLICY console ON recruiting.%I TO recruiting_auth '
                       'USING (organization_id = (SELECT recruiting.console_organization_id(''admin''))) '
                       'WITH CHECK (organization_id = (SELECT recruiting.console_organization_id(''admin'')))', name);
        EXECUTE format('CREATE POLICY worker ON recruiting.%I TO recruiting_auth USING ((SELECT recruiting.is_worker(''webhooks'')))',
                       name);
    END LOOP;
END $$;
GRANT INSERT (id, organization_id, url, description, resources, secret), DELETE,
      UPDATE (secret, previous_secret, previous_secret_expires_at, status, failures, failing_since, retry_at, lease, leased_until,
              updated_at) ON recruiting.webhooks TO recruiting_auth;
GRANT INSERT ON recruiting.webhook_positions TO recruiting_auth;
GRANT INSERT, UPDATE (next_attempt_at) ON recruiting.webhook_messages TO recruiting_auth;

-- One row of the audit log that no request is: the system ended a webhook's deliveries.
CREATE FUNCTION recruiting.record_webhook_end(of recruiting.webhooks, what text) RETURNS void LANGUAGE sql
    SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, target_type, target_id, success)
    VALUES (gen_random_uuid(), clock_timestamp(), of.organization_id, 'system', what, 'webhook', replace(of.id::text, '-', ''), true);
END;
ALTER FUNCTION recruiting.record_webhook_end OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.record_webhook_end FROM PUBLIC;

-- Compares the positions of webhooks with what was committed since, and writes a message for each change, of up to `most`
-- positions. Returns how many positions moved. One caller at a time; the others return 0. A position whose last message is not
-- delivered waits. What does not change costs one look into an index per position.
CREATE FUNCTION recruiting.write_webhook_messages(most integer) RETURNS bigint
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
                                 ELSE a.action IN ('booking.confirmed', 'booking.rescheduled', 'booking.canceled', 'booking.declined')
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
ALTER FUNCTION recruiting.write_webhook_messages OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.write_webhook_messages FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.write_webhook_messages TO recruiting_auth;

-- Writes down how a delivery ended: 2xx ends the message, 410 the webhook, anything else is tried again after `pause`, and for
-- `give_up` at most. Returns delivered, delayed, failed or gone; NULL: the lease was lost, nothing is written.
CREATE FUNCTION recruiting.conclude_webhook_delivery(webhook uuid, holder uuid, message uuid, began timestamptz, answered integer,
                                                     why text, took integer, beginning text, pause interval, give_up interval)
    RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    w recruiting.webhooks;
    since timestamptz;
    outcome text;
BEGIN
    SELECT * INTO w FROM recruiting.webhooks o WHERE o.id = webhook AND o.lease = holder FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    INSERT INTO recruiting.webhook_deliveries (id, webhook_id, organization_id, message_id, type, subject, run, since,
                                               message_created_at, attempted_at, status_code, failure, duration_ms, excerpt)
    SELECT gen_random_uuid(), m.webhook_id, m.organization_id, m.id, m.type, m.subject, m.run, m.since, m.created_at, began, answered,
           why, took, beginning
      FROM recruiting.webhook_messages m WHERE m.id = message AND m.webhook_id = webhook;
    DELETE FROM recruiting.webhook_deliveries d WHERE d.id IN (
        SELECT x.id FROM recruiting.webhook_deliveries x WHERE x.webhook_id = webhook
         ORDER BY x.attempted_at DESC, x.id DESC OFFSET 30);
    since := least(coalesce(w.failing_since, clock_timestamp()), clock_timestamp());
    outcome := CASE WHEN answered BETWEEN 200 AND 299 THEN 'delivered'
                    WHEN answered = 410 THEN 'gone'
                    WHEN clock_timestamp() - since >= give_up THEN 'failed'
                    ELSE 'delayed' END;
    IF outcome = 'delivered' THEN
        DELETE FROM recruiting.webhook_messages m WHERE m.id = message;
        UPDATE recruiting.webhooks SET failures = 0, failing_since = NULL, retry_at = '-infinity' WHERE id = webhook;
        RETURN outcome;
    END IF;
    UPDATE recruiting.webhooks o
       SET status = CASE WHEN outcome = 'delayed' OR o.status <> 'active' THEN o.status ELSE outcome END,
           failures = o.failures + 1, failing_since = since, lease = NULL, leased_until = NULL,
           retry_at = clock_timestamp() + pause, updated_at = CASE outcome WHEN 'delayed' THEN o.updated_at ELSE clock_timestamp() END
     WHERE o.id = webhook;
    IF outcome = 'gone' THEN
        DELETE FROM recruiting.webhook_messages m WHERE m.webhook_id = webhook;
    ELSE
        UPDATE recruiting.webhook_messages m
           SET next_attempt_at = CASE WHEN outcome = 'failed' OR w.status <> 'active' THEN 'infinity' ELSE clock_timestamp() + pause END
         WHERE m.webhook_id = webhook;
    END IF;
    IF outcome <> 'delayed' AND w.status = 'active' THEN
        PERFORM recruiting.record_webhook_end(w, 'webhook.' || outcome);
    END IF;
    IF outcome = 'failed' AND w.status = 'active' THEN
        INSERT INTO recruiting.mail_outbox (id, organization_id, audience, kind, membership_id, user_id, time_zone, language)
        SELECT gen_random_uuid(), m.organization_id, 'member', 'webhook_failed', m.id, m.user_id, o.time_zone,
               (SELECT l.language FROM recruiting.mail_outbox l WHERE l.user_id = m.user_id AND l.language IS NOT NULL
                 ORDER BY l.created_at DESC LIMIT 1)
          FROM recruiting.memberships m JOIN recruiting.organizations o ON o.id = m.organization_id
         WHERE m.organization_id = w.organization_id AND m.role = 'admin' AND m.status = 'active';
    END IF;
    RETURN outcome;
END $$;
ALTER FUNCTION recruiting.conclude_webhook_delivery OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.conclude_webhook_delivery FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.conclude_webhook_delivery TO recruiting_auth;

-- A mail to the admins, as mail_outbox and member_mail_content have others to members.
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
        WHEN 'interviewer' THEN true
        ELSE false END
    AND (audience = 'member' OR (organization_id IS NOT NULL AND booking_id IS NOT NULL AND calendar_uid IS NOT NULL
         AND sequence IS NOT NULL
         AND kind IN ('confirmed', 'rescheduled', 'canceled', 'slot_taken', 'already_booked', 'declined'))));
CREATE OR REPLACE VIEW recruiting.member_mail_content WITH (security_barrier) AS
SELECT m.id, u.id AS user_id, u.email_key,
       CASE WHEN i.id IS NOT NULL THEN coalesce(i.invited_name, u.name) ELSE coalesce(p.name, '') END AS member_name,
       o.name AS organization_name,
       CASE m.kind WHEN 'invitation' THEN CASE i.status WHEN 'invited' THEN i.email END
                   WHEN 'webhook_failed' THEN CASE WHEN i.status = 'active' AND i.role = 'admin' THEN i.email END
                   ELSE p.email END AS email,
       o.logo_url, o.accent_color
FROM recruiting.mail_outbox m
JOIN recruiting.users u ON u.id = m.user_id
LEFT JOIN recruiting.people p ON p.user_id = m.user_id
LEFT JOIN recruiting.organizations o ON o.id = m.organization_id
LEFT JOIN recruiting.memberships i ON i.id = m.membership_id
WHERE m.audience = 'member' AND recruiting.is_worker('mailer');
