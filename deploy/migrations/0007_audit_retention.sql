-- Retention of the audit log: whole months are dropped, and what the hash chains need to go on being checked is kept.

-- Where an organization's chain begins since retention took its older part: the last seal that was dropped.
CREATE TABLE recruiting.audit_chain_starts (
    organization_id uuid PRIMARY KEY,
    sequence bigint NOT NULL,
    hash bytea NOT NULL,
    dropped_before timestamptz NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT recruiting.protect_tenant_table('recruiting.audit_chain_starts');
CREATE POLICY by_role ON recruiting.audit_chain_starts AS RESTRICTIVE FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));

-- Around the turn of a month, rows of both months stand mixed in a chain. Seals of dropped rows that stand behind the
-- first remaining one are moved here, so that the chain has no holes.
CREATE TABLE recruiting.audit_seals_kept (
    organization_id uuid NOT NULL,
    sequence bigint NOT NULL,
    audit_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (organization_id, sequence)
);
SELECT recruiting.protect_tenant_table('recruiting.audit_seals_kept');
CREATE POLICY by_role ON recruiting.audit_seals_kept AS RESTRICTIVE FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));

-- Writes down, for every organization, where its chain begins once the seals before `boundary` are gone.
CREATE FUNCTION recruiting.keep_audit_chain_starts(boundary timestamptz) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog AS $$
    INSERT INTO recruiting.audit_seals_kept
    SELECT d.organization_id, d.sequence, d.audit_id, d.occurred_at, d.previous_hash, d.hash
      FROM recruiting.audit_heads h
     CROSS JOIN LATERAL (SELECT r.sequence FROM recruiting.audit_seals r
                          WHERE r.organization_id = h.organization_id AND r.occurred_at >= boundary
                          ORDER BY r.sequence LIMIT 1) first
      JOIN recruiting.audit_seals d ON d.organization_id = h.organization_id AND d.sequence > first.sequence
                                   AND d.occurred_at < boundary
        ON CONFLICT DO NOTHING;
    INSERT INTO recruiting.audit_chain_starts AS s (organization_id, sequence, hash, dropped_before)
    SELECT h.organization_id, coalesce(first.sequence - 1, h.sequence), coalesce(first.previous_hash, h.hash), boundary
      FROM recruiting.audit_heads h
      LEFT JOIN LATERAL (SELECT r.sequence, r.previous_hash FROM recruiting.audit_seals r
                          WHERE r.organization_id = h.organization_id AND r.occurred_at >= boundary
                          ORDER BY r.sequence LIMIT 1) first ON true
     WHERE coalesce(first.sequence, h.sequence + 1) > 1
        ON CONFLICT (organization_id) DO UPDATE
       SET sequence = excluded.sequence, hash = excluded.hash, dropped_before = excluded.dropped_before,
           updated_at = clock_timestamp();
    DELETE FROM recruiting.audit_seals_kept k USING recruiting.audit_chain_starts s
     WHERE k.organization_id = s.organization_id AND k.sequence <= s.sequence;
$$;
ALTER FUNCTION recruiting.keep_audit_chain_starts OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.keep_audit_chain_starts FROM PUBLIC;

-- Drops the months of audit_log and audit_seals that ended longer than `older_than` ago, oldest first, and returns how
-- many. Refuses less than 30 days, and a month with a row that is not sealed yet. Runs as its owner, so that
-- recruiting_auth needs no DDL rights. DROP locks the whole table: rather give up soon than make requests wait.
CREATE FUNCTION recruiting.drop_audit_partitions(older_than interval) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '500ms' AS $$
DECLARE
    month text;
    boundary timestamptz;
    unsealed boolean;
    dropped integer := 0;
BEGIN
    IF older_than IS NULL OR older_than < interval '30 days' THEN
        RAISE EXCEPTION 'audit rows are kept for at least 30 days' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('recruiting.ensure_audit_partitions'));
    PERFORM FROM recruiting.audit_sealer FOR UPDATE; -- no seal is added meanwhile
    FOR month, boundary IN
        SELECT right(c.relname, 7), (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC'
          FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'recruiting.audit_log'::regclass AND c.relname ~ '^audit_log_\d{4}_\d{2}$'
         ORDER BY 1
    LOOP
        EXIT WHEN boundary > now() - older_than;
        SELECT EXISTS (SELECT FROM recruiting.audit_log l, recruiting.audit_sealer s
                        WHERE l.occurred_at < boundary AND (l.inserted_xid, l.id) > (s.inserted_xid, s.audit_id)
                          AND NOT EXISTS (SELECT FROM recruiting.audit_seals e
                                           WHERE e.audit_id = l.id AND e.occurred_at = l.occurred_at))
          INTO unsealed;
        IF unsealed THEN
            RAISE EXCEPTION 'audit_log_% holds rows that are not sealed yet', month
                USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        PERFORM recruiting.keep_audit_chain_starts(boundary);
        EXECUTE format('DROP TABLE recruiting.%I', 'audit_log_' || month);
        EXECUTE format('DROP TABLE IF EXISTS recruiting.%I', 'audit_seals_' || month);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END $$;
ALTER FUNCTION recruiting.drop_audit_partitions OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.drop_audit_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.drop_audit_partitions TO recruiting_auth;
