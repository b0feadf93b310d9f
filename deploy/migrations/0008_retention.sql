-- Retention: the rows that are dropped, and what the audit log's hash chains need so that they can still be checked. A
-- compromised auth-api can delete no more than its work needs (SECURITY.md): the owner sets how long rows are kept at least.

-- Where an organization's chain begins since retention took its older part: the last row that was dropped.
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

-- Around the turn of a month, rows of both months stand mixed in a chain. Hashes of dropped rows that stand behind the
-- first remaining one are kept here, so that the chain has no holes.
CREATE TABLE recruiting.audit_seals_kept (
    organization_id uuid NOT NULL,
    sequence bigint NOT NULL,
    audit_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (organization_id, sequence)
);
SELECT recruiting.protect_tenant_table('recruiting.audit_seals_kept');
CREATE POLICY by_role ON recruiting.audit_seals_kept AS RESTRICTIVE FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));

-- Writes down where the chains that lose rows begin once those before `boundary` are gone. The hash of a dropped row that a
-- remaining one continues stays known: as the chain's start, or as a kept seal. Mostly without the other partitions: where the
-- lost rows and the kept seals are all numbers up to the last lost one, the next number is the first that remains. Sealing waits
-- meanwhile.
CREATE FUNCTION recruiting.keep_audit_chain_starts(boundary timestamptz) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    WITH lost AS MATERIALIZED (
        SELECT organization_id, max(sequence) AS last, count(*) AS rows FROM recruiting.audit_log
         WHERE occurred_at < boundary AND sequence IS NOT NULL GROUP BY organization_id
    ), chains AS MATERIALIZED (
        SELECT l.organization_id, l.last, h.sequence AS head, h.hash AS head_hash, coalesce(s.sequence, 0) AS start,
               CASE WHEN l.last - coalesce(s.sequence, 0) =
                         l.rows + (SELECT count(*) FROM recruiting.audit_seals_kept k
                                    WHERE k.organization_id = l.organization_id AND k.sequence > coalesce(s.sequence, 0)
                                      AND k.sequence <= l.last)
                    THEN nullif(l.last, h.sequence) + 1
                    ELSE (SELECT r.sequence FROM recruiting.audit_log r
                           WHERE r.organization_id = l.organization_id AND r.sequence IS NOT NULL
                             AND r.occurred_at >= boundary
                           ORDER BY r.sequence LIMIT 1)
               END AS first
          FROM lost l
          JOIN recruiting.audit_heads h ON h.organization_id = l.organization_id
          LEFT JOIN recruiting.audit_chain_starts s ON s.organization_id = l.organization_id
    ), kept AS (
        INSERT INTO recruiting.audit_seals_kept (organization_id, sequence, audit_id, occurred_at, hash)
        SELECT d.organization_id, d.sequence, d.id, d.occurred_at, d.hash
          FROM chains c
          JOIN recruiting.audit_log d ON d.organization_id = c.organization_id AND d.sequence > c.first
                                     AND d.occurred_at < boundary
         WHERE c.first < c.last
            ON CONFLICT DO NOTHING
    )
    INSERT INTO recruiting.audit_chain_starts AS s (organization_id, sequence, hash, dropped_before)
    SELECT c.organization_id, coalesce(c.first - 1, c.head), coalesce(last.hash, k.hash, c.head_hash), boundary
      FROM chains c
      LEFT JOIN LATERAL (SELECT r.hash FROM recruiting.audit_log r
                          WHERE r.organization_id = c.organization_id AND r.sequence = c.first - 1
                            AND r.occurred_at < boundary
                          LIMIT 1) last ON true
      LEFT JOIN recruiting.audit_seals_kept k ON k.organization_id = c.organization_id AND k.sequence = c.first - 1
     WHERE coalesce(c.first, c.head + 1) > greatest(1, c.start + 1)
        ON CONFLICT (organization_id) DO UPDATE
       SET sequence = excluded.sequence, hash = excluded.hash, dropped_before = excluded.dropped_before,
           updated_at = clock_timestamp();
    UPDATE recruiting.audit_chain_starts SET dropped_before = boundary WHERE dropped_before < boundary;
    DELETE FROM recruiting.audit_seals_kept k USING recruiting.audit_chain_starts s
     WHERE k.organization_id = s.organization_id AND k.sequence <= s.sequence;
$$;
ALTER FUNCTION recruiting.keep_audit_chain_starts OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.keep_audit_chain_starts FROM PUBLIC;

-- Drops the partitions that ended longer than `older_than` ago, oldest first, and returns how many. Refuses less than 30 days,
-- and a partition with a row that is not sealed yet. DROP locks the whole table: it gives up soon rather than make requests wait.
CREATE FUNCTION recruiting.drop_audit_months(older_than interval) RETURNS integer
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
    FOR past IN SELECT * FROM recruiting.audit_partitions() WHERE ends_at <= now() - older_than
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
ALTER FUNCTION recruiting.drop_audit_months OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.drop_audit_months FROM PUBLIC;

-- How long audit rows are kept at least. Only the owner changes this row:
-- UPDATE recruiting.audit_retention SET at_least = '400 days'
CREATE TABLE recruiting.audit_retention (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    at_least interval NOT NULL DEFAULT '30 days' CHECK (at_least >= interval '30 days')
);
ALTER TABLE recruiting.audit_retention OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.audit_retention TO recruiting_owner USING (true) WITH CHECK (true);
INSERT INTO recruiting.audit_retention DEFAULT VALUES;

-- As its owner, so that recruiting_auth needs no DDL rights. How long rows are kept is compared as moments. As intervals, where a
-- month is 30 days, '-2400 months 72400 days' is 400 days, and it means a moment in the future. In UTC: the caller's time zone
-- would make days of 23 hours.
CREATE FUNCTION recruiting.drop_audit_partitions(older_than interval) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    floor interval := (SELECT at_least FROM recruiting.audit_retention);
BEGIN
    IF (now() - older_than <= now() - floor) IS NOT TRUE THEN
        RAISE EXCEPTION 'audit rows are kept for at least % (recruiting.audit_retention)', floor
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN recruiting.drop_audit_months(older_than);
END $$;
ALTER FUNCTION recruiting.drop_audit_partitions OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.drop_audit_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.drop_audit_partitions TO recruiting_auth;

-- How long the agent's sessions and the outbox's finished mails are kept at least, whatever auth-api asks for. Only the
-- owner changes this row:  UPDATE recruiting.retention_floors SET agent_sessions = '400 days'
CREATE TABLE recruiting.retention_floors (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    agent_sessions interval NOT NULL DEFAULT '30 days' CHECK (agent_sessions >= interval '1 day'),
    finished_mails interval NOT NULL DEFAULT '1 day' CHECK (finished_mails >= interval '1 hour')
);
ALTER TABLE recruiting.retention_floors OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.retention_floors TO recruiting_owner USING (true) WITH CHECK (true);
INSERT INTO recruiting.retention_floors DEFAULT VALUES;

-- Deletes up to `most` sessions of the agent with all their runs and messages, and returns how many: those whose last run
-- ended longer than older_than ago, in the order in which they were used last. An Idempotency-Key belongs to the first run of a
-- session and ends with it. Any number of callers at once. Runs as its owner, so that recruiting_auth can delete no younger
-- session. updated_at is the time of the last change, as the trigger stamps it: a session whose other times were set back is kept.
CREATE FUNCTION recruiting.drop_agent_sessions(older_than interval, most bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    floor CONSTANT interval := (SELECT agent_sessions FROM recruiting.retention_floors);
    boundary CONSTANT timestamptz := now() - older_than;
    ended uuid[];
BEGIN
    IF (boundary <= now() - floor) IS NOT TRUE THEN
        RAISE EXCEPTION 'sessions of the agent are kept for at least % (recruiting.retention_floors)', floor
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT array_agg(found.id) INTO ended
      FROM (SELECT a.id FROM recruiting.agent_sessions a
             WHERE a.last_run_at < boundary AND a.updated_at < boundary
               AND NOT EXISTS (SELECT FROM recruiting.agent_runs r WHERE r.session_id = a.id
                                  AND (r.finished_at >= boundary) IS NOT FALSE)
             ORDER BY a.last_run_at LIMIT most FOR UPDATE SKIP LOCKED) found;
    DELETE FROM recruiting.agent_messages WHERE session_id = ANY (ended);
    DELETE FROM recruiting.agent_runs WHERE session_id = ANY (ended);
    DELETE FROM recruiting.agent_sessions WHERE id = ANY (ended);
    RETURN coalesce(cardinality(ended), 0);
END $$;
ALTER FUNCTION recruiting.drop_agent_sessions OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.drop_agent_sessions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.drop_agent_sessions TO recruiting_auth;

-- A mail is deleted when it was sent or is dead, and has been so for as long as the owner wants; or when it is held back
-- and a later mail to the same recipient about the same booking tells more.
CREATE FUNCTION recruiting.may_delete_mail(mail uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT CASE WHEN m.status <> 'waiting'
                THEN m.finished_at < clock_timestamp() - (SELECT f.finished_mails FROM recruiting.retention_floors f)
                ELSE m.held_until IS NOT NULL AND EXISTS (
                    SELECT FROM recruiting.mail_outbox later
                    WHERE later.booking_id = m.booking_id AND later.audience = m.audience
                      AND (m.audience = 'candidate' OR later.membership_id = m.membership_id)
                      AND (later.created_at, later.id) > (m.created_at, m.id))
           END
    FROM recruiting.mail_outbox m WHERE m.id = mail;
END;
ALTER FUNCTION recruiting.may_delete_mail OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.may_delete_mail FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.may_delete_mail TO recruiting_auth;
CREATE POLICY kept ON recruiting.mail_outbox AS RESTRICTIVE FOR DELETE TO recruiting_auth
    USING (recruiting.may_delete_mail(id));

-- The database in which an operator last found all revocations: after a restore or a promotion, PostgreSQL says something
-- else, and keys that were revoked since the backup work again. recruitctl doctor warns until `key revoke --from` or
-- `restore dismiss` writes this anew. NULL: PostgreSQL keeps it from recruiting_owner.
CREATE TABLE recruiting.database_identity (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    system_identifier text,
    timeline bigint,
    database_oid oid NOT NULL,
    table_oid oid NOT NULL,
    confirmed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE recruiting.database_identity OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.database_identity TO recruiting_owner USING (true) WITH CHECK (true);

-- What PostgreSQL says of this database now. A dump into the same database makes the table again: its oid differs.
CREATE FUNCTION recruiting.current_database_identity()
    RETURNS TABLE (system_identifier text, timeline bigint, database_oid oid, table_oid oid)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT l.system, l.timeline, d.oid, 'recruiting.database_identity'::regclass::oid
      FROM pg_database d, recruiting.server_line() l WHERE d.datname = current_database()
$$;
ALTER FUNCTION recruiting.current_database_identity OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.current_database_identity FROM PUBLIC;
INSERT INTO recruiting.database_identity (system_identifier, timeline, database_oid, table_oid)
    SELECT * FROM recruiting.current_database_identity();
