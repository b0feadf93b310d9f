-- Members ask the agent in the console (decision 0086): such a run has no API key. Its Idempotency-Key belongs to the
-- member, and the next migration has the index for that.
ALTER TABLE recruiting.agent_sessions ALTER COLUMN credential_id DROP NOT NULL; -- NULL: its first run is a session's
ALTER TABLE recruiting.agent_runs ALTER COLUMN credential_id DROP NOT NULL;     -- NULL: a session of the console

-- A program of the version before takes credential_id for a value: GET /agent/sessions and /agent/sessions/{id} would be
-- 500 there for every caller who may see one such row. authenticate of this version says that it knows them; where it does
-- not say so, they are not shown. In an upgrade, for as long as both versions run, such an instance
--   lists and shows neither these sessions nor, in a session of an API key, these runs (their messages it shows; while one
--     of them goes on there, its list says failed for that session);
--   answers 404 to who resumes such a session, and 503 where one of these runs goes on in a session of an API key, or has
--     read under more than the caller may: its beginning is decided as worker, which sees every run;
--   ends such a run when its lease ran out, as worker, and the trigger below writes the audit row;
--   deletes such sessions by retention (drop_agent_sessions runs as the owner).
-- Its own runs, and all it writes, are as before.
ALTER POLICY by_role ON recruiting.agent_sessions
    USING (((credential_id IS NOT NULL OR (SELECT coalesce(current_setting('recruiting.runs_of_sessions', true) = 'on', false)))
            AND ((SELECT recruiting.has_role('admin'))
                 OR ((SELECT recruiting.has_role('recruiter', 'hiring_manager'))
                     AND membership_id = (SELECT recruiting.current_member_id()))))
           OR (SELECT recruiting.is_worker('agent')));
ALTER POLICY by_role ON recruiting.agent_runs
    USING (((credential_id IS NOT NULL OR (SELECT coalesce(current_setting('recruiting.runs_of_sessions', true) = 'on', false)))
            AND ((SELECT recruiting.has_role('admin'))
                 OR ((SELECT recruiting.has_role('recruiter', 'hiring_manager'))
                     AND membership_id = (SELECT recruiting.current_member_id()))))
           OR (SELECT recruiting.is_worker('agent')));

-- As in 0016, also for runs without a key.
CREATE OR REPLACE FUNCTION recruiting.record_run_end() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, credential_name, actor_type,
                                      actor_member_id, actor_email, actor_role, action, target_type, target_id, success,
                                      error_code, session_id, correlation_id, duration_ms)
    SELECT gen_random_uuid(), clock_timestamp(), NEW.organization_id, k.id, k.name, 'agent', m.id, u.email, m.role,
           'agent.run_' || NEW.status, 'agent_session', replace(NEW.session_id::text, '-', ''), NEW.status = 'completed',
           NEW.failure, NEW.session_id, NEW.id,
           least(extract(epoch FROM NEW.finished_at - NEW.started_at) * 1000, 2147483647)::integer
    FROM recruiting.memberships m
    JOIN recruiting.users u ON u.id = m.user_id
    LEFT JOIN recruiting.api_keys k ON k.id = NEW.credential_id
    WHERE m.id = NEW.membership_id;
    RETURN NULL;
END $$;
