-- The agent: sessions, runs, messages. A run is the unit of idempotency and of the lease. Members ask the agent in the console,
-- too (decision 0086): such a run has no API key.
CREATE TABLE recruiting.agent_sessions (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id),
    credential_id uuid REFERENCES recruiting.api_keys (id), -- the key of its first run; NULL: a session of the console
    title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
    sort_title text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(title)) STORED,
    status text NOT NULL CHECK (status IN ('in_progress', 'completed', 'failed')), -- its last run's
    run_count integer NOT NULL DEFAULT 0,
    message_count integer NOT NULL DEFAULT 0,
    input_tokens bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0,
    last_run_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT recruiting.protect_tenant_table('recruiting.agent_sessions');
CREATE INDEX agent_sessions_by_created ON recruiting.agent_sessions (organization_id, created_at, id);
CREATE INDEX agent_sessions_by_updated ON recruiting.agent_sessions (organization_id, updated_at, id);
CREATE INDEX agent_sessions_by_title ON recruiting.agent_sessions (organization_id, sort_title, id);
CREATE INDEX agent_sessions_by_member ON recruiting.agent_sessions (organization_id, membership_id, created_at, id);
CREATE INDEX agent_sessions_by_status ON recruiting.agent_sessions (organization_id, status, created_at, id);
-- Whether one of these has failed also depends on its run's lease: both are looked for here.
CREATE INDEX agent_sessions_not_completed ON recruiting.agent_sessions (organization_id, created_at, id)
    WHERE status <> 'completed';
-- In this order retention reads them.
CREATE INDEX agent_sessions_by_last_run ON recruiting.agent_sessions (last_run_at);
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.agent_sessions
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_updated_at();

-- id is the correlation id. While in progress the run belongs to lease_owner (one runner of one process) until
-- lease_expires_at; every statement of that runner asks for both, so a runner that lost a run can't write to it any more.
CREATE TABLE recruiting.agent_runs (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    session_id uuid NOT NULL REFERENCES recruiting.agent_sessions (id),
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id),
    credential_id uuid REFERENCES recruiting.api_keys (id), -- NULL: a session of the console
    idempotency_key text CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    prompt_hash bytea NOT NULL CHECK (length(prompt_hash) = 32), -- tells a repeat with another prompt
    status text NOT NULL DEFAULT 'in_progress' CHECK (status IN ('in_progress', 'completed', 'failed')),
    model text NOT NULL,
    reply text CHECK ((reply IS NOT NULL) = (status = 'completed')),
    failure text CHECK ((failure IS NOT NULL) = (status = 'failed')), -- for operators; clients get a fixed sentence
    tool_call_count integer NOT NULL DEFAULT 0,
    input_tokens bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0,
    lease_owner uuid NOT NULL,
    lease_expires_at timestamptz NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz CHECK ((finished_at IS NOT NULL) = (status <> 'in_progress')),
    -- The scopes under which the run's tools have read, and the narrowest role that is shown as much.
    tool_scopes text[] NOT NULL DEFAULT '{}',
    tool_role text NOT NULL DEFAULT 'viewer'
        CHECK (tool_role IN ('admin', 'recruiter', 'hiring_manager', 'interviewer', 'viewer'))
);
SELECT recruiting.protect_tenant_table('recruiting.agent_runs');
CREATE UNIQUE INDEX agent_runs_one_a_session ON recruiting.agent_runs (session_id) WHERE status = 'in_progress';
CREATE INDEX agent_runs_by_session ON recruiting.agent_runs (session_id, started_at, id);
CREATE INDEX agent_runs_in_progress ON recruiting.agent_runs (lease_expires_at) WHERE status = 'in_progress';
CREATE INDEX agent_runs_of_organization ON recruiting.agent_runs (organization_id, lease_expires_at)
    WHERE status = 'in_progress';
-- An Idempotency-Key belongs to the API key that sent it: a reply never crosses from one key's scopes to another's (decision
-- 0066). In the console it belongs to the member, whichever of their browsers sends it.
CREATE UNIQUE INDEX agent_runs_by_credential_key
    ON recruiting.agent_runs (organization_id, credential_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX agent_runs_by_member_key
    ON recruiting.agent_runs (organization_id, membership_id, idempotency_key)
    WHERE credential_id IS NULL AND idempotency_key IS NOT NULL;

CREATE TABLE recruiting.agent_messages (
    id uuid PRIMARY KEY,
    position integer NOT NULL CHECK (position >= 0), -- in the session, from 0
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    session_id uuid NOT NULL REFERENCES recruiting.agent_sessions (id),
    run_id uuid NOT NULL REFERENCES recruiting.agent_runs (id),
    membership_id uuid NOT NULL, -- its session's
    role text NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
    content text NOT NULL,
    tool_calls text CHECK (tool_calls IS NULL OR role = 'assistant'), -- as on the wire: [{"id","name","arguments"}]
    tool_call_id text,
    tool_name text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (session_id, position)
);
SELECT recruiting.protect_tenant_table('recruiting.agent_messages');
CREATE INDEX agent_messages_by_run ON recruiting.agent_messages (run_id);

-- Of sessions and runs what their beginning, progress and end change: no session is moved or begins in the past, and no
-- run begins with an end or with tokens.
GRANT INSERT (id, organization_id, membership_id, credential_id, title, status, run_count, message_count, last_run_at),
      UPDATE (status, run_count, message_count, input_tokens, output_tokens, last_run_at)
    ON recruiting.agent_sessions TO recruiting_auth;
GRANT INSERT (id, organization_id, session_id, membership_id, credential_id, idempotency_key, prompt_hash, model,
              lease_owner, lease_expires_at),
      UPDATE (status, reply, failure, tool_call_count, input_tokens, output_tokens, tool_scopes, tool_role,
              lease_expires_at, finished_at)
    ON recruiting.agent_runs TO recruiting_auth;
GRANT INSERT ON recruiting.agent_messages TO recruiting_auth;

-- Admins see every session, recruiters and hiring managers their own, other roles none (design: API keys, scopes,
-- roles). The runner is a worker: its runs go on when the key that began them is revoked.
CREATE POLICY by_role ON recruiting.agent_sessions AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin'))
           OR ((SELECT recruiting.has_role('recruiter', 'hiring_manager'))
               AND membership_id = (SELECT recruiting.current_member_id()))
           OR (SELECT recruiting.is_worker('agent')));
CREATE POLICY by_role ON recruiting.agent_runs AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin'))
           OR ((SELECT recruiting.has_role('recruiter', 'hiring_manager'))
               AND membership_id = (SELECT recruiting.current_member_id()))
           OR (SELECT recruiting.is_worker('agent')));
CREATE POLICY by_role ON recruiting.agent_messages AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin'))
           OR ((SELECT recruiting.has_role('recruiter', 'hiring_manager'))
               AND membership_id = (SELECT recruiting.current_member_id()))
           OR (SELECT recruiting.is_worker('agent')));

-- Beginning, going on and ending are the runner's; the tenant of a beginning is what authenticate has set.
CREATE POLICY runner ON recruiting.agent_sessions TO recruiting_auth
    USING ((SELECT recruiting.is_worker('agent'))) WITH CHECK ((SELECT recruiting.is_worker('agent')));
CREATE POLICY runner ON recruiting.agent_runs TO recruiting_auth
    USING ((SELECT recruiting.is_worker('agent'))) WITH CHECK ((SELECT recruiting.is_worker('agent')));
CREATE POLICY runner ON recruiting.agent_messages TO recruiting_auth
    USING ((SELECT recruiting.is_worker('agent'))) WITH CHECK ((SELECT recruiting.is_worker('agent')));

-- Usage is metered now, for a run of that organization, with the run's tokens.
GRANT INSERT (id, organization_id, kind, subject_id, input_tokens, output_tokens)
    ON recruiting.usage_records TO recruiting_auth;
CREATE POLICY meter_runs ON recruiting.usage_records FOR INSERT TO recruiting_auth
    WITH CHECK ((SELECT recruiting.is_worker('agent')) AND kind = 'agent_run'
                AND EXISTS (SELECT FROM recruiting.agent_runs r
                            WHERE r.id = usage_records.subject_id
                              AND r.organization_id = usage_records.organization_id
                              AND r.input_tokens = usage_records.input_tokens
                              AND r.output_tokens = usage_records.output_tokens));

-- However a run ends, and whatever writes that down (its runner, the reaper, a request that repeats its key): the audit log
-- says so in the same transaction. error_code is why it failed; never what was asked or found.
CREATE FUNCTION recruiting.record_run_end() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, credential_name, actor_type,
                                      actor_member_id, actor_email, actor_role, action, target_type, target_id, success,
                                      error_code, session_id, correlation_id, duration_ms)
    SELECT gen_random_uuid(), clock_timestamp(), NEW.organization_id, k.id, k.name, 'agent', m.id, m.email, m.role,
           'agent.run_' || NEW.status, 'agent_session', replace(NEW.session_id::text, '-', ''), NEW.status = 'completed',
           NEW.failure, NEW.session_id, NEW.id,
           least(extract(epoch FROM NEW.finished_at - NEW.started_at) * 1000, 2147483647)::integer
    FROM recruiting.memberships m
    LEFT JOIN recruiting.api_keys k ON k.id = NEW.credential_id
    WHERE m.id = NEW.membership_id;
    RETURN NULL;
END $$;
ALTER FUNCTION recruiting.record_run_end OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.record_run_end FROM PUBLIC;
CREATE TRIGGER record_end AFTER UPDATE OF status ON recruiting.agent_runs
    FOR EACH ROW WHEN (OLD.status = 'in_progress' AND NEW.status <> 'in_progress')
    EXECUTE FUNCTION recruiting.record_run_end();
