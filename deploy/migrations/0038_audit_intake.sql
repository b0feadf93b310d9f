-- An audit row is durable as part of its batch: the services append one row a batch to audit_intake, which no index but
-- its key slows down. seal_audit_rows() moves batches into audit_log, in bulk, each row with its sequence and its hash.
-- Existing rows get theirs from audit_seals (0039). The sealer of the version before fails from here on; its programs
-- otherwise work, but do not show rows that wait: 0039 seals meanwhile.

CREATE TYPE recruiting.audit_event AS (
    id uuid, occurred_at timestamptz, organization_id uuid, credential_id uuid, credential_name text, actor_type text,
    actor_member_id uuid, actor_email text, actor_role text, action text, method text, endpoint text, path text,
    target_type text, target_id text, status_code smallint, success boolean, error_code text, required_scope text,
    ip_address inet, user_agent text, request_id text, session_id uuid, correlation_id uuid, duration_ms integer,
    request_count bigint);
ALTER TYPE recruiting.audit_event OWNER TO recruiting_owner;

-- Without constraints and generated columns: PostgreSQL would read their text again for each statement, which costs more
-- than the row. What audit_log would refuse is set aside when it is found.
CREATE TABLE recruiting.audit_intake (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    event_count integer NOT NULL,
    events recruiting.audit_event[] NOT NULL
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000);
ALTER TABLE recruiting.audit_intake ALTER COLUMN events SET STORAGE EXTERNAL; -- compressing costs more than it saves
ALTER TABLE recruiting.audit_intake OWNER TO recruiting_owner;
ALTER TABLE recruiting.audit_intake ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.audit_intake FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.audit_intake TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY append ON recruiting.audit_intake FOR INSERT TO recruiting_auth WITH CHECK (true);
GRANT INSERT (events, event_count) ON recruiting.audit_intake TO recruiting_auth;

-- Batches that hold what no service writes (recruitctl doctor tells). They would hold up all others.
CREATE TABLE recruiting.audit_set_aside (
    id bigint PRIMARY KEY,
    added_at timestamptz NOT NULL,
    events recruiting.audit_event[] NOT NULL
);
ALTER TABLE recruiting.audit_set_aside OWNER TO recruiting_owner;
ALTER TABLE recruiting.audit_set_aside ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.audit_set_aside FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.audit_set_aside TO recruiting_owner USING (true) WITH CHECK (true);

ALTER TABLE recruiting.audit_log DROP COLUMN inserted_xid; -- and its index
ALTER TABLE recruiting.audit_log DROP CONSTRAINT audit_log_pkey;
ALTER TABLE recruiting.audit_log ADD COLUMN sequence bigint, ADD COLUMN hash bytea;

-- What inserts single rows into audit_log goes on doing so.
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

REVOKE INSERT ON recruiting.audit_log FROM recruiting_auth;
GRANT INSERT (id, occurred_at, organization_id, credential_id, credential_name, actor_type, actor_member_id, actor_email,
              actor_role, action, method, endpoint, path, target_type, target_id, status_code, success, error_code,
              required_scope, ip_address, user_agent, request_id, session_id, correlation_id, duration_ms, request_count)
    ON recruiting.audit_log TO recruiting_auth;

-- The sealer was a service; now it is the database's owner alone.
DROP POLICY sealer ON recruiting.audit_log;
DROP POLICY sealer ON recruiting.audit_seals;
DROP POLICY append ON recruiting.audit_seals;
DROP POLICY sealer ON recruiting.audit_heads;
DROP POLICY by_role ON recruiting.audit_log;
CREATE POLICY by_role ON recruiting.audit_log AS RESTRICTIVE FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));
DROP POLICY by_role ON recruiting.audit_seals;
CREATE POLICY by_role ON recruiting.audit_seals AS RESTRICTIVE FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin')));
REVOKE INSERT ON recruiting.audit_seals FROM recruiting_auth;
REVOKE INSERT, UPDATE ON recruiting.audit_heads FROM recruiting_auth;
DROP FUNCTION recruiting.restart_sealer;
DROP FUNCTION recruiting.sealer_was_restored;
DROP TABLE recruiting.audit_sealer;

CREATE FUNCTION recruiting.next_audit_hash(state bytea, previous bytea, form text) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN sha256(coalesce(state, previous) || convert_to(form, 'UTF8'));
END $$;
ALTER FUNCTION recruiting.next_audit_hash OWNER TO recruiting_owner;
-- Each row's hash, of the one before it; the first one's is given.
CREATE AGGREGATE recruiting.audit_hash(previous bytea, form text) (SFUNC = recruiting.next_audit_hash, STYPE = bytea);
ALTER AGGREGATE recruiting.audit_hash (bytea, text) OWNER TO recruiting_owner;

-- After audit_log has refused rows: sets batches aside that it would refuse again, and makes partitions for times that none
-- covers. Not for times before the oldest one, for retention may have been there.
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
                               AND e.occurred_at < now() + interval '1 day'
                               AND e.occurred_at >= (SELECT coalesce(min(p.starts_at), '-infinity')
                                                      FROM recruiting.audit_partitions('audit_log') p)
                              ) IS NOT TRUE)
        RETURNING i.id, i.added_at, i.events
    )
    INSERT INTO recruiting.audit_set_aside SELECT * FROM refused;
    FOR day IN SELECT DISTINCT date_trunc('day', e.occurred_at AT TIME ZONE 'UTC')
                 FROM recruiting.audit_intake i CROSS JOIN LATERAL unnest(i.events) AS e ORDER BY 1 LOOP
        month := date_trunc('month', day);
        IF NOT EXISTS (SELECT FROM recruiting.audit_partitions('audit_log') p
                        WHERE p.ends_at > month AT TIME ZONE 'UTC'
                          AND p.starts_at < (month + interval '1 month') AT TIME ZONE 'UTC') THEN
            PERFORM recruiting.add_audit_partition('audit_log', month, interval '1 month');
        ELSIF NOT EXISTS (SELECT FROM recruiting.audit_partitions('audit_log') p
                           WHERE p.starts_at <= day AT TIME ZONE 'UTC' AND p.ends_at > day AT TIME ZONE 'UTC') THEN
            PERFORM recruiting.add_audit_partition('audit_log', day, interval '1 day');
        END IF;
    END LOOP;
END $$;
ALTER FUNCTION recruiting.mend_audit_intake OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.mend_audit_intake FROM PUBLIC;

-- Moves whole batches of the intake, the oldest first, until at least so many rows are moved. One transaction: killed at any
-- moment it has moved none. One at a time, so that no chain can fork; NULL: another one held the lock for too long.
CREATE FUNCTION recruiting.seal_audit_rows(most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' SET jit = off
    SET enable_seqscan = off AS $$
DECLARE
    upto bigint;
    moved bigint;
BEGIN
    BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('recruiting.audit_log'));
    EXCEPTION WHEN lock_not_available THEN
        RETURN NULL;
    END;
    SELECT max(s.id) INTO upto
      FROM (SELECT i.id, sum(greatest(i.event_count, 1)) OVER (ORDER BY i.id) - greatest(i.event_count, 1) AS before
              FROM (SELECT id, event_count FROM recruiting.audit_intake ORDER BY id LIMIT most) i) s
     WHERE s.before < most;
    IF upto IS NULL THEN
        RETURN 0;
    END IF;
    FOR attempt IN 1..2 LOOP
        BEGIN
            WITH batch AS (
                DELETE FROM recruiting.audit_intake WHERE id <= upto RETURNING id, events
            ), numbered AS (
                SELECT e.*, coalesce(h.sequence, 0) + row_number() OVER in_order AS sequence,
                       coalesce(h.hash, decode(repeat('00', 32), 'hex')) AS hash_before
                  FROM batch b CROSS JOIN LATERAL unnest(b.events) WITH ORDINALITY AS e
                  LEFT JOIN recruiting.audit_heads h ON h.organization_id = e.organization_id
                WINDOW in_order AS (PARTITION BY e.organization_id ORDER BY b.id, e.ordinality)
            ), formed AS ( -- the canonical form of a row (proto-docs/audit_chain.md): a line is name=LENGTH:VALUE, or name=- of NULL
                SELECT n.*, concat(
                    'recruiting.audit/', CASE WHEN request_count IS NULL THEN 1 ELSE 2 END,
                    E'\nsequence=', length(sequence::text), ':', sequence,
                    E'\nid=', coalesce('32:' || replace(id::text, '-', ''), '-'),
                    E'\noccurred_at=27:', to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                    E'\norganization_id=', coalesce('32:' || replace(organization_id::text, '-', ''), '-'),
                    E'\ncredential_id=', coalesce('32:' || replace(credential_id::text, '-', ''), '-'),
                    E'\ncredential_name=', octet_length(credential_name), coalesce(':' || credential_name, '-'),
                    E'\nactor_type=', octet_length(actor_type), coalesce(':' || actor_type, '-'),
                    E'\nactor_member_id=', coalesce('32:' || replace(actor_member_id::text, '-', ''), '-'),
                    E'\nactor_email=', octet_length(actor_email), coalesce(':' || actor_email, '-'),
                    E'\nactor_role=', octet_length(actor_role), coalesce(':' || actor_role, '-'),
                    E'\naction=', octet_length(action), coalesce(':' || action, '-'),
                    E'\nmethod=', octet_length(method), coalesce(':' || method, '-'),
                    E'\nendpoint=', octet_length(endpoint), coalesce(':' || endpoint, '-'),
                    E'\npath=', octet_length(path), coalesce(':' || path, '-'),
                    E'\ntarget_type=', octet_length(target_type), coalesce(':' || target_type, '-'),
                    E'\ntarget_id=', octet_length(target_id), coalesce(':' || target_id, '-'),
                    E'\nstatus_code=', octet_length(status_code::text), coalesce(':' || status_code::text, '-'),
                    E'\nsuccess=', octet_length(success::text), coalesce(':' || success::text, '-'),
                    E'\nerror_code=', octet_length(error_code), coalesce(':' || error_code, '-'),
                    E'\nrequired_scope=', octet_length(required_scope), coalesce(':' || required_scope, '-'),
                    E'\nip_address=', octet_length(ip_address::text), coalesce(':' || ip_address::text, '-'),
                    E'\nuser_agent=', octet_length(user_agent), coalesce(':' || user_agent, '-'),
                    E'\nrequest_id=', octet_length(request_id), coalesce(':' || request_id, '-'),
                    E'\nsession_id=', coalesce('32:' || replace(session_id::text, '-', ''), '-'),
                    E'\ncorrelation_id=', coalesce('32:' || replace(correlation_id::text, '-', ''), '-'),
                    E'\nduration_ms=', octet_length(duration_ms::text), coalesce(':' || duration_ms::text, '-'),
                    E'\nrequest_count=' || length(request_count::text)::text || ':' || request_count::text, E'\n') AS form
                  FROM numbered n
            ), written AS (
                INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, credential_name,
                    actor_type, actor_member_id, actor_email, actor_role, action, method, endpoint, path, target_type,
                    target_id, status_code, success, error_code, required_scope, ip_address, user_agent, request_id,
                    session_id, correlation_id, duration_ms, request_count, sequence, hash)
                SELECT id, occurred_at, organization_id, credential_id, credential_name, actor_type, actor_member_id,
                       actor_email, actor_role, action, method, endpoint, path, target_type, target_id, status_code,
                       success, error_code, required_scope, ip_address, user_agent, request_id, session_id,
                       correlation_id, duration_ms, request_count, sequence,
                       recruiting.audit_hash(hash_before, form) OVER (PARTITION BY organization_id ORDER BY sequence
                                                                      ROWS UNBOUNDED PRECEDING)
                  FROM formed
                RETURNING organization_id, sequence, hash
            ), ended AS (
                INSERT INTO recruiting.audit_heads AS h (organization_id, sequence, hash)
                SELECT DISTINCT ON (organization_id) organization_id, sequence, hash FROM written
                 ORDER BY organization_id, sequence DESC
                    ON CONFLICT (organization_id) DO UPDATE
                   SET sequence = excluded.sequence, hash = excluded.hash, updated_at = clock_timestamp()
            )
            SELECT count(*) INTO moved FROM written;
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

-- As in 0020, except that the rows go into the intake.
CREATE OR REPLACE FUNCTION recruiting.write_refused_counts() RETURNS bigint
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
        SELECT 1, ARRAY[ROW(gen_random_uuid(), r.last_at, r.organization_id, r.credential_id, k.name, 'api_key', m.id, u.email, m.role, 'api.request', NULL, NULL, NULL, NULL,
                         NULL, r.status_code, false, r.error_code, NULL, r.ip_address, NULL, NULL, NULL, NULL, NULL,
                         r.requests)::recruiting.audit_event]
          FROM of_key r
          LEFT JOIN recruiting.api_keys k ON k.id = r.credential_id
          LEFT JOIN recruiting.memberships m ON m.id = k.membership_id
          LEFT JOIN recruiting.users u ON u.id = m.user_id
        RETURNING id
    )
    SELECT count(*) FROM written
$$;

-- Only audit_log has partitions from here on.
CREATE OR REPLACE FUNCTION recruiting.make_audit_partitions(by_day boolean) RETURNS void
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
        daily := coalesce((SELECT ends_at - starts_at < interval '2 days' FROM recruiting.audit_partitions('audit_log')
                            ORDER BY starts_at DESC LIMIT 1), false);
    ELSIF daily THEN
        PERFORM recruiting.drop_empty_audit_months();
    END IF;
    moment := CASE WHEN daily THEN today - interval '1 day' ELSE this_month - interval '1 month' END;
    until := CASE WHEN daily THEN today + interval '32 days' ELSE this_month + interval '4 months' END;
    WHILE moment < until LOOP
        SELECT max(p.ends_at) AT TIME ZONE 'UTC' INTO covered_to FROM recruiting.audit_partitions('audit_log') p
         WHERE p.starts_at <= moment AT TIME ZONE 'UTC' AND p.ends_at > moment AT TIME ZONE 'UTC';
        IF covered_to IS NOT NULL THEN
            moment := covered_to;
        ELSIF daily OR EXISTS (SELECT FROM recruiting.audit_partitions('audit_log') p
                                WHERE p.ends_at > date_trunc('month', moment) AT TIME ZONE 'UTC'
                                  AND p.starts_at < (date_trunc('month', moment) + interval '1 month')
                                                    AT TIME ZONE 'UTC') THEN
            PERFORM recruiting.add_audit_partition('audit_log', moment, interval '1 day');
            moment := moment + interval '1 day';
        ELSE
            PERFORM recruiting.add_audit_partition('audit_log', moment, interval '1 month');
            moment := moment + interval '1 month';
        END IF;
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION recruiting.drop_empty_audit_months() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
    month record;
    used boolean;
BEGIN
    FOR month IN SELECT p.partition, format('SELECT EXISTS (SELECT FROM recruiting.%I)', p.partition) AS is_used
                   FROM recruiting.audit_partitions('audit_log') p
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

-- The hash of a dropped row that a remaining one continues stays known: as the chain's start, or as a kept seal.
ALTER TABLE recruiting.audit_seals_kept DROP COLUMN previous_hash;
CREATE OR REPLACE FUNCTION recruiting.keep_audit_chain_starts(boundary timestamptz) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO recruiting.audit_seals_kept (organization_id, sequence, audit_id, occurred_at, hash)
    SELECT d.organization_id, d.sequence, d.id, d.occurred_at, d.hash
      FROM recruiting.audit_heads h
     CROSS JOIN LATERAL (SELECT r.sequence FROM recruiting.audit_log r
                          WHERE r.organization_id = h.organization_id AND r.sequence IS NOT NULL
                            AND r.occurred_at >= boundary
                          ORDER BY r.sequence LIMIT 1) first
      JOIN recruiting.audit_log d ON d.organization_id = h.organization_id AND d.sequence > first.sequence
                                 AND d.occurred_at < boundary
        ON CONFLICT DO NOTHING;
    INSERT INTO recruiting.audit_chain_starts AS s (organization_id, sequence, hash, dropped_before)
    SELECT h.organization_id, coalesce(first.sequence - 1, h.sequence), coalesce(last.hash, kept.hash, h.hash), boundary
      FROM recruiting.audit_heads h
      LEFT JOIN LATERAL (SELECT r.sequence FROM recruiting.audit_log r
                          WHERE r.organization_id = h.organization_id AND r.sequence IS NOT NULL
                            AND r.occurred_at >= boundary
                          ORDER BY r.sequence LIMIT 1) first ON true
      LEFT JOIN LATERAL (SELECT r.hash FROM recruiting.audit_log r
                          WHERE r.organization_id = h.organization_id AND r.sequence = first.sequence - 1
                          LIMIT 1) last ON true
      LEFT JOIN recruiting.audit_seals_kept kept ON kept.organization_id = h.organization_id
                                                AND kept.sequence = first.sequence - 1
      LEFT JOIN recruiting.audit_chain_starts already ON already.organization_id = h.organization_id
     WHERE coalesce(first.sequence, h.sequence + 1) > greatest(1, already.sequence + 1)
        ON CONFLICT (organization_id) DO UPDATE
       SET sequence = excluded.sequence, hash = excluded.hash, dropped_before = excluded.dropped_before,
           updated_at = clock_timestamp();
    UPDATE recruiting.audit_chain_starts SET dropped_before = boundary WHERE dropped_before < boundary;
    DELETE FROM recruiting.audit_seals_kept k USING recruiting.audit_chain_starts s
     WHERE k.organization_id = s.organization_id AND k.sequence <= s.sequence;
$$;

CREATE OR REPLACE FUNCTION recruiting.drop_audit_months(older_than interval) RETURNS integer
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
    FOR past IN SELECT * FROM recruiting.audit_partitions('audit_log') WHERE ends_at <= now() - older_than
                 ORDER BY ends_at LOOP
        IF EXISTS (SELECT FROM recruiting.audit_intake i CROSS JOIN LATERAL unnest(i.events) AS e
                    WHERE e.occurred_at < past.ends_at)
           OR EXISTS (SELECT FROM recruiting.audit_partitions('audit_seals')) THEN -- migration 0039 has not ended
            RAISE EXCEPTION '% holds rows that are not sealed yet', past.partition
                USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        PERFORM recruiting.keep_audit_chain_starts(past.ends_at);
        EXECUTE format('DROP TABLE recruiting.%I', past.partition);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END $$;

-- Moves sequences and hashes of one partition of audit_seals into its rows, some pages a transaction. Rows that have no seal
-- go to the intake. Can be interrupted and called again; both tables stay readable.
CREATE PROCEDURE recruiting.merge_audit_seals(month text) LANGUAGE plpgsql AS $$
DECLARE
    pages bigint;
    page bigint := 0;
    step CONSTANT bigint := 500;
BEGIN
    SELECT pg_relation_size(format('recruiting.%I', month)::regclass) / current_setting('block_size')::bigint INTO pages;
    WHILE page <= pages LOOP
        PERFORM set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true);
        EXECUTE format('UPDATE recruiting.%I l SET sequence = s.sequence, hash = s.hash FROM recruiting.audit_seals s '
                       'WHERE l.ctid >= $1 AND l.ctid < $2 AND l.sequence IS NULL '
                       'AND s.audit_id = l.id AND s.occurred_at = l.occurred_at', month)
          USING format('(%s,0)', page)::tid, format('(%s,0)', page + step)::tid;
        EXECUTE format('WITH unsealed AS (DELETE FROM recruiting.%I WHERE ctid >= $1 AND ctid < $2 AND sequence IS NULL '
                       'RETURNING ROW(id, occurred_at, organization_id, credential_id, credential_name, actor_type, '
                       'actor_member_id, actor_email, actor_role, action, method, endpoint, path, target_type, target_id, '
                       'status_code, success, error_code, required_scope, ip_address, user_agent, request_id, session_id, '
                       'correlation_id, duration_ms, request_count)::recruiting.audit_event AS event) '
                       'INSERT INTO recruiting.audit_intake (event_count, events) SELECT count(*), '
                       'array_agg(event ORDER BY (event).id) FROM unsealed HAVING count(*) > 0', month)
          USING format('(%s,0)', page)::tid, format('(%s,0)', page + step)::tid;
        PERFORM recruiting.seal_audit_rows(20000); -- for programs of the version before, which do not
        COMMIT;
        page := page + step;
    END LOOP;
END $$;
ALTER PROCEDURE recruiting.merge_audit_seals OWNER TO recruiting_owner;
REVOKE EXECUTE ON PROCEDURE recruiting.merge_audit_seals FROM PUBLIC;
