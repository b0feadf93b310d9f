-- Interviews in the console: members open and close slots, see what is booked, and which requests matched nobody
-- (proto-docs/console.md, proto-docs/booking.md).

-- Slots are read as the applications they are for; interviewers see their own. Until now no service read them but through
-- views of the owner.
CREATE POLICY by_role ON recruiting.interview_slots AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager'))
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.current_member_id())))
           OR ((SELECT recruiting.has_role('hiring_manager', 'interviewer'))
               AND membership_id = (SELECT recruiting.current_member_id())));

-- As in 0010; and in the console whoever holds an interview sees it, without the candidate, whom other policies keep. API
-- keys see what they saw.
ALTER POLICY by_role ON recruiting.bookings
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager'))
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.current_member_id())))
           OR (SELECT recruiting.is_worker('booking'))
           OR ((SELECT recruiting.has_role('hiring_manager', 'interviewer'))
               AND (SELECT recruiting.current_session_user_id()) IS NOT NULL
               AND membership_id = (SELECT recruiting.current_member_id())));

-- When the organization's interviewers have interviews that overlap this time, of whatever job: slots are free or taken for
-- everybody who sees them. Nothing tells with whom. Interviewers learn their own times only.
CREATE FUNCTION recruiting.interview_times(organization uuid, begins timestamptz, ends timestamptz)
    RETURNS TABLE (booking_id uuid, slot_id uuid, membership_id uuid, starts_at timestamptz, ends_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 100 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT b.id, b.slot_id, b.membership_id, b.starts_at, b.ends_at FROM recruiting.bookings b
    WHERE b.organization_id = interview_times.organization AND b.status = 'confirmed'
      AND b.starts_at < ends AND b.starts_at > begins - interval '8 hours' AND b.ends_at > begins
      AND (recruiting.is_owners_session()
           OR (b.organization_id = recruiting.current_organization_id()
               AND (recruiting.has_role('admin', 'recruiter', 'hiring_manager')
                    OR (recruiting.has_role('interviewer') AND b.membership_id = recruiting.current_member_id()))));
END;
ALTER FUNCTION recruiting.interview_times OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.interview_times FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.interview_times TO recruiting_auth;

-- What fills an interviewer's time: open slots of whatever job (with their stage), and interviews (without), whose slot may
-- be closed by now. For those who open slots.
CREATE FUNCTION recruiting.interviewer_times(interviewer uuid, begins timestamptz, ends timestamptz)
    RETURNS TABLE (stage_id uuid, starts_at timestamptz, ends_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 100 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT t.stage_id, t.starts_at, t.ends_at FROM (
        SELECT s.stage_id, s.starts_at, s.ends_at FROM recruiting.interview_slots s
        WHERE s.membership_id = interviewer AND s.closed_at IS NULL
          AND s.starts_at < interviewer_times.ends AND s.starts_at > begins - interval '8 hours' AND s.ends_at > begins
        UNION ALL
        SELECT NULL, b.starts_at, b.ends_at FROM recruiting.bookings b
        WHERE b.membership_id = interviewer AND b.status = 'confirmed'
          AND tstzrange(b.starts_at, b.ends_at) && tstzrange(begins, interviewer_times.ends)) AS t
    WHERE recruiting.is_owners_session()
       OR EXISTS (SELECT FROM recruiting.memberships m WHERE m.id = interviewer
                  AND m.organization_id = recruiting.console_organization_id('admin', 'recruiter', 'hiring_manager'));
END;
ALTER FUNCTION recruiting.interviewer_times OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.interviewer_times FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.interviewer_times TO recruiting_auth;

-- Slots are opened by admins and recruiters, and by hiring managers on the jobs whose hiring team they are on.
CREATE POLICY console_insert ON recruiting.interview_slots FOR INSERT TO recruiting_auth
    WITH CHECK ((organization_id = (SELECT recruiting.console_organization_id('admin', 'recruiter'))
                 OR (organization_id = (SELECT recruiting.console_organization_id('hiring_manager'))
                     AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                                    WHERE t.membership_id = (SELECT recruiting.console_member_id('hiring_manager')))))
                AND EXISTS (SELECT FROM recruiting.stages s
                            WHERE s.id = interview_slots.stage_id AND s.job_id = interview_slots.job_id
                              AND s.organization_id = interview_slots.organization_id)
                AND EXISTS (SELECT FROM recruiting.memberships m
                            WHERE m.id = interview_slots.membership_id AND m.status = 'active'
                              AND m.organization_id = interview_slots.organization_id));
-- And closed by the same, and by their interviewer. None is opened again.
CREATE POLICY console_close ON recruiting.interview_slots FOR UPDATE TO recruiting_auth
    USING (organization_id = (SELECT recruiting.console_organization_id('admin', 'recruiter'))
           OR (organization_id = (SELECT recruiting.console_organization_id('hiring_manager'))
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.console_member_id('hiring_manager'))))
           OR membership_id = (SELECT recruiting.console_member_id('hiring_manager', 'interviewer')))
    WITH CHECK (closed_at IS NOT NULL);
GRANT INSERT (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at, join_url), UPDATE (closed_at)
    ON recruiting.interview_slots TO recruiting_auth;

-- Those who open slots for one interviewer wait for each other, and for claims of the interviewer's time. FOR NO KEY UPDATE
-- needs a right to update; nothing passes the check.
CREATE POLICY console_lock ON recruiting.memberships FOR UPDATE TO recruiting_auth
    USING (organization_id = (SELECT recruiting.console_organization_id('recruiter', 'hiring_manager')))
    WITH CHECK (false);

-- Whether a stage can be booked, and for how long; NULL leaves what is. A function of the owner: a stage is part of its job's record (0003),
-- which no service changes.
CREATE FUNCTION recruiting.change_stage_booking(stage uuid, wanted_bookable boolean, wanted_minutes integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT recruiting.is_owners_session() AND NOT EXISTS (
        SELECT FROM recruiting.stages s
        WHERE s.id = stage
          AND (s.organization_id = recruiting.console_organization_id('admin', 'recruiter')
               OR (s.organization_id = recruiting.console_organization_id('hiring_manager')
                   AND EXISTS (SELECT FROM recruiting.hiring_teams t
                               WHERE t.job_id = s.job_id
                                 AND t.membership_id = recruiting.console_member_id('hiring_manager'))))) THEN
        RAISE EXCEPTION 'the stage is not in the session''s reach' USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE recruiting.stages
       SET bookable = coalesce(wanted_bookable, bookable),
           interview_duration_minutes = coalesce(wanted_minutes, interview_duration_minutes)
     WHERE id = stage;
END $$;
ALTER FUNCTION recruiting.change_stage_booking OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.change_stage_booking FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.change_stage_booking TO recruiting_auth;

-- Booking requests that matched nobody: recruiters see a mistyped address. The booking worker writes them with its
-- decision, long after the answer; recruiting_public has no right here. One row an address and stage, however often it
-- asks. Without foreign keys: what strangers write must not keep a stage from being deleted.
CREATE TABLE recruiting.unmatched_booking_requests (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    job_id uuid NOT NULL,
    stage_id uuid NOT NULL,
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    email_key text NOT NULL GENERATED ALWAYS AS (lower(email)) STORED,
    starts_at timestamptz NOT NULL, -- the time that was asked for last
    time_zone text CHECK (length(time_zone) <= 64),
    requests integer NOT NULL DEFAULT 1,
    first_received_at timestamptz NOT NULL,
    last_received_at timestamptz NOT NULL,
    UNIQUE (stage_id, email_key)
);
SELECT recruiting.protect_tenant_table('recruiting.unmatched_booking_requests');
CREATE INDEX unmatched_booking_requests_by_arrival
    ON recruiting.unmatched_booking_requests (organization_id, last_received_at, id);
CREATE INDEX unmatched_booking_requests_by_age ON recruiting.unmatched_booking_requests (last_received_at);
-- As bookings: whoever reaches a job's candidates.
CREATE POLICY by_role ON recruiting.unmatched_booking_requests AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager'))
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.current_member_id())))
           OR (SELECT recruiting.is_worker('booking')));
CREATE POLICY worker ON recruiting.unmatched_booking_requests TO recruiting_auth
    USING ((SELECT recruiting.is_worker('booking'))) WITH CHECK ((SELECT recruiting.is_worker('booking')));
GRANT INSERT (id, organization_id, job_id, stage_id, email, starts_at, time_zone, first_received_at, last_received_at),
      UPDATE (email, starts_at, time_zone, requests, last_received_at), DELETE
    ON recruiting.unmatched_booking_requests TO recruiting_auth;
