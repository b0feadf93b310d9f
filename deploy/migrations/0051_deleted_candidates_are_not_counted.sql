-- What a job, a stage and a pipeline count are applications of candidates who are not deleted, as they list them.

CREATE FUNCTION recruiting.add_to_counts(moves recruiting.stage_counts[]) RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF moves IS NULL THEN
        RETURN;
    END IF;
    -- Ordered, so that two bulk changes lock the counts in one order.
    INSERT INTO recruiting.stage_counts AS c (organization_id, job_id, stage_id, status, applications)
    SELECT organization_id, job_id, stage_id, status, applications FROM unnest(moves) ORDER BY 2, 3, 4
    ON CONFLICT (job_id, stage_id, status) DO UPDATE SET applications = c.applications + excluded.applications;
    INSERT INTO recruiting.job_counts AS c (job_id, organization_id, applications)
    SELECT job_id, organization_id, sum(applications) FROM unnest(moves) GROUP BY 1, 2 HAVING sum(applications) <> 0
    ORDER BY 1
    ON CONFLICT (job_id) DO UPDATE SET applications = c.applications + excluded.applications,
                                       changed_xid = pg_current_xact_id();
END $$;

-- As in 0021, without the applications of deleted candidates.
CREATE OR REPLACE FUNCTION recruiting.count_applications() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    moves recruiting.stage_counts[];
BEGIN
    -- One branch an operation: transition tables exist only where the trigger names them.
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(x::recruiting.stage_counts) INTO moves
        FROM (SELECT a.organization_id, a.job_id, a.stage_id, a.status, count(*)
              FROM added a JOIN recruiting.candidates c ON c.id = a.candidate_id
              WHERE a.deleted_at IS NULL AND c.deleted_at IS NULL GROUP BY 1, 2, 3, 4) AS x;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(x::recruiting.stage_counts) INTO moves
        FROM (SELECT a.organization_id, a.job_id, a.stage_id, a.status, -count(*)
              FROM removed a JOIN recruiting.candidates c ON c.id = a.candidate_id
              WHERE a.deleted_at IS NULL AND c.deleted_at IS NULL GROUP BY 1, 2, 3, 4) AS x;
    ELSE
        SELECT array_agg(x::recruiting.stage_counts) INTO moves
        FROM (SELECT a.organization_id, a.job_id, a.stage_id, a.status, sum(a.n)::bigint
              FROM (SELECT *, 1 AS n FROM added UNION ALL SELECT *, -1 FROM removed) AS a
              JOIN recruiting.candidates c ON c.id = a.candidate_id
              WHERE a.deleted_at IS NULL AND c.deleted_at IS NULL
              GROUP BY 1, 2, 3, 4 HAVING sum(a.n) <> 0) AS x;
    END IF;
    PERFORM recruiting.add_to_counts(moves);
    RETURN NULL;
END $$;

CREATE FUNCTION recruiting.count_candidates() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    moves recruiting.stage_counts[];
BEGIN
    SELECT array_agg(x::recruiting.stage_counts) INTO moves
    FROM (SELECT a.organization_id, a.job_id, a.stage_id, a.status,
                 sum(CASE WHEN c.deleted_at IS NULL THEN 1 ELSE -1 END)::bigint
          FROM changed c JOIN before b ON b.id = c.id AND (b.deleted_at IS NULL) <> (c.deleted_at IS NULL)
          JOIN recruiting.applications a ON a.candidate_id = c.id AND a.deleted_at IS NULL
          GROUP BY 1, 2, 3, 4) AS x;
    PERFORM recruiting.add_to_counts(moves);
    RETURN NULL;
END $$;
-- locks: those who write candidates wait until the counts below are made; readers do not
CREATE TRIGGER count_changed AFTER UPDATE ON recruiting.candidates
    REFERENCING NEW TABLE AS changed OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.count_candidates();

-- What has been deleted until now: nobody deletes another one meanwhile.
SELECT recruiting.add_to_counts(array_agg(x::recruiting.stage_counts))
FROM (SELECT a.organization_id, a.job_id, a.stage_id, a.status, -count(*)
      FROM recruiting.candidates c JOIN recruiting.applications a ON a.candidate_id = c.id AND a.deleted_at IS NULL
      WHERE c.deleted_at IS NOT NULL GROUP BY 1, 2, 3, 4) AS x;
