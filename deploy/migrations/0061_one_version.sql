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
SELECT b.id, b.status, b.starts_at, b.ends_at, b.wanted_starts_at, b.time_zone, b.join_url, b.calendar_uid, b.sequence,
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
