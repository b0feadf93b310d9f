-- The audit log: append-only for the services, partitioned by month or day, sealed into a hash chain per organization.
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
    request_count bigint, -- NULL: the row is one request, or none
    sequence bigint,      -- in its organization's chain
    hash bytea            -- SHA-256 of the row before and of this row in PostgreSQL's binary form (audit.md, The hash chain)
) PARTITION BY RANGE (occurred_at);
SELECT recruiting.protect_tenant_table('recruiting.audit_log');
GRANT INSERT (id, occurred_at, organization_id, credential_id, credential_name, actor_type, actor_member_id, actor_email,
              actor_role, action, method, endpoint, path, target_type, target_id, status_code, success, error_code,
              required_scope, ip_address, user_agent, request_id, session_id, correlation_id, duration_ms, request_count)
    ON recruiting.audit_log TO recruiting_auth;
CREATE INDEX audit_log_by_time ON recruiting.audit_log (organization_id, occurred_at, id);
CREATE INDEX audit_log_by_credential ON recruiting.audit_log (organization_id, credential_id, occurred_at, id);
CREATE INDEX audit_log_by_member ON recruiting.audit_log (organization_id, actor_member_id, occurred_at, id);
CREATE INDEX audit_log_by_request ON recruiting.audit_log (request_id);
CREATE UNIQUE INDEX audit_log_by_sequence ON recruiting.audit_log (organization_id, sequence, occurred_at);
-- Filters of the audit log that match few of its rows. An ordinary request, which succeeds and belongs to no session of
-- the agent, is in none of these indexes: its row costs what it did.
CREATE INDEX audit_log_failures ON recruiting.audit_log (organization_id, occurred_at, id) WHERE NOT success;
CREATE INDEX audit_log_by_action ON recruiting.audit_log (organization_id, action, occurred_at, id)
    WHERE action <> 'api.request';
CREATE INDEX audit_log_by_session ON recruiting.audit_log (organization_id, session_id, occurred_at, id)
    WHERE session_id IS NOT NULL;
CREATE POLICY by_role ON recruiting.audit_log AS RESTRICTIVE FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));
-- One group commit holds rows of many organizations, so the insert can't be bound to one: rows are only ever added.
CREATE POLICY append ON recruiting.audit_log FOR INSERT TO recruiting_auth WITH CHECK (true);

-- The end of each organization's chain. An operator keeps copies of it elsewhere to find rows cut off the end.
CREATE TABLE recruiting.audit_heads (
    organization_id uuid PRIMARY KEY,
    sequence bigint NOT NULL,
    hash bytea NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT recruiting.protect_tenant_table('recruiting.audit_heads');

-- An audit row is durable as part of its batch: the services append one row per batch to audit_intake, which no index but
-- its key slows down. seal_audit_rows() moves batches into audit_log, in bulk, each row with its sequence and its hash.
CREATE TYPE recruiting.audit_event AS (
    id uuid, occurred_at timestamptz, organization_id uuid, credential_id uuid, credential_name text, actor_type text,
    actor_member_id uuid, actor_email text, actor_role text, action text, method text, endpoint text, path text,
    target_type text, target_id text, status_code smallint, success boolean, error_code text, required_scope text,
    ip_address inet, user_agent text, request_id text, session_id uuid, correlation_id uuid, duration_ms integer,
    request_count bigint);
ALTER TYPE recruiting.audit_event OWNER TO recruiting_owner;

-- Without constraints and generated columns: PostgreSQL would read their text again for each statement, which costs more
-- than the row. What audit_log would refuse is set aside when it is found. Batches are compressed: their events repeat each
-- other, and a batch is written and read once.
CREATE TABLE recruiting.audit_intake (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    event_count integer NOT NULL,
    events recruiting.audit_event[] NOT NULL
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000);
DO $$
BEGIN
    ALTER TABLE recruiting.audit_intake ALTER COLUMN events SET STORAGE MAIN, ALTER COLUMN events SET COMPRESSION lz4,
        SET (toast_tuple_target = 1024);
EXCEPTION WHEN feature_not_supported THEN
    RAISE NOTICE 'this server was built without lz4: the audit intake stays uncompressed';
    ALTER TABLE recruiting.audit_intake ALTER COLUMN events SET STORAGE EXTERNAL; -- compressing costs more than it saves
END $$;
ALTER TABLE recruiting.audit_intake OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.audit_intake TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY append ON recruiting.audit_intake FOR INSERT TO recruiting_auth WITH CHECK (true);
GRANT INSERT (events, event_count) ON recruiting.audit_intake TO recruiting_auth;

-- Batches that hold what no service writes. They would hold up all others.
CREATE TABLE recruiting.audit_set_aside (
    id bigint PRIMARY KEY,
    added_at timestamptz NOT NULL,
    events recruiting.audit_event[] NOT NULL
);
ALTER TABLE recruiting.audit_set_aside OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.audit_set_aside TO recruiting_owner USING (true) WITH CHECK (true);

-- What inserts single rows into audit_log goes through the intake.
CREATE FUNCTION recruiting.divert_audit_row() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO recruiting.audit_intake (event_count, events) VALUES (1, ARRAY[ROW(
        NEW.id, NEW.occurred_at, NEW.organization_id, NEW.credential_id, NEW.credential_name, NEW.actor_type,
        NEW.actor_member_id, NEW.actor_email, NEW.actor_role, NEW.action, NEW.method, NEW.endpoint, NEW.path,
        NEW.target_type, NEW.target_id, NEW.status_code, NEW.success, NEW.error_code, NEW.required_scope,
        NEW.ip_address, NEW.user_agent, NEW.request_id, NEW.session_id, NEW.correlation_id, NEW.duration_ms,
        NEW.request_count)::recruiting.audit_event]);
    RETURN NULL;
END $$;
ALTER FUNCTION recruiting.divert_audit_row OWNER TO recruiting_owner;
CREATE TRIGGER divert BEFORE INSERT ON recruiting.audit_log FOR EACH ROW
    WHEN (NEW.sequence IS NULL) EXECUTE FUNCTION recruiting.divert_audit_row();

-- Each row's hash, of the one before it; the first one's is given.
CREATE FUNCTION recruiting.next_audit_hash(state bytea, previous bytea, form bytea) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN sha256(coalesce(state, previous) || form);
END $$;
ALTER FUNCTION recruiting.next_audit_hash (bytea, bytea, bytea) OWNER TO recruiting_owner;
CREATE AGGREGATE recruiting.audit_hash(previous bytea, form bytea) (SFUNC = recruiting.next_audit_hash, STYPE = bytea);
ALTER AGGREGATE recruiting.audit_hash (bytea, bytea) OWNER TO recruiting_owner;

-- The partitions of audit_log with their bounds, by their names: audit_log_2026_11, audit_log_2026_11_22.
CREATE FUNCTION recruiting.audit_partitions()
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
     WHERE i.inhparent = 'recruiting.audit_log'::regclass AND p.parts IS NOT NULL
$$;
ALTER FUNCTION recruiting.audit_partitions OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.audit_partitions FROM PUBLIC;

-- One partition, made apart and attached: requests go on writing and reading the others meanwhile. The planner's setting is a
-- partition's own: with many small organizations, the audit rows of one request are looked up by the request's id (as of
-- candidates).
CREATE FUNCTION recruiting.add_audit_partition(first_day timestamp, length interval) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    added CONSTANT text := 'audit_log_' || to_char(first_day, CASE WHEN length = interval '1 day'
                                                                   THEN 'YYYY_MM_DD' ELSE 'YYYY_MM' END);
BEGIN
    EXECUTE format('CREATE TABLE recruiting.%I (LIKE recruiting.audit_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
                   added);
    EXECUTE format('ALTER TABLE recruiting.%I ALTER COLUMN organization_id SET (n_distinct = 1)', added);
    EXECUTE format('ALTER TABLE recruiting.%I ENABLE ROW LEVEL SECURITY', added);
    EXECUTE format('ALTER TABLE recruiting.%I FORCE ROW LEVEL SECURITY', added);
    EXECUTE format('CREATE POLICY owner_all ON recruiting.%I TO recruiting_owner USING (true) WITH CHECK (true)', added);
    EXECUTE format('ALTER TABLE recruiting.audit_log ATTACH PARTITION recruiting.%I FOR VALUES FROM (%L) TO (%L)', added,
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
    FOR month IN SELECT p.partition, format('SELECT EXISTS (SELECT FROM recruiting.%I)', p.partition) AS is_used
                   FROM recruiting.audit_partitions() p
                  WHERE starts_at > now() AND ends_at - starts_at > interval '2 days' LOOP
        EXECUTE month.is_used INTO used;
        CONTINUE WHEN used;
        BEGIN
            -- In the order of writers, the log itself before its partition: else they and this could wait for each other.
            EXECUTE format('LOCK TABLE ONLY recruiting.audit_log, ONLY recruiting.%I IN ACCESS EXCLUSIVE MODE',
                           month.partition);
            EXECUTE month.is_used INTO used;
            IF NOT used THEN
                EXECUTE format('DROP TABLE recruiting.%I', month.partition);
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
    moment timestamp;
    until timestamp;
    covered_to timestamp;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('recruiting.ensure_audit_partitions'));
    IF daily IS NULL THEN
        daily := coalesce((SELECT ends_at - starts_at < interval '2 days' FROM recruiting.audit_partitions()
                            ORDER BY starts_at DESC LIMIT 1), false);
    ELSIF daily THEN
        PERFORM recruiting.drop_empty_audit_months();
    END IF;
    moment := CASE WHEN daily THEN today - interval '1 day' ELSE this_month - interval '1 month' END;
    until := CASE WHEN daily THEN today + interval '32 days' ELSE this_month + interval '4 months' END;
    WHILE moment < until LOOP
        SELECT max(p.ends_at) AT TIME ZONE 'UTC' INTO covered_to FROM recruiting.audit_partitions() p
         WHERE p.starts_at <= moment AT TIME ZONE 'UTC' AND p.ends_at > moment AT TIME ZONE 'UTC';
        IF covered_to IS NOT NULL THEN
            moment := covered_to;
        ELSIF daily OR EXISTS (SELECT FROM recruiting.audit_partitions() p
                                WHERE p.ends_at > date_trunc('month', moment) AT TIME ZONE 'UTC'
                                  AND p.starts_at < (date_trunc('month', moment) + interval '1 month')
                                                    AT TIME ZONE 'UTC') THEN
            PERFORM recruiting.add_audit_partition(moment, interval '1 day');
            moment := moment + interval '1 day';
        ELSE
            PERFORM recruiting.add_audit_partition(moment, interval '1 month');
            moment := moment + interval '1 month';
        END IF;
    END LOOP;
END $$;
ALTER FUNCTION recruiting.make_audit_partitions OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.make_audit_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.make_audit_partitions TO recruiting_auth;

-- What recruitctl migrate and imports call.
CREATE FUNCTION recruiting.ensure_audit_partitions() RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT recruiting.make_audit_partitions(NULL)
$$;
ALTER FUNCTION recruiting.ensure_audit_partitions OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.ensure_audit_partitions FROM PUBLIC;
SELECT recruiting.ensure_audit_partitions();

-- After audit_log has refused rows: sets batches aside that it would refuse again, and makes partitions for times that none
-- covers. Not for times before the oldest one, for retention may have been there. PostgreSQL's clock may be wrong for a while:
-- what the audit log can take, or what was written at about its own time by the clock of the moment (added_at, which no service
-- can set), is never set aside.
CREATE FUNCTION recruiting.mend_audit_intake() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    day timestamp;
    month timestamp;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('recruiting.ensure_audit_partitions'));
    WITH refused AS (
        DELETE FROM recruiting.audit_intake i
         WHERE EXISTS (SELECT FROM unnest(i.events) AS e
                        WHERE (e.id IS NOT NULL AND e.organization_id IS NOT NULL AND e.action IS NOT NULL
                               AND e.success IS NOT NULL AND e.actor_type IN ('api_key', 'member', 'agent', 'system')
                               AND (e.occurred_at BETWEEN i.added_at - interval '1 day' AND i.added_at + interval '1 day'
                                    OR e.occurred_at < now() + interval '1 day'
                                       AND e.occurred_at >= (SELECT coalesce(min(p.starts_at), '-infinity')
                                                              FROM recruiting.audit_partitions() p)
                                    OR EXISTS (SELECT FROM recruiting.audit_partitions() p
                                                WHERE p.starts_at <= e.occurred_at AND p.ends_at > e.occurred_at))
                              ) IS NOT TRUE)
        RETURNING i.id, i.added_at, i.events
    )
    INSERT INTO recruiting.audit_set_aside SELECT * FROM refused;
    FOR day IN SELECT DISTINCT date_trunc('day', e.occurred_at AT TIME ZONE 'UTC')
                 FROM recruiting.audit_intake i CROSS JOIN LATERAL unnest(i.events) AS e ORDER BY 1 LOOP
        month := date_trunc('month', day);
        IF NOT EXISTS (SELECT FROM recruiting.audit_partitions() p
                        WHERE p.ends_at > month AT TIME ZONE 'UTC'
                          AND p.starts_at < (month + interval '1 month') AT TIME ZONE 'UTC') THEN
            PERFORM recruiting.add_audit_partition(month, interval '1 month');
        ELSIF NOT EXISTS (SELECT FROM recruiting.audit_partitions() p
                           WHERE p.starts_at <= day AT TIME ZONE 'UTC' AND p.ends_at > day AT TIME ZONE 'UTC') THEN
            PERFORM recruiting.add_audit_partition(day, interval '1 day');
        END IF;
    END LOOP;
END $$;
ALTER FUNCTION recruiting.mend_audit_intake OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.mend_audit_intake FROM PUBLIC;

-- Moves whole batches of the intake, the oldest first, until at least so many rows are moved. One transaction: killed at any
-- moment it has moved none. One at a time, so that no chain can fork; NULL: another one held the lock for too long. Both windows
-- have one order, so that the rows are sorted once. The batches are named before they are read: one that commits meanwhile, with
-- a lower id, stays for the next call.
CREATE FUNCTION recruiting.seal_audit_rows(most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' SET jit = off
    SET enable_seqscan = off SET enable_bitmapscan = off SET client_encoding = 'UTF8' AS $$
DECLARE
    batches bigint[];
    moved bigint;
BEGIN
    BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('recruiting.audit_log'));
    EXCEPTION WHEN lock_not_available THEN
        RETURN NULL;
    END;
    SELECT array_agg(s.id) INTO batches
      FROM (SELECT i.id, sum(greatest(i.event_count, 1)) OVER (ORDER BY i.id) - greatest(i.event_count, 1) AS before
              FROM (SELECT id, event_count FROM recruiting.audit_intake ORDER BY id LIMIT most) i) s
     WHERE s.before < most;
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
ALTER FUNCTION recruiting.seal_audit_rows OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.seal_audit_rows FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.seal_audit_rows TO recruiting_auth;

-- Since when the oldest row waits; NULL: none does.
CREATE FUNCTION recruiting.audit_waiting_since() RETURNS timestamptz
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT added_at FROM recruiting.audit_intake ORDER BY id LIMIT 1
$$;
ALTER FUNCTION recruiting.audit_waiting_since OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.audit_waiting_since FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.audit_waiting_since TO recruiting_auth;

-- How many rows of the organization that asks wait, of the oldest thousand batches.
CREATE FUNCTION recruiting.audit_rows_waiting() RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT count(*) FROM (SELECT events FROM recruiting.audit_intake ORDER BY id LIMIT 1000) i
     CROSS JOIN LATERAL unnest(i.events) AS e WHERE e.organization_id = recruiting.current_organization_id()
$$;
ALTER FUNCTION recruiting.audit_rows_waiting OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.audit_rows_waiting FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.audit_rows_waiting TO recruiting_auth;

-- Requests whose key is refused: revoked, expired, its owner not a member, the address not allowed. The first of them in
-- a minute are rows of the audit log; the others are counted here, in the transaction that makes them durable, and become
-- one row when the minute is over: a key that has leaked and was revoked can't fill the log.
-- counter: zero is the one that all instances share, by which the first rows are counted exactly. An instance that has
-- seen it full counts on in one of its own: no two wait for each other's commits.
CREATE TABLE recruiting.audit_refusals (
    credential_id uuid NOT NULL,
    minute timestamptz NOT NULL,
    counter uuid NOT NULL,
    organization_id uuid NOT NULL,
    requests bigint NOT NULL,
    unwritten bigint NOT NULL, -- of those, without a row of their own
    last_at timestamptz NOT NULL,
    status_code smallint, -- this and what follows: NULL where the requests differ
    error_code text,
    ip_address inet,
    PRIMARY KEY (credential_id, minute, counter)
);
ALTER TABLE recruiting.audit_refusals OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.audit_refusals TO recruiting_owner USING (true) WITH CHECK (true);

-- Counts requests and returns the ids of those that get a row of their own, single_rows per minute and key at most. Runs as
-- its owner, so that recruiting_auth can add to the counts and nothing else. Counters are locked in their order: two
-- batches with the same keys can't wait for each other.
CREATE FUNCTION recruiting.count_refused_requests(single_rows integer, counters uuid[], ids uuid[], times timestamptz[],
                                                  organizations uuid[], credentials uuid[], statuses smallint[],
                                                  errors text[], addresses inet[]) RETURNS SETOF uuid
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH event AS MATERIALIZED (
        SELECT u.*, m.minute, count(*) OVER same_counter AS together,
               row_number() OVER (same_counter ORDER BY u.at, u.id) AS place
          FROM unnest(counters, ids, times, organizations, credentials, statuses, errors, addresses)
               AS u (counter, id, at, organization_id, credential_id, status_code, error_code, ip_address)
         CROSS JOIN LATERAL (SELECT date_bin('1 minute', u.at, 'epoch'::timestamptz) AS minute) m
        WINDOW same_counter AS (PARTITION BY u.credential_id, m.minute, u.counter)
    ), counted AS (
        INSERT INTO recruiting.audit_refusals AS c
        SELECT credential_id, minute, counter, organization_id, count(*),
               CASE WHEN counter = '00000000000000000000000000000000' THEN greatest(count(*) - single_rows, 0)
                    ELSE count(*) END,
               max(at), CASE WHEN min(status_code) = max(status_code) THEN min(status_code) END,
               CASE WHEN min(error_code) = max(error_code) THEN min(error_code) END,
               CASE WHEN min(ip_address) = max(ip_address) THEN min(ip_address) END
          FROM event
         GROUP BY credential_id, minute, counter, organization_id
         ORDER BY credential_id, minute, counter
            ON CONFLICT (credential_id, minute, counter) DO UPDATE
           SET requests = c.requests + excluded.requests,
               unwritten = c.unwritten + excluded.requests
                           - CASE WHEN c.counter = '00000000000000000000000000000000'
                                  THEN greatest(least(excluded.requests, single_rows - c.requests), 0) ELSE 0 END,
               last_at = greatest(c.last_at, excluded.last_at),
               status_code = CASE WHEN c.status_code = excluded.status_code THEN c.status_code END,
               error_code = CASE WHEN c.error_code = excluded.error_code THEN c.error_code END,
               ip_address = CASE WHEN c.ip_address = excluded.ip_address THEN c.ip_address END
        RETURNING c.credential_id, c.minute, c.counter, c.requests
    )
    SELECT e.id FROM event e JOIN counted c USING (credential_id, minute, counter)
     WHERE counter = '00000000000000000000000000000000' AND c.requests - e.together + e.place <= single_rows
$$;
ALTER FUNCTION recruiting.count_refused_requests OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.count_refused_requests FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.count_refused_requests TO recruiting_auth;

-- Makes one row of each minute and key that has ended, 10 seconds later: transactions of that minute have ended by then.
-- One statement, so that each request is in the log once, however often this is called. Returns the rows written.
CREATE FUNCTION recruiting.write_refused_counts() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH ended AS (
        DELETE FROM recruiting.audit_refusals WHERE minute < clock_timestamp() - interval '70 seconds' RETURNING *
    ), of_key AS (
        SELECT credential_id, organization_id, sum(unwritten)::bigint AS requests, max(last_at) AS last_at,
               CASE WHEN count(*) = count(status_code) AND min(status_code) = max(status_code)
                    THEN min(status_code) END AS status_code,
               CASE WHEN count(*) = count(error_code) AND min(error_code) = max(error_code)
                    THEN min(error_code) END AS error_code,
               CASE WHEN count(*) = count(ip_address) AND min(ip_address) = max(ip_address)
                    THEN min(ip_address) END AS ip_address
          FROM ended
         GROUP BY credential_id, minute, organization_id
        HAVING sum(unwritten) > 0
    ), written AS (
        INSERT INTO recruiting.audit_intake (event_count, events)
        SELECT 1, ARRAY[ROW(gen_random_uuid(), r.last_at, r.organization_id, r.credential_id, k.name, 'api_key', m.id, m.email, m.role,
                         'api.request', NULL, NULL, NULL, NULL,
                         NULL, r.status_code, false, r.error_code, NULL, r.ip_address, NULL, NULL, NULL, NULL, NULL,
                         r.requests)::recruiting.audit_event]
          FROM of_key r
          LEFT JOIN recruiting.api_keys k ON k.id = r.credential_id
          LEFT JOIN recruiting.memberships m ON m.id = k.membership_id
        RETURNING id
    )
    SELECT count(*) FROM written
$$;
ALTER FUNCTION recruiting.write_refused_counts OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.write_refused_counts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.write_refused_counts TO recruiting_auth;
