-- Syncs (proto-docs/decisions/0070): every change of what a record shows brings it back, and a hiring manager's sync
-- reports what leaves their reach.

-- Who has an application on which job, with the number of the candidate's last change: read in that order by the sync of
-- a job and by a hiring manager's. A candidate whose application is gone stays, with the time: that is what is reported.
CREATE TABLE recruiting.job_candidates (
    organization_id uuid NOT NULL,
    candidate_id uuid NOT NULL REFERENCES recruiting.candidates (id) ON DELETE CASCADE,
    job_id uuid NOT NULL REFERENCES recruiting.jobs (id) ON DELETE CASCADE,
    changed_xid xid8 NOT NULL,
    left_at timestamptz,
    PRIMARY KEY (candidate_id, job_id)
);
SELECT recruiting.protect_tenant_table('recruiting.job_candidates');
CREATE INDEX job_candidates_by_change ON recruiting.job_candidates (job_id, changed_xid, candidate_id);
-- As the applications; and who has left a job is not shown to its hiring managers: they may have joined later.
CREATE POLICY by_role ON recruiting.job_candidates AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager')) AND left_at IS NULL
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.current_member_id()))));

-- Which candidates entered or left a member's reach otherwise than by an application that was added: the member joined or
-- left a hiring team, or an application was deleted while the member was on the team. One row a member, candidate and
-- job, whatever the member's role, which may change. A row is only ever made for a candidate the member could see.
CREATE TABLE recruiting.reach_changes (
    organization_id uuid NOT NULL,
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id) ON DELETE CASCADE,
    candidate_id uuid NOT NULL,
    job_id uuid NOT NULL,
    changed_xid xid8 NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (membership_id, candidate_id, job_id)
);
SELECT recruiting.protect_tenant_table('recruiting.reach_changes');
CREATE INDEX reach_changes_by_change ON recruiting.reach_changes (membership_id, changed_xid, candidate_id);
CREATE POLICY by_role ON recruiting.reach_changes AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('hiring_manager')) AND membership_id = (SELECT recruiting.current_member_id()));

-- Stamps candidates as changed by this transaction, each once and in the order of their ids, so that two bulk changes
-- lock them in one order.
CREATE FUNCTION recruiting.touch_candidates(ids uuid[]) RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE recruiting.candidates c SET changed_xid = pg_current_xact_id()
    FROM (SELECT id FROM recruiting.candidates
          WHERE id = ANY (ids) AND changed_xid <> pg_current_xact_id() ORDER BY id FOR NO KEY UPDATE) AS stale
    WHERE c.id = stale.id;
END $$;

-- A change of a candidate is a change on each of their jobs.
CREATE FUNCTION recruiting.follow_candidates() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE recruiting.job_candidates k SET changed_xid = c.changed_xid
    FROM changed c WHERE k.candidate_id = c.id AND k.left_at IS NULL AND k.changed_xid <> c.changed_xid;
    RETURN NULL;
END $$;
CREATE TRIGGER follow_changed AFTER UPDATE ON recruiting.candidates
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_candidates();

-- Every change of an application is a change of its candidate. Candidates are locked before their rows of job_candidates,
-- as a change of the candidate does. Fires after count_*, which have made the job's row of job_counts: whoever changes a
-- job's team waits there for those who change which candidates it has, so that neither misses the other.
CREATE FUNCTION recruiting.follow_applications() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    entered recruiting.job_candidates[];
    gone recruiting.job_candidates[];
    touched uuid[];
BEGIN
    -- One branch an operation: transition tables exist only where the trigger names them.
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(ROW (organization_id, candidate_id, job_id, NULL, NULL)::recruiting.job_candidates),
               array_agg(candidate_id) INTO entered, touched
        FROM added WHERE deleted_at IS NULL;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(ROW (organization_id, candidate_id, job_id, NULL, NULL)::recruiting.job_candidates),
               array_agg(candidate_id) INTO gone, touched
        FROM removed WHERE deleted_at IS NULL;
    ELSE
        SELECT array_agg(ROW (x.*, NULL, NULL)::recruiting.job_candidates) INTO entered
        FROM (SELECT organization_id, candidate_id, job_id FROM added WHERE deleted_at IS NULL
              EXCEPT SELECT organization_id, candidate_id, job_id FROM removed WHERE deleted_at IS NULL) AS x;
        SELECT array_agg(ROW (x.*, NULL, NULL)::recruiting.job_candidates) INTO gone
        FROM (SELECT organization_id, candidate_id, job_id FROM removed WHERE deleted_at IS NULL
              EXCEPT SELECT organization_id, candidate_id, job_id FROM added WHERE deleted_at IS NULL) AS x;
        SELECT array_agg(x.candidate_id) INTO touched
        FROM (SELECT candidate_id FROM added WHERE deleted_at IS NULL
              UNION SELECT candidate_id FROM removed WHERE deleted_at IS NULL) AS x;
    END IF;
    IF touched IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM recruiting.job_counts n
    WHERE n.job_id IN (SELECT job_id FROM unnest(entered) UNION SELECT job_id FROM unnest(gone))
    ORDER BY n.job_id FOR NO KEY UPDATE;
    PERFORM recruiting.touch_candidates(touched);
    INSERT INTO recruiting.job_candidates (organization_id, candidate_id, job_id, changed_xid)
    SELECT organization_id, candidate_id, job_id, pg_current_xact_id() FROM unnest(entered) ORDER BY 2, 3
    ON CONFLICT (candidate_id, job_id) DO UPDATE SET changed_xid = excluded.changed_xid, left_at = NULL;
    IF gone IS NULL THEN
        RETURN NULL;
    END IF;
    UPDATE recruiting.job_candidates k SET changed_xid = pg_current_xact_id(), left_at = clock_timestamp()
    FROM unnest(gone) AS g WHERE k.candidate_id = g.candidate_id AND k.job_id = g.job_id;
    INSERT INTO recruiting.reach_changes (organization_id, membership_id, candidate_id, job_id, changed_xid, changed_at)
    SELECT g.organization_id, t.membership_id, g.candidate_id, g.job_id, pg_current_xact_id(), clock_timestamp()
    FROM unnest(gone) AS g JOIN recruiting.hiring_teams t ON t.job_id = g.job_id
    ORDER BY 2, 3, 4
    ON CONFLICT (membership_id, candidate_id, job_id)
        DO UPDATE SET changed_xid = excluded.changed_xid, changed_at = excluded.changed_at;
    RETURN NULL;
END $$;
CREATE TRIGGER follow_added AFTER INSERT ON recruiting.applications
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_applications();
CREATE TRIGGER follow_changed AFTER UPDATE ON recruiting.applications
    REFERENCING NEW TABLE AS added OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_applications();
CREATE TRIGGER follow_removed AFTER DELETE ON recruiting.applications
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_applications();

-- Joining a hiring team brings its job's candidates into the member's reach, leaving it takes them away. Waits for
-- whoever is changing which candidates the job has (above), and then reads what they left.
CREATE FUNCTION recruiting.follow_teams() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    members recruiting.hiring_teams[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(ROW (organization_id, job_id, membership_id, role)::recruiting.hiring_teams) INTO members
        FROM added;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(ROW (organization_id, job_id, membership_id, role)::recruiting.hiring_teams) INTO members
        FROM removed;
    ELSE
        SELECT array_agg(ROW (x.*, '')::recruiting.hiring_teams) INTO members
        FROM ((SELECT organization_id, job_id, membership_id FROM added
               EXCEPT SELECT organization_id, job_id, membership_id FROM removed)
              UNION ALL
              (SELECT organization_id, job_id, membership_id FROM removed
               EXCEPT SELECT organization_id, job_id, membership_id FROM added)) AS x;
    END IF;
    INSERT INTO recruiting.job_counts AS n (job_id, organization_id, applications)
    SELECT DISTINCT job_id, organization_id, 0 FROM unnest(members) ORDER BY 1
    ON CONFLICT (job_id) DO UPDATE SET applications = n.applications;
    INSERT INTO recruiting.reach_changes (organization_id, membership_id, candidate_id, job_id, changed_xid, changed_at)
    SELECT m.organization_id, m.membership_id, k.candidate_id, k.job_id, pg_current_xact_id(), clock_timestamp()
    FROM unnest(members) AS m JOIN recruiting.job_candidates k ON k.job_id = m.job_id AND k.left_at IS NULL
    ORDER BY 2, 3, 4
    ON CONFLICT (membership_id, candidate_id, job_id)
        DO UPDATE SET changed_xid = excluded.changed_xid, changed_at = excluded.changed_at;
    RETURN NULL;
END $$;
CREATE TRIGGER follow_joined AFTER INSERT ON recruiting.hiring_teams
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_teams();
CREATE TRIGGER follow_moved AFTER UPDATE ON recruiting.hiring_teams
    REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_teams();
CREATE TRIGGER follow_left AFTER DELETE ON recruiting.hiring_teams
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_teams();

-- An application shows its stage's name.
CREATE FUNCTION recruiting.follow_stages() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM recruiting.touch_candidates(ARRAY(
        SELECT a.candidate_id FROM changed c JOIN before b ON b.id = c.id AND b.name <> c.name
        JOIN recruiting.applications a ON a.stage_id = c.id AND a.deleted_at IS NULL));
    RETURN NULL;
END $$;
CREATE TRIGGER follow_changed AFTER UPDATE ON recruiting.stages
    REFERENCING NEW TABLE AS changed OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_stages();

-- A job that is deleted or restored is a change of the applications for it.
CREATE FUNCTION recruiting.follow_jobs() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM recruiting.touch_candidates(ARRAY(
        SELECT a.candidate_id
        FROM changed c JOIN before b ON b.id = c.id AND (b.deleted_at IS NULL) <> (c.deleted_at IS NULL)
        JOIN recruiting.applications a ON a.job_id = c.id AND a.deleted_at IS NULL));
    RETURN NULL;
END $$;
CREATE TRIGGER follow_changed AFTER UPDATE ON recruiting.jobs
    REFERENCING NEW TABLE AS changed OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_jobs();

-- An application shows its next interview. As the owner: booking's worker and the holder of a link change bookings and
-- no candidates.
CREATE FUNCTION recruiting.follow_bookings() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM recruiting.touch_candidates(ARRAY(SELECT candidate_id FROM changed WHERE status = 'confirmed'));
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM recruiting.touch_candidates(ARRAY(SELECT candidate_id FROM before WHERE status = 'confirmed'));
    ELSE
        PERFORM recruiting.touch_candidates(ARRAY(
            SELECT c.candidate_id FROM changed c JOIN before b ON b.id = c.id
            WHERE 'confirmed' IN (b.status, c.status)
              AND (b.status, b.starts_at, b.ends_at, b.stage_id, b.membership_id)
                  IS DISTINCT FROM (c.status, c.starts_at, c.ends_at, c.stage_id, c.membership_id)));
    END IF;
    RETURN NULL;
END $$;
ALTER FUNCTION recruiting.follow_bookings OWNER TO recruiting_owner;
-- As for place_booking (0010): firing needs no such right, making a trigger does.
REVOKE EXECUTE ON FUNCTION recruiting.follow_bookings FROM PUBLIC;
CREATE TRIGGER follow_added AFTER INSERT ON recruiting.bookings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_bookings();
CREATE TRIGGER follow_changed AFTER UPDATE ON recruiting.bookings
    REFERENCING NEW TABLE AS changed OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_bookings();
CREATE TRIGGER follow_removed AFTER DELETE ON recruiting.bookings
    REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_bookings();

-- And the interview shows its interviewer's name.
CREATE FUNCTION recruiting.follow_users() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM recruiting.touch_candidates(ARRAY(
        SELECT b.candidate_id FROM recruiting.memberships m
        JOIN recruiting.bookings b ON b.membership_id = m.id AND b.status = 'confirmed'
                                  AND tstzrange(b.starts_at, b.ends_at) && tstzrange(now(), NULL)
        WHERE m.user_id = NEW.id));
    RETURN NULL;
END $$;
CREATE TRIGGER follow_renamed AFTER UPDATE OF name ON recruiting.users
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION recruiting.follow_users();

-- The triggers' locks are held from here on: nobody adds an application that is not copied.
INSERT INTO recruiting.job_candidates (organization_id, candidate_id, job_id, changed_xid)
SELECT a.organization_id, a.candidate_id, a.job_id, c.changed_xid
FROM recruiting.applications a JOIN recruiting.candidates c ON c.id = a.candidate_id
WHERE a.deleted_at IS NULL;
ANALYZE recruiting.job_candidates;

-- A job shows its candidateCount: a sync of jobs follows the counts too. A move changes no job's count: counted by
-- statement, so that it is not reported as one.
CREATE OR REPLACE FUNCTION recruiting.count_applications() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    moves recruiting.stage_counts[];
BEGIN
    -- One branch an operation: transition tables exist only where the trigger names them.
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(x::recruiting.stage_counts) INTO moves
        FROM (SELECT organization_id, job_id, stage_id, status, count(*)
              FROM added WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4) AS x;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(x::recruiting.stage_counts) INTO moves
        FROM (SELECT organization_id, job_id, stage_id, status, -count(*)
              FROM removed WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4) AS x;
    ELSE
        SELECT array_agg(x::recruiting.stage_counts) INTO moves
        FROM (SELECT organization_id, job_id, stage_id, status, sum(n)::bigint
              FROM (SELECT organization_id, job_id, stage_id, status, 1 AS n FROM added WHERE deleted_at IS NULL
                    UNION ALL
                    SELECT organization_id, job_id, stage_id, status, -1 FROM removed WHERE deleted_at IS NULL) AS y
              GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0) AS x;
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
    RETURN NULL;
END $$;

-- Last, for readers of these tables wait from here on.
DROP TRIGGER count_of_job ON recruiting.stage_counts;
DROP FUNCTION recruiting.count_of_job;
ALTER TABLE recruiting.job_counts ADD COLUMN changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX job_counts_by_change ON recruiting.job_counts (organization_id, changed_xid, job_id);
DROP INDEX recruiting.job_counts_by_organization;
