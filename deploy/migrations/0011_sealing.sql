-- Sealing costs less: it reads no more of the intake than it moves, and the audit log has one index fewer.

-- The filter memberId, which this index served, reads ranges of the log's own order, as most filters do. Each index costs a tenth
-- of sealing a row (decision 119).
DROP INDEX recruiting.audit_log_by_member;

-- Moves whole batches of the intake, the oldest first, until at least so many rows are moved. One transaction: killed at any
-- moment it has moved none. One at a time, so that no chain can fork; NULL: another one held the lock for too long. Both windows
-- have one order, so that the rows are sorted once. The batches are named before they are read: one that commits meanwhile, with
-- a lower id, stays for the next call.
CREATE OR REPLACE FUNCTION recruiting.seal_audit_rows(most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' SET jit = off
    SET enable_seqscan = off SET enable_bitmapscan = off SET client_encoding = 'UTF8' AS $$
DECLARE
    oldest record;
    batches bigint[];
    chosen bigint := 0;
    moved bigint;
BEGIN
    BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('recruiting.audit_log'));
    EXCEPTION WHEN lock_not_available THEN
        RETURN NULL;
    END;
    FOR oldest IN SELECT id, event_count FROM recruiting.audit_intake ORDER BY id LOOP
        EXIT WHEN chosen >= most;
        batches := batches || oldest.id;
        chosen := chosen + greatest(oldest.event_count, 1);
    END LOOP;
    IF batches IS NULL THEN
        RETURN 0;
    END IF;
    FOR attempt IN 1..2 LOOP
        BEGIN
            WITH numbered AS (
                SELECT b.id AS batch, e.*, coalesce(h.sequence, 0) + row_number() OVER in_order AS sequence,
                       coalesce(h.hash, decode(repeat('00', 32), 'hex')) AS hash_before
                  FROM recruiting.audit_intake b CROSS JOIN LATERAL unnest(b.events) WITH ORDINALITY
                       AS e (event_id, occurred_at, organization_id, credential_id, credential_name, actor_type,
                             actor_member_id, actor_email, actor_role, action, method, endpoint, path, target_type,
                             target_id, status_code, success, error_code, required_scope, ip_address, user_agent,
                             request_id, session_id, correlation_id, duration_ms, request_count, place)
                  LEFT JOIN recruiting.audit_heads h ON h.organization_id = e.organization_id
                 WHERE b.id = ANY (batches)
                WINDOW in_order AS (PARTITION BY e.organization_id ORDER BY b.id, e.place)
            ), written AS (
                INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, credential_name,
                    actor_type, actor_member_id, actor_email, actor_role, action, method, endpoint, path, target_type,
                    target_id, status_code, success, error_code, required_scope, ip_address, user_agent, request_id,
                    session_id, correlation_id, duration_ms, request_count, sequence, hash)
                SELECT event_id, occurred_at, organization_id, credential_id, credential_name, actor_type, actor_member_id,
                       actor_email, actor_role, action, method, endpoint, path, target_type, target_id, status_code,
                       success, error_code, required_scope, ip_address, user_agent, request_id, session_id,
                       correlation_id, duration_ms, request_count, sequence,
                       recruiting.audit_hash(hash_before, record_send(ROW(
                           sequence, event_id, occurred_at, organization_id, credential_id, credential_name, actor_type,
                           actor_member_id, actor_email, actor_role, action, method, endpoint, path, target_type,
                           target_id, status_code, success, error_code, required_scope, ip_address, user_agent,
                           request_id, session_id, correlation_id, duration_ms, request_count)))
                       OVER (PARTITION BY organization_id ORDER BY batch, place ROWS UNBOUNDED PRECEDING)
                  FROM numbered
                RETURNING organization_id, sequence, hash
            ), ended AS (
                INSERT INTO recruiting.audit_heads AS h (organization_id, sequence, hash)
                SELECT DISTINCT ON (organization_id) organization_id, sequence, hash FROM written
                 ORDER BY organization_id, sequence DESC
                    ON CONFLICT (organization_id) DO UPDATE
                   SET sequence = excluded.sequence, hash = excluded.hash, updated_at = clock_timestamp()
            )
            SELECT count(*) INTO moved FROM written;
            DELETE FROM recruiting.audit_intake WHERE id = ANY (batches);
            RETURN moved;
        EXCEPTION WHEN check_violation OR not_null_violation THEN
            IF attempt = 2 THEN
                RAISE;
            END IF;
            PERFORM recruiting.mend_audit_intake();
        END;
    END LOOP;
END $$;
