-- An Idempotency-Key belongs to the API key that sent it, no longer to its member: a reply never crosses from one key's
-- scopes to another's (decision 0066). Rows keep their keys: each names its API key already.
CREATE UNIQUE INDEX agent_runs_by_credential_key
    ON recruiting.agent_runs (organization_id, credential_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
DROP INDEX recruiting.agent_runs_by_key;

-- The scopes under which a run's tools have read. NULL: a program of the version before began the run and recorded none;
-- the names of its tools stand for them.
ALTER TABLE recruiting.agent_runs ADD COLUMN tool_scopes text[];

-- However a run ends, and whoever writes that down (its runner, the reaper, a request that repeats its key): the audit log
-- says so in the same transaction. error_code is why it failed; never what was asked or found.
CREATE FUNCTION recruiting.record_run_end() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, credential_name, actor_type,
                                      actor_member_id, actor_email, actor_role, action, target_type, target_id, success,
                                      error_code, session_id, correlation_id, duration_ms)
    SELECT gen_random_uuid(), clock_timestamp(), NEW.organization_id, k.id, k.name, 'agent', m.id, u.email, m.role,
           'agent.run_' || NEW.status, 'agent_session', replace(NEW.session_id::text, '-', ''), NEW.status = 'completed',
           NEW.failure, NEW.session_id, NEW.id,
           least(extract(epoch FROM NEW.finished_at - NEW.started_at) * 1000, 2147483647)::integer
    FROM recruiting.api_keys k
    JOIN recruiting.memberships m ON m.id = NEW.membership_id
    JOIN recruiting.users u ON u.id = m.user_id
    WHERE k.id = NEW.credential_id;
    RETURN NULL;
END $$;
ALTER FUNCTION recruiting.record_run_end OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.record_run_end FROM PUBLIC; -- as of place_booking
CREATE TRIGGER record_end AFTER UPDATE OF status ON recruiting.agent_runs
    FOR EACH ROW WHEN (OLD.status = 'in_progress' AND NEW.status <> 'in_progress')
    EXECUTE FUNCTION recruiting.record_run_end();
