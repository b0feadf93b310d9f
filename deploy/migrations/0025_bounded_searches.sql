-- Reads that look at few rows, whatever they are asked for.

-- The words of q, as the words of a candidate are split (terms_of_candidate): the first eight. What folds to nothing, such
-- as an accent by itself, is no word.
CREATE FUNCTION recruiting.search_words(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(array_agg(w.word ORDER BY w.place), '{}')
    FROM (SELECT s.word, min(s.place) AS place
          FROM regexp_split_to_table(recruiting.search_key(value), '[^[:alnum:]]+') WITH ORDINALITY AS s (word, place)
          WHERE s.word <> '' GROUP BY s.word ORDER BY 2 LIMIT 8) AS w;
END;

-- Whether one candidate has a word is one look-up in an index that holds all it needs, however many terms they have.
CREATE INDEX candidate_terms_of_candidate ON recruiting.candidate_terms (candidate_id, kind, term)
    INCLUDE (organization_id);
DROP INDEX recruiting.candidate_terms_by_candidate;

-- Filters of the audit log that match few of its rows. An ordinary request, which succeeds and belongs to no session of
-- the agent, is in none of these indexes: its row costs what it did.
CREATE INDEX audit_log_failures ON recruiting.audit_log (organization_id, occurred_at, id) WHERE NOT success;
CREATE INDEX audit_log_by_action ON recruiting.audit_log (organization_id, action, occurred_at, id)
    WHERE action <> 'api.request';
CREATE INDEX audit_log_by_session ON recruiting.audit_log (organization_id, session_id, occurred_at, id)
    WHERE session_id IS NOT NULL;

-- Whether a candidate is in the reach of the member who asks: one look-up per application of the candidate. It runs as its
-- owner, for the policy of applications would read all jobs of the member for each candidate; the conditions are the same.
CREATE OR REPLACE FUNCTION recruiting.has_application_in_reach(candidate uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN recruiting.has_role('hiring_manager') AND EXISTS (
        SELECT FROM recruiting.applications a
        JOIN recruiting.hiring_teams t ON t.job_id = a.job_id
        WHERE a.candidate_id = candidate AND a.deleted_at IS NULL
          AND a.organization_id = recruiting.current_organization_id()
          AND t.membership_id = recruiting.current_member_id());
END $$;
ALTER FUNCTION recruiting.has_application_in_reach OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.has_application_in_reach FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.has_application_in_reach TO recruiting_auth;

-- The first candidates of the hiring manager who asks, in the order of their creation: of each of their jobs so many, from
-- the job's index alone, and of these the first. Goes on where deleted ones were among them. Bounds that are NULL bound
-- nothing. Runs as its owner: what decides are the member's jobs, not one policy's answer for each application.
CREATE FUNCTION recruiting.first_own_candidates(descending boolean, since timestamptz, before timestamptz,
                                                after_time timestamptz, after_id uuid, most bigint) RETURNS uuid[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found uuid[] := '{}';
    page uuid[];
    last_time timestamptz := coalesce(after_time, CASE WHEN descending THEN 'infinity' ELSE '-infinity' END::timestamptz);
    last_id uuid := coalesce(after_id, CASE WHEN descending THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
                                            ELSE '00000000-0000-0000-0000-000000000000' END::uuid);
BEGIN
    IF NOT recruiting.has_role('hiring_manager') THEN
        RETURN found;
    END IF;
    LOOP
        EXECUTE format($sql$
            SELECT array_agg(u.id), (array_agg(u.place))[count(*)], (array_agg(u.id))[count(*)] FROM (
                SELECT DISTINCT p.place, p.id FROM recruiting.hiring_teams t
                CROSS JOIN LATERAL (
                    SELECT a.candidate_created_at AS place, a.candidate_id AS id FROM recruiting.applications a
                    WHERE a.job_id = t.job_id AND a.deleted_at IS NULL
                      AND a.candidate_created_at >= coalesce($1, '-infinity')
                      AND a.candidate_created_at < coalesce($2, 'infinity')
                      AND (a.candidate_created_at, a.candidate_id) %1$s ($3, $4)
                    ORDER BY a.candidate_created_at %2$s, a.candidate_id %2$s LIMIT $5) AS p
                WHERE t.membership_id = $6 AND t.organization_id = $7
                ORDER BY p.place %2$s, p.id %2$s LIMIT $5) AS u
            $sql$, CASE WHEN descending THEN '<' ELSE '>' END, CASE WHEN descending THEN 'DESC' ELSE 'ASC' END)
        INTO page, last_time, last_id
        USING since, before, last_time, last_id, most, recruiting.current_member_id(),
              recruiting.current_organization_id();
        found := found || ARRAY(SELECT c.id FROM recruiting.candidates c
                                WHERE c.id = ANY (page) AND c.deleted_at IS NULL);
        EXIT WHEN coalesce(cardinality(page), 0) < most OR cardinality(found) >= most;
    END LOOP;
    RETURN found;
END $$;
ALTER FUNCTION recruiting.first_own_candidates OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.first_own_candidates FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.first_own_candidates TO recruiting_auth;
