-- Work that grew with the number of organizations, however few of them it concerned.

-- As in 0029, but in the order in which sessions were used last, not organization by organization.
CREATE OR REPLACE FUNCTION recruiting.drop_agent_sessions(older_than interval, most bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    boundary CONSTANT timestamptz := now() - older_than;
    ended uuid[];
BEGIN
    IF (boundary <= now() - interval '1 day') IS NOT TRUE THEN
        RAISE EXCEPTION 'sessions of the agent are kept for at least 1 day' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT array_agg(found.id) INTO ended
      FROM (SELECT a.id FROM recruiting.agent_sessions a
             WHERE a.last_run_at < boundary
               AND NOT EXISTS (SELECT FROM recruiting.agent_runs r WHERE r.session_id = a.id
                                  AND (r.finished_at >= boundary) IS NOT FALSE)
             ORDER BY a.last_run_at LIMIT most FOR UPDATE SKIP LOCKED) found;
    DELETE FROM recruiting.agent_messages WHERE session_id = ANY (ended);
    DELETE FROM recruiting.agent_runs WHERE session_id = ANY (ended);
    DELETE FROM recruiting.agent_sessions WHERE id = ANY (ended);
    RETURN coalesce(cardinality(ended), 0);
END $$;

-- As in 0038, but only chains that lose rows are looked at, and mostly without the other partitions: where the lost rows and
-- the kept seals are all numbers up to the last lost one, the next number is the first that remains. Sealing waits meanwhile.
CREATE OR REPLACE FUNCTION recruiting.keep_audit_chain_starts(boundary timestamptz) RETURNS void
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

-- The last id of each page of published organizations, for public-api: with both ends given, a page is read without all
-- organizations that follow it (no ORDER BY … LIMIT is planned into the view, which is a security barrier).
CREATE FUNCTION recruiting.published_pages(size integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT o.id FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM recruiting.published_organizations) o
     WHERE o.place % size = 0 ORDER BY o.id
$$;
ALTER FUNCTION recruiting.published_pages OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.published_pages FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.published_pages TO recruiting_public;

-- Plans serve every organization and are made for the average one. With many small ones, PostgreSQL looked through all rows of
-- the organization instead of looking up those of an id or a word, which in a large one are a thousand times as many. It now
-- plans as if all rows were of one organization.
-- locks: settings of the planner; they wait for VACUUM and nothing waits for them
ALTER TABLE recruiting.candidates ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE recruiting.candidate_terms ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE recruiting.applications ALTER COLUMN organization_id SET (n_distinct = 1);
ALTER TABLE recruiting.jobs ALTER COLUMN organization_id SET (n_distinct = 1);
ANALYZE recruiting.candidates, recruiting.candidate_terms, recruiting.applications, recruiting.jobs;
