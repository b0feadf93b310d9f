-- What is deleted, has become another's or was read in a wider role is no longer shown: to copies that follow syncs,
-- behind the links of interviewers, in the agent's conversations.

-- A sync sends nothing of a candidate who was deleted before the copy began. Whatever happens to a deleted candidate's
-- applications and teams keeps the number of the deletion (decision 0070): copies older than the deletion get it once, by
-- that number, and younger ones never. A restored candidate is stamped by its own change, which brings everything.

-- The candidates are locked first and read then: one that is being restored is waited for.
CREATE OR REPLACE FUNCTION recruiting.touch_candidates(ids uuid[]) RETURNS void LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM recruiting.candidates
    WHERE id = ANY (ids) AND changed_xid <> pg_current_xact_id() ORDER BY id FOR NO KEY UPDATE;
    UPDATE recruiting.candidates SET changed_xid = pg_current_xact_id()
    WHERE id = ANY (ids) AND changed_xid <> pg_current_xact_id() AND deleted_at IS NULL;
END $$;

-- As in 0021, but for deleted candidates, which touch_candidates has locked.
CREATE OR REPLACE FUNCTION recruiting.follow_applications() RETURNS trigger LANGUAGE plpgsql
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
    SELECT e.organization_id, e.candidate_id, e.job_id,
           CASE WHEN c.deleted_at IS NULL THEN pg_current_xact_id() ELSE c.changed_xid END
    FROM unnest(entered) AS e JOIN recruiting.candidates c ON c.id = e.candidate_id ORDER BY 2, 3
    ON CONFLICT (candidate_id, job_id) DO UPDATE SET changed_xid = excluded.changed_xid, left_at = NULL;
    IF gone IS NULL THEN
        RETURN NULL;
    END IF;
    UPDATE recruiting.job_candidates k
    SET changed_xid = CASE WHEN c.deleted_at IS NULL THEN pg_current_xact_id() ELSE c.changed_xid END,
        left_at = clock_timestamp()
    FROM unnest(gone) AS g LEFT JOIN recruiting.candidates c ON c.id = g.candidate_id
    WHERE k.candidate_id = g.candidate_id AND k.job_id = g.job_id;
    INSERT INTO recruiting.reach_changes (organization_id, membership_id, candidate_id, job_id, changed_xid, changed_at)
    SELECT g.organization_id, t.membership_id, g.candidate_id, g.job_id,
           CASE WHEN c.deleted_at IS NULL THEN pg_current_xact_id() ELSE c.changed_xid END, clock_timestamp()
    FROM unnest(gone) AS g JOIN recruiting.hiring_teams t ON t.job_id = g.job_id
    LEFT JOIN recruiting.candidates c ON c.id = g.candidate_id
    ORDER BY 2, 3, 4
    ON CONFLICT (membership_id, candidate_id, job_id)
        DO UPDATE SET changed_xid = excluded.changed_xid, changed_at = excluded.changed_at;
    RETURN NULL;
END $$;

-- As in 0021, but a deleted candidate enters nobody's reach, and leaves it with the number of the deletion.
CREATE OR REPLACE FUNCTION recruiting.follow_teams() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    joined recruiting.hiring_teams[];
    parted recruiting.hiring_teams[];
BEGIN
    -- One branch an operation: transition tables exist only where the trigger names them.
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(ROW (organization_id, job_id, membership_id, role)::recruiting.hiring_teams) INTO joined
        FROM added;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(ROW (organization_id, job_id, membership_id, role)::recruiting.hiring_teams) INTO parted
        FROM removed;
    ELSE
        SELECT array_agg(ROW (x.*, '')::recruiting.hiring_teams) INTO joined
        FROM (SELECT organization_id, job_id, membership_id FROM added
              EXCEPT SELECT organization_id, job_id, membership_id FROM removed) AS x;
        SELECT array_agg(ROW (x.*, '')::recruiting.hiring_teams) INTO parted
        FROM (SELECT organization_id, job_id, membership_id FROM removed
              EXCEPT SELECT organization_id, job_id, membership_id FROM added) AS x;
    END IF;
    INSERT INTO recruiting.job_counts AS n (job_id, organization_id, applications)
    SELECT DISTINCT job_id, organization_id, 0 FROM unnest(joined || parted) ORDER BY 1
    ON CONFLICT (job_id) DO UPDATE SET applications = n.applications;
    -- Whoever is restoring one of the deleted candidates is waited for: once live, they enter the reach as others do.
    PERFORM FROM recruiting.candidates c
    WHERE c.deleted_at IS NOT NULL
      AND c.id IN (SELECT k.candidate_id FROM unnest(joined || parted) AS m
                   JOIN recruiting.job_candidates k ON k.job_id = m.job_id AND k.left_at IS NULL)
    ORDER BY c.id FOR NO KEY UPDATE;
    INSERT INTO recruiting.reach_changes (organization_id, membership_id, candidate_id, job_id, changed_xid, changed_at)
    SELECT m.organization_id, m.membership_id, k.candidate_id, k.job_id,
           CASE WHEN c.deleted_at IS NULL THEN pg_current_xact_id() ELSE c.changed_xid END, clock_timestamp()
    FROM (SELECT *, true AS joins FROM unnest(joined) UNION ALL SELECT *, false FROM unnest(parted)) AS m
    JOIN recruiting.job_candidates k ON k.job_id = m.job_id AND k.left_at IS NULL
    JOIN recruiting.candidates c ON c.id = k.candidate_id AND NOT (m.joins AND c.deleted_at IS NOT NULL)
    ORDER BY 2, 3, 4
    ON CONFLICT (membership_id, candidate_id, job_id)
        DO UPDATE SET changed_xid = excluded.changed_xid, changed_at = excluded.changed_at;
    RETURN NULL;
END $$;

-- The link mailed to an interviewer joins while the interview is theirs and they are a member. NULL: the candidate's,
-- or one mailed before this.
ALTER TABLE recruiting.booking_tokens ADD COLUMN membership_id uuid REFERENCES recruiting.memberships (id);
CREATE OR REPLACE VIEW recruiting.presented_meeting WITH (security_barrier) AS
SELECT b.status, b.starts_at, b.ends_at, b.time_zone, b.language, p.told_starts_at <> b.starts_at AS moved,
       (SELECT w.url FROM recruiting.meetings w WHERE w.booking_id = b.id) AS url,
       j.title AS job_title, s.name AS stage_name, o.name AS organization_name, o.slug AS organization_slug, o.logo_url
FROM recruiting.presented_join() p
JOIN recruiting.bookings b ON b.id = p.booking_id
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id
WHERE NOT EXISTS (SELECT FROM recruiting.booking_tokens t
                  WHERE (t.hash = recruiting.current_booking_token() OR t.join_hash = recruiting.current_booking_token())
                    AND t.membership_id IS NOT NULL
                    AND NOT EXISTS (SELECT FROM recruiting.memberships i
                                    WHERE i.id = t.membership_id AND i.id = b.membership_id AND i.status = 'active'));

-- As in 0022, but an address of a slot that no browser is sent to (libs/mail/meeting_url.hpp) hides no other: before
-- there were join links, any could be set.
CREATE OR REPLACE VIEW recruiting.meetings WITH (security_barrier) AS
SELECT b.id AS booking_id,
       coalesce(CASE WHEN s.join_url ~ '^https://[^/?#:@][^/?#@]*([/?#]|$)' AND s.join_url ~ '^[\u0021-\u007e]+$'
                      AND s.join_url !~ '["<>\\^`]' AND length(s.join_url) <= 2000 THEN s.join_url END,
                m.join_url, replace(o.room_url, '{room}', replace(b.room::text, '-', '')), b.room_url) AS url
FROM recruiting.bookings b
JOIN recruiting.organizations o ON o.id = b.organization_id
LEFT JOIN recruiting.interview_slots s ON s.id = b.slot_id
LEFT JOIN recruiting.memberships m ON m.id = b.membership_id
WHERE b.status = 'confirmed';

-- The narrowest role that is shown as much as the tools of a run have read. NULL: a program of the version before wrote
-- the run, and the names of its tools stand for it. For older runs, the audit log has the role in which each began.
ALTER TABLE recruiting.agent_runs ADD COLUMN tool_role text
    CHECK (tool_role IN ('admin', 'recruiter', 'hiring_manager', 'interviewer', 'viewer'));
UPDATE recruiting.agent_runs r SET tool_role = CASE
    WHEN s.actor_role = 'admin' AND s.tools && ARRAY['list_api_keys', 'revoke_api_key'] THEN 'admin'
    WHEN s.actor_role IN ('admin', 'recruiter')
         AND s.tools && ARRAY['search_candidates', 'get_candidate', 'get_pipeline'] THEN 'recruiter'
    ELSE 'viewer' END
FROM (SELECT b.id,
             ARRAY(SELECT m.tool_name FROM recruiting.agent_messages m
                   WHERE m.run_id = b.id AND m.role = 'tool' AND m.content NOT LIKE '{"error":%') AS tools,
             (SELECT a.actor_role FROM recruiting.audit_log a
              WHERE a.organization_id = b.organization_id AND a.actor_member_id = b.membership_id
                AND a.occurred_at BETWEEN b.started_at - interval '1 minute' AND b.started_at + interval '1 minute'
                AND a.action = 'agent.run_started' AND a.correlation_id = b.id LIMIT 1) AS actor_role
      FROM recruiting.agent_runs b WHERE b.tool_call_count > 0) AS s
WHERE r.id = s.id AND s.actor_role IS NOT NULL;

-- A pipeline also shows who interviews. These runs recorded too few scopes: the names of their tools stand for them.
UPDATE recruiting.agent_runs SET tool_scopes = NULL WHERE tool_scopes @> '{pipeline:read}';
