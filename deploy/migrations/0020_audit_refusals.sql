-- Requests whose key is refused: revoked, expired, its owner not a member, the address not allowed. The first of them in
-- a minute are rows of the audit log; the others are counted here, in the transaction that makes them durable, and become
-- one row when the minute is over. Nobody can fill the log with a key that has leaked and was revoked.
ALTER TABLE recruiting.audit_log ADD COLUMN request_count bigint; -- NULL: the row is one request, or none

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
ALTER TABLE recruiting.audit_refusals OWNER TO recruiting_owner;
ALTER TABLE recruiting.audit_refusals ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.audit_refusals FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.audit_refusals TO recruiting_owner USING (true) WITH CHECK (true);

-- Counts requests and returns the ids of those that get a row of their own, single_rows a minute and key at most. Runs as
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
-- One statement, so that each request is in the log once whoever calls this, and how often. Returns the rows written.
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
        INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, credential_name, actor_type,
                                          actor_member_id, actor_email, actor_role, action, status_code, success,
                                          error_code, ip_address, request_count)
        SELECT gen_random_uuid(), r.last_at, r.organization_id, r.credential_id, k.name, 'api_key', m.id, u.email, m.role,
               'api.request', r.status_code, false, r.error_code, r.ip_address, r.requests
          FROM of_key r
          LEFT JOIN recruiting.api_keys k ON k.id = r.credential_id
          LEFT JOIN recruiting.memberships m ON m.id = k.membership_id
          LEFT JOIN recruiting.users u ON u.id = m.user_id
        RETURNING id
    )
    SELECT count(*) FROM written
$$;
ALTER FUNCTION recruiting.write_refused_counts OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.write_refused_counts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.write_refused_counts TO recruiting_auth;
