-- The agent: sessions, runs, messages. A run is the unit of idempotency and of the lease.
CREATE TABLE recruiting.agent_sessions (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id),
    credential_id uuid NOT NULL REFERENCES recruiting.api_keys (id), -- the key of its first run
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
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.agent_sessions
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_updated_at();

-- id is the correlation id. While in progress the run belongs to lease_owner (one runner of one process) until
-- lease_expires_at; every statement of that runner asks for both, so who lost a run can't write to it any more.
CREATE TABLE recruiting.agent_runs (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    session_id uuid NOT NULL REFERENCES recruiting.agent_sessions (id),
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id),
    credential_id uuid NOT NULL REFERENCES recruiting.api_keys (id),
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
    finished_at timestamptz CHECK ((finished_at IS NOT NULL) = (status <> 'in_progress'))
);
SELECT recruiting.protect_tenant_table('recruiting.agent_runs');
-- The lock of idempotency: one run a key, for ever.
CREATE UNIQUE INDEX agent_runs_by_key ON recruiting.agent_runs (organization_id, membership_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX agent_runs_one_a_session ON recruiting.agent_runs (session_id) WHERE status = 'in_progress';
CREATE INDEX agent_runs_by_session ON recruiting.agent_runs (session_id, started_at, id);
CREATE INDEX agent_runs_in_progress ON recruiting.agent_runs (lease_expires_at) WHERE status = 'in_progress';
CREATE INDEX agent_runs_of_organization ON recruiting.agent_runs (organization_id, lease_expires_at)
    WHERE status = 'in_progress';

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

-- Admins see every session, recruiters and hiring managers their own, nobody else any (design: API keys, scopes,
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
GRANT INSERT, UPDATE ON recruiting.agent_sessions, recruiting.agent_runs TO recruiting_auth;
GRANT INSERT ON recruiting.agent_messages TO recruiting_auth;

-- A finished run is metered in the transaction that ends it. (by_role of usage_records is for reading.)
DROP POLICY by_role ON recruiting.usage_records;
CREATE POLICY by_role ON recruiting.usage_records AS RESTRICTIVE FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));
CREATE POLICY meter_runs ON recruiting.usage_records FOR INSERT TO recruiting_auth
    WITH CHECK ((SELECT recruiting.is_worker('agent')) AND kind = 'agent_run');
GRANT INSERT ON recruiting.usage_records TO recruiting_auth;
CREATE UNIQUE INDEX usage_records_one_a_run ON recruiting.usage_records (subject_id) WHERE kind = 'agent_run';

-- Admins list and revoke every key of their organization, others their own; authenticate reads keys by a view of the
-- owner's, and notes of last use are the worker's.
CREATE POLICY by_role ON recruiting.api_keys AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin'))
           OR membership_id = (SELECT recruiting.current_member_id())
           OR (SELECT recruiting.is_worker('last_use')));
CREATE POLICY revoke ON recruiting.api_keys FOR UPDATE TO recruiting_auth
    USING (organization_id = (SELECT recruiting.current_organization_id()))
    WITH CHECK (organization_id = (SELECT recruiting.current_organization_id()) AND revoked_at IS NOT NULL);
GRANT UPDATE (revoked_at, revoked_by, updated_at) ON recruiting.api_keys TO recruiting_auth;
-- list_api_keys gives the newest, revoked ones too.
CREATE INDEX api_keys_by_created ON recruiting.api_keys (organization_id, created_at, id);
