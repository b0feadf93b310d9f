-- The audit log: append-only for the services, partitioned by month, sealed into a hash chain an organization.
CREATE TABLE recruiting.audit_log (
    id uuid NOT NULL,
    occurred_at timestamptz NOT NULL,
    organization_id uuid NOT NULL,
    credential_id uuid,
    credential_name text,
    actor_type text NOT NULL CHECK (actor_type IN ('api_key', 'member', 'agent', 'system')),
    actor_member_id uuid,
    actor_email text,
    actor_role text,
    action text NOT NULL,
    method text,
    endpoint text,
    path text,
    target_type text,
    target_id text,
    status_code smallint,
    success boolean NOT NULL,
    error_code text,
    required_scope text,
    ip_address inet,
    user_agent text,
    request_id text,
    session_id uuid,
    correlation_id uuid,
    duration_ms integer,
    inserted_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (id, occurred_at)
) PARTITION BY RANGE (occurred_at);
CREATE INDEX audit_log_by_time ON recruiting.audit_log (organization_id, occurred_at, id);
CREATE INDEX audit_log_by_credential ON recruiting.audit_log (organization_id, credential_id, occurred_at, id);
CREATE INDEX audit_log_by_member ON recruiting.audit_log (organization_id, actor_member_id, occurred_at, id);
CREATE INDEX audit_log_by_request ON recruiting.audit_log (request_id);
CREATE INDEX audit_log_by_insertion ON recruiting.audit_log (inserted_xid, id);
SELECT recruiting.protect_tenant_table('recruiting.audit_log');
CREATE POLICY by_role ON recruiting.audit_log AS RESTRICTIVE FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')) OR (SELECT recruiting.is_worker('sealer')));
-- One group commit holds rows of many organizations, so the insert can't be bound to one: rows are only ever added.
CREATE POLICY append ON recruiting.audit_log FOR INSERT TO recruiting_auth WITH CHECK (true);
CREATE POLICY sealer ON recruiting.audit_log FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.is_worker('sealer')));
GRANT INSERT ON recruiting.audit_log TO recruiting_auth;

-- One seal a row: its sequence in its organization and SHA-256(previous hash || canonical form of the row).
CREATE TABLE recruiting.audit_seals (
    organization_id uuid NOT NULL,
    sequence bigint NOT NULL,
    audit_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (organization_id, sequence, occurred_at)
) PARTITION BY RANGE (occurred_at);
CREATE UNIQUE INDEX audit_seals_by_row ON recruiting.audit_seals (audit_id, occurred_at);
SELECT recruiting.protect_tenant_table('recruiting.audit_seals');
CREATE POLICY by_role ON recruiting.audit_seals AS RESTRICTIVE FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')) OR (SELECT recruiting.is_worker('sealer')));
CREATE POLICY append ON recruiting.audit_seals FOR INSERT TO recruiting_auth
    WITH CHECK ((SELECT recruiting.is_worker('sealer')));
GRANT INSERT ON recruiting.audit_seals TO recruiting_auth;

-- The end of each organization's chain. An operator keeps copies of it elsewhere to find rows cut off the end.
CREATE TABLE recruiting.audit_heads (
    organization_id uuid PRIMARY KEY,
    sequence bigint NOT NULL,
    hash bytea NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT recruiting.protect_tenant_table('recruiting.audit_heads');
CREATE POLICY sealer ON recruiting.audit_heads TO recruiting_auth
    USING ((SELECT recruiting.is_worker('sealer'))) WITH CHECK ((SELECT recruiting.is_worker('sealer')));
GRANT INSERT, UPDATE ON recruiting.audit_heads TO recruiting_auth;

-- How far the sealer has read, in the order of (inserted_xid, id). One row.
CREATE TABLE recruiting.audit_sealer (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    inserted_xid xid8 NOT NULL,
    audit_id uuid NOT NULL
);
ALTER TABLE recruiting.audit_sealer OWNER TO recruiting_owner;
INSERT INTO recruiting.audit_sealer (inserted_xid, audit_id) VALUES ('0', '00000000-0000-0000-0000-000000000000');
ALTER TABLE recruiting.audit_sealer ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.audit_sealer FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.audit_sealer TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY sealer ON recruiting.audit_sealer TO recruiting_auth USING ((SELECT recruiting.is_worker('sealer')));
GRANT SELECT, UPDATE ON recruiting.audit_sealer TO recruiting_auth;

-- Makes the partitions of this month and the months ahead. Runs as its owner, so that recruiting_auth needs no DDL
-- rights; a worker calls it hourly and recruitctl migrate each time.
CREATE FUNCTION recruiting.ensure_audit_partitions(months_ahead integer DEFAULT 3) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
    parent text;
    month timestamptz;
    partition text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('recruiting.ensure_audit_partitions'));
    FOREACH parent IN ARRAY ARRAY['audit_log', 'audit_seals'] LOOP
        FOR i IN -1 .. least(greatest(months_ahead, 1), 24) LOOP
            month := (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => i)) AT TIME ZONE 'UTC';
            partition := format('%s_%s', parent, to_char(month AT TIME ZONE 'UTC', 'YYYY_MM'));
            IF to_regclass('recruiting.' || partition) IS NULL THEN
                EXECUTE format('CREATE TABLE recruiting.%I PARTITION OF recruiting.%I FOR VALUES FROM (%L) TO (%L)',
                               partition, parent, month,
                               (month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC');
                EXECUTE format('ALTER TABLE recruiting.%I ENABLE ROW LEVEL SECURITY', partition);
                EXECUTE format('ALTER TABLE recruiting.%I FORCE ROW LEVEL SECURITY', partition);
                EXECUTE format('CREATE POLICY owner_all ON recruiting.%I TO recruiting_owner '
                               'USING (true) WITH CHECK (true)', partition);
            END IF;
        END LOOP;
    END LOOP;
END $$;
ALTER FUNCTION recruiting.ensure_audit_partitions OWNER TO recruiting_owner;
GRANT CREATE ON SCHEMA recruiting TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.ensure_audit_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.ensure_audit_partitions TO recruiting_auth;
SELECT recruiting.ensure_audit_partitions();
