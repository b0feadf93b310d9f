-- Restores are noticed until keys were revoked again, sessions of the agent have a retention, and the audit log may have a
-- partition per day.

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
ALTER TABLE recruiting.database_identity OWNER TO recruiting_owner;
ALTER TABLE recruiting.database_identity ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.database_identity FORCE ROW LEVEL SECURITY;
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

-- Deletes up to `most` sessions of the agent with all their runs and messages, and returns how many: those whose last run
-- ended longer than older_than ago. An Idempotency-Key belongs to the first run of a session and ends with it. Any number
-- of callers at once. Runs as its owner, so that recruiting_auth can delete no younger session.
CREATE FUNCTION recruiting.drop_agent_sessions(older_than interval, most bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    boundary CONSTANT timestamptz := now() - older_than;
    ended uuid[];
BEGIN
    IF (boundary <= now() - interval '1 day') IS NOT TRUE THEN
        RAISE EXCEPTION 'sessions of the agent are kept for at least 1 day' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- By organization: the index of lists serves this as well.
    SELECT array_agg(found.id) INTO ended
      FROM (SELECT s.id FROM recruiting.organizations o
             CROSS JOIN LATERAL (SELECT a.id FROM recruiting.agent_sessions a
                                  WHERE a.organization_id = o.id AND a.created_at < boundary AND a.last_run_at < boundary
                                    AND NOT EXISTS (SELECT FROM recruiting.agent_runs r WHERE r.session_id = a.id
                                                       AND (r.finished_at >= boundary) IS NOT FALSE)
                                  ORDER BY a.created_at LIMIT most FOR UPDATE SKIP LOCKED) s
             LIMIT most) found;
    DELETE FROM recruiting.agent_messages WHERE session_id = ANY (ended);
    DELETE FROM recruiting.agent_runs WHERE session_id = ANY (ended);
    DELETE FROM recruiting.agent_sessions WHERE id = ANY (ended);
    RETURN coalesce(cardinality(ended), 0);
END $$;
ALTER FUNCTION recruiting.drop_agent_sessions OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.drop_agent_sessions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.drop_agent_sessions TO recruiting_auth;

-- The partitions of audit_log or audit_seals with their bounds, by their names: audit_log_2026_11, audit_log_2026_11_22.
CREATE FUNCTION recruiting.audit_partitions(parent text)
    RETURNS TABLE (partition text, starts_at timestamptz, ends_at timestamptz)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT c.relname::text, n.first_day AT TIME ZONE 'UTC', (n.first_day + n.length) AT TIME ZONE 'UTC'
      FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid
     CROSS JOIN LATERAL (SELECT regexp_match(c.relname, '_(\d{4})_(\d{2})(?:_(\d{2}))?$') AS parts) p
     CROSS JOIN LATERAL (SELECT make_date(p.parts[1]::int, p.parts[2]::int, coalesce(p.parts[3], '1')::int)::timestamp
                                AS first_day,
                                CASE WHEN p.parts[3] IS NULL THEN interval '1 month' ELSE interval '1 day' END
                                AS length) n
     WHERE i.inhparent = format('recruiting.%I', parent)::regclass AND p.parts IS NOT NULL
$$;
ALTER FUNCTION recruiting.audit_partitions OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.audit_partitions FROM PUBLIC;

-- One partition, made apart and attached: requests go on writing and reading the others meanwhile.
CREATE FUNCTION recruiting.add_audit_partition(parent text, first_day timestamp, length interval) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    added CONSTANT text := format('%s_%s', parent, to_char(first_day, CASE WHEN length = interval '1 day'
                                                                           THEN 'YYYY_MM_DD' ELSE 'YYYY_MM' END));
BEGIN
    EXECUTE format('CREATE TABLE recruiting.%I (LIKE recruiting.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
                   added, parent);
    EXECUTE format('ALTER TABLE recruiting.%I ENABLE ROW LEVEL SECURITY', added);
    EXECUTE format('ALTER TABLE recruiting.%I FORCE ROW LEVEL SECURITY', added);
    EXECUTE format('CREATE POLICY owner_all ON recruiting.%I TO recruiting_owner USING (true) WITH CHECK (true)', added);
    EXECUTE format('ALTER TABLE recruiting.%I ATTACH PARTITION recruiting.%I FOR VALUES FROM (%L) TO (%L)', parent, added,
                   first_day AT TIME ZONE 'UTC', (first_day + length) AT TIME ZONE 'UTC');
END $$;
ALTER FUNCTION recruiting.add_audit_partition OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.add_audit_partition FROM PUBLIC;

-- Drops the months ahead that hold nothing, for make_audit_partitions. A row may be on its way into one that looks empty, so
-- it is looked at again under a lock; requests that write audit rows wait for that no longer than half a second. A month
-- whose lock is not free by then stays until the next call.
CREATE FUNCTION recruiting.drop_empty_audit_months() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
    month record;
    used boolean;
BEGIN
    FOR month IN SELECT p.log, p.seals,
                        format('SELECT EXISTS (SELECT FROM recruiting.%I) OR EXISTS (SELECT FROM recruiting.%I)',
                               p.log, p.seals) AS is_used
                   FROM (SELECT l.partition AS log, s.partition AS seals
                           FROM recruiting.audit_partitions('audit_log') l
                           JOIN recruiting.audit_partitions('audit_seals') s USING (starts_at, ends_at)
                          WHERE starts_at > now() AND ends_at - starts_at > interval '2 days') p LOOP
        EXECUTE month.is_used INTO used;
        CONTINUE WHEN used;
        BEGIN
            -- In the order of writers, the log itself before its partition: else they and this could wait for each other.
            EXECUTE format('LOCK TABLE ONLY recruiting.audit_log, ONLY recruiting.%I, ONLY recruiting.audit_seals, '
                           'ONLY recruiting.%I IN ACCESS EXCLUSIVE MODE', month.log, month.seals);
            EXECUTE month.is_used INTO used;
            IF NOT used THEN
                EXECUTE format('DROP TABLE recruiting.%I, recruiting.%I', month.log, month.seals);
            END IF;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            CONTINUE;
        END;
    END LOOP;
END $$;
ALTER FUNCTION recruiting.drop_empty_audit_months OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.drop_empty_audit_months FROM PUBLIC;

-- Makes the partitions of now and of the time ahead: three months, or 31 days where they are daily. by_day NULL: as the
-- newest one is. Daily partitions take the place of months ahead that are empty; what exists and has begun stays, so a
-- month that has days gets days for the rest of it. Runs as its owner, so that recruiting_auth needs no DDL rights.
CREATE FUNCTION recruiting.make_audit_partitions(by_day boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    today CONSTANT timestamp := date_trunc('day', now() AT TIME ZONE 'UTC');
    this_month CONSTANT timestamp := date_trunc('month', today);
    daily boolean := by_day;
    parent text;
    moment timestamp;
    until timestamp;
    covered_to timestamp;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('recruiting.ensure_audit_partitions'));
    IF daily IS NULL THEN
        daily := coalesce((SELECT ends_at - starts_at < interval '2 days' FROM recruiting.audit_partitions('audit_log')
                            ORDER BY starts_at DESC LIMIT 1), false);
    ELSIF daily THEN
        PERFORM recruiting.drop_empty_audit_months();
    END IF;
    FOREACH parent IN ARRAY ARRAY['audit_log', 'audit_seals'] LOOP
        moment := CASE WHEN daily THEN today - interval '1 day' ELSE this_month - interval '1 month' END;
        until := CASE WHEN daily THEN today + interval '32 days' ELSE this_month + interval '4 months' END;
        WHILE moment < until LOOP
            SELECT max(p.ends_at) AT TIME ZONE 'UTC' INTO covered_to FROM recruiting.audit_partitions(parent) p
             WHERE p.starts_at <= moment AT TIME ZONE 'UTC' AND p.ends_at > moment AT TIME ZONE 'UTC';
            IF covered_to IS NOT NULL THEN
                moment := covered_to;
            ELSIF daily OR EXISTS (SELECT FROM recruiting.audit_partitions(parent) p
                                    WHERE p.ends_at > date_trunc('month', moment) AT TIME ZONE 'UTC'
                                      AND p.starts_at < (date_trunc('month', moment) + interval '1 month')
                                                        AT TIME ZONE 'UTC') THEN
                PERFORM recruiting.add_audit_partition(parent, moment, interval '1 day');
                moment := moment + interval '1 day';
            ELSE
                PERFORM recruiting.add_audit_partition(parent, moment, interval '1 month');
                moment := moment + interval '1 month';
            END IF;
        END LOOP;
    END LOOP;
END $$;
ALTER FUNCTION recruiting.make_audit_partitions OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.make_audit_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.make_audit_partitions TO recruiting_auth;

-- What programs of the version before, recruitctl migrate and imports call: goes on as it is.
CREATE OR REPLACE FUNCTION recruiting.ensure_audit_partitions(months_ahead integer DEFAULT 3) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT recruiting.make_audit_partitions(NULL)
$$;

-- As in 0007, for days and months: drops the partitions that ended longer than `older_than` ago, oldest first, and returns
-- how many.
CREATE OR REPLACE FUNCTION recruiting.drop_audit_months(older_than interval) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
    past record;
    seals text;
    unsealed boolean;
    dropped integer := 0;
BEGIN
    IF older_than IS NULL OR older_than < interval '30 days' THEN
        RAISE EXCEPTION 'audit rows are kept for at least 30 days' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('recruiting.ensure_audit_partitions'));
    PERFORM FROM recruiting.audit_sealer FOR UPDATE; -- no seal is added meanwhile
    FOR past IN SELECT * FROM recruiting.audit_partitions('audit_log') WHERE ends_at <= now() - older_than
                 ORDER BY ends_at LOOP
        SELECT EXISTS (SELECT FROM recruiting.audit_log l, recruiting.audit_sealer s
                        WHERE l.occurred_at < past.ends_at AND (l.inserted_xid, l.id) > (s.inserted_xid, s.audit_id)
                          AND NOT EXISTS (SELECT FROM recruiting.audit_seals e
                                           WHERE e.audit_id = l.id AND e.occurred_at = l.occurred_at))
          INTO unsealed;
        IF unsealed THEN
            RAISE EXCEPTION '% holds rows that are not sealed yet', past.partition
                USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        PERFORM recruiting.keep_audit_chain_starts(past.ends_at);
        EXECUTE format('DROP TABLE recruiting.%I', past.partition);
        FOR seals IN SELECT s.partition FROM recruiting.audit_partitions('audit_seals') s WHERE s.ends_at <= past.ends_at LOOP
            EXECUTE format('DROP TABLE recruiting.%I', seals);
        END LOOP;
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END $$;
