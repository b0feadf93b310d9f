-- Interview booking (design: Public API, Booking). The public side sees the schedule and adds requests; a worker with
-- candidates in its reach matches them. The token of an e-mailed link reaches that one booking.
CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA recruiting; -- uuid = in an exclusion constraint

CREATE FUNCTION recruiting.current_booking_token() RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
    RETURN decode(nullif(current_setting('recruiting.booking_token', true), ''), 'hex');

-- When an interviewer is ready to be booked. Opened and closed by recruitctl and in the console.
CREATE TABLE recruiting.interview_slots (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    job_id uuid NOT NULL REFERENCES recruiting.jobs (id),
    stage_id uuid NOT NULL REFERENCES recruiting.stages (id),
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id), -- the interviewer's
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL CHECK (ends_at > starts_at AND ends_at <= starts_at + interval '8 hours'),
    join_url text -- NULL: a room of its own per booking
        CHECK (join_url ~ '^https://[\u0021-\u007e]+$' AND length(join_url) <= 2000),
    closed_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT recruiting.protect_tenant_table('recruiting.interview_slots');
GRANT INSERT (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at, join_url), UPDATE (closed_at)
    ON recruiting.interview_slots TO recruiting_auth;
CREATE UNIQUE INDEX interview_slots_once ON recruiting.interview_slots (stage_id, membership_id, starts_at)
    WHERE closed_at IS NULL;
CREATE INDEX interview_slots_of_stage ON recruiting.interview_slots (job_id, stage_id, starts_at)
    WHERE closed_at IS NULL;
CREATE INDEX interview_slots_of_organization ON recruiting.interview_slots (organization_id, starts_at, id);
CREATE INDEX interview_slots_of_member ON recruiting.interview_slots (membership_id, starts_at);
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.interview_slots
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_updated_at();

-- Slots are read as the applications they are for; interviewers see their own.
CREATE POLICY by_role ON recruiting.interview_slots AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager'))
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.current_member_id())))
           OR ((SELECT recruiting.has_role('hiring_manager', 'interviewer'))
               AND membership_id = (SELECT recruiting.current_member_id())));
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
-- Those who open slots for one interviewer wait for each other, and for claims of the interviewer's time. FOR NO KEY UPDATE
-- needs a right to update; nothing passes the check.
CREATE POLICY console_lock ON recruiting.memberships FOR UPDATE TO recruiting_auth
    USING (organization_id = (SELECT recruiting.console_organization_id('recruiter', 'hiring_manager')))
    WITH CHECK (false);

-- Interview slots are bounded per interviewer, stage and organization, and per hour (libs/interviews). They are counted under the
-- organization's lock, which lasts until the transaction ends: two who open slots at once can't pass a bound together. Hiring
-- managers count the slots of jobs that they don't see, as in interviewer_times.
CREATE FUNCTION recruiting.lock_slot_counts(organization uuid, stage uuid, interviewer uuid)
    RETURNS TABLE (of_interviewer bigint, of_stage bigint, of_organization bigint, of_hour bigint, seconds_left bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    at timestamptz;
    hour timestamptz;
BEGIN
    IF NOT recruiting.is_owners_session()
       AND organization IS DISTINCT FROM recruiting.console_organization_id('admin', 'recruiter', 'hiring_manager') THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('recruiting.slots.' || organization::text, 0));
    at := clock_timestamp();
    hour := date_trunc('hour', at, 'UTC');
    seconds_left := ceil(extract(epoch FROM hour + interval '1 hour' - at));
    SELECT count(*) INTO of_interviewer FROM recruiting.interview_slots s
     WHERE s.membership_id = interviewer AND s.organization_id = organization AND s.closed_at IS NULL AND s.starts_at > at;
    SELECT count(*) INTO of_stage FROM recruiting.interview_slots s
      JOIN recruiting.stages st ON st.id = s.stage_id AND st.job_id = s.job_id
     WHERE st.id = stage AND s.organization_id = organization AND s.closed_at IS NULL AND s.starts_at > at;
    -- No slot begins before it is opened: those of this hour begin after its start.
    SELECT count(*) FILTER (WHERE s.closed_at IS NULL AND s.starts_at > at), count(*) FILTER (WHERE s.created_at >= hour)
      INTO of_organization, of_hour FROM recruiting.interview_slots s
     WHERE s.organization_id = organization AND s.starts_at >= hour;
    RETURN NEXT;
END $$;
ALTER FUNCTION recruiting.lock_slot_counts OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.lock_slot_counts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.lock_slot_counts TO recruiting_auth;

-- The published schedule. It knows nothing of bookings: a slot that is taken looks as one that is not.
CREATE VIEW recruiting.published_slots WITH (security_barrier) AS
SELECT s.organization_id, s.job_id, s.stage_id, s.starts_at, max(s.ends_at) AS ends_at
FROM recruiting.interview_slots s
JOIN recruiting.published_stages st ON st.id = s.stage_id AND st.job_id = s.job_id
JOIN recruiting.memberships m ON m.id = s.membership_id AND m.status = 'active'
WHERE s.closed_at IS NULL
GROUP BY s.organization_id, s.job_id, s.stage_id, s.starts_at;
ALTER VIEW recruiting.published_slots OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.published_slots TO recruiting_public;

-- What was asked for over HTTP, the same for every client. The worker takes each once and deletes it with what it decides.
-- The public role can't choose ids: inserting a known one again would tell when its row went.
CREATE TABLE recruiting.booking_requests (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    organization_id uuid NOT NULL,
    job_id uuid NOT NULL,
    stage_id uuid NOT NULL,
    starts_at timestamptz NOT NULL,
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    time_zone text CHECK (length(time_zone) <= 64),
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempts integer NOT NULL DEFAULT 0,
    leased_until timestamptz NOT NULL DEFAULT '-infinity',
    -- What the request asked for, resolved to a language there are words for; NULL: English. Every request has one of the
    -- same few values, whatever person it names.
    language text CHECK (length(language) <= 35),
    -- A request beyond the larger limit that one e-mail address has over all networks together. The row is written all the
    -- same, so that the time an answer takes tells nothing of the count; the worker takes such requests last and repeats
    -- no mail for them.
    excess boolean NOT NULL DEFAULT false
);
ALTER TABLE recruiting.booking_requests OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.booking_requests TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY ask ON recruiting.booking_requests FOR INSERT TO recruiting_public
    WITH CHECK (EXISTS (SELECT FROM recruiting.published_slots p
                        WHERE p.job_id = booking_requests.job_id AND p.stage_id = booking_requests.stage_id
                          AND p.starts_at = booking_requests.starts_at
                          AND p.organization_id = booking_requests.organization_id));
CREATE POLICY worker ON recruiting.booking_requests TO recruiting_auth
    USING ((SELECT recruiting.is_worker('booking'))) WITH CHECK ((SELECT recruiting.is_worker('booking')));
GRANT INSERT (organization_id, job_id, stage_id, starts_at, email, time_zone, language, excess)
    ON recruiting.booking_requests TO recruiting_public;
GRANT SELECT, DELETE, UPDATE (attempts, leased_until) ON recruiting.booking_requests TO recruiting_auth;
CREATE INDEX booking_requests_in_turn ON recruiting.booking_requests (excess, received_at, id);

-- Booking requests that matched no candidate: recruiters see a mistyped address. The booking worker writes them with its
-- decision, long after the answer; recruiting_public has no right here. One row per address and stage, however often it
-- asks. Without foreign keys: what strangers write must not keep a stage from being deleted.
CREATE TABLE recruiting.unmatched_booking_requests (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    job_id uuid NOT NULL,
    stage_id uuid NOT NULL,
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    email_key text NOT NULL, -- canonical, as of users
    starts_at timestamptz NOT NULL, -- the time that was asked for last
    time_zone text CHECK (length(time_zone) <= 64),
    requests integer NOT NULL DEFAULT 1,
    first_received_at timestamptz NOT NULL,
    last_received_at timestamptz NOT NULL,
    UNIQUE (stage_id, email_key)
);
SELECT recruiting.protect_tenant_table('recruiting.unmatched_booking_requests');
GRANT INSERT (id, organization_id, job_id, stage_id, email, email_key, starts_at, time_zone, first_received_at,
              last_received_at),
      UPDATE (email, starts_at, time_zone, requests, last_received_at), DELETE
    ON recruiting.unmatched_booking_requests TO recruiting_auth;
CREATE INDEX unmatched_booking_requests_by_arrival
    ON recruiting.unmatched_booking_requests (organization_id, last_received_at, id);
CREATE INDEX unmatched_booking_requests_by_age ON recruiting.unmatched_booking_requests (last_received_at);
-- As bookings: for members who reach the job's candidates.
CREATE POLICY by_role ON recruiting.unmatched_booking_requests AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager'))
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.current_member_id())))
           OR (SELECT recruiting.is_worker('booking')));
CREATE POLICY worker ON recruiting.unmatched_booking_requests TO recruiting_auth
    USING ((SELECT recruiting.is_worker('booking'))) WITH CHECK ((SELECT recruiting.is_worker('booking')));

-- One row per application and stage. confirmed: the interviewer is taken from starts_at to ends_at. unplaced: the time
-- asked for (wanted_starts_at) was gone or the interviewer has declined it, the candidate has a link to pick another.
-- canceled: by the candidate. Writers set status, slot_id, wanted_starts_at, time_zone and room_url; the triggers below do the
-- rest, so that no booking changes without its calendar sequence, its mails and its audit row.
CREATE TABLE recruiting.bookings (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    application_id uuid NOT NULL REFERENCES recruiting.applications (id),
    candidate_id uuid NOT NULL REFERENCES recruiting.candidates (id),
    job_id uuid NOT NULL REFERENCES recruiting.jobs (id),
    stage_id uuid NOT NULL REFERENCES recruiting.stages (id),
    status text NOT NULL CHECK (status IN ('confirmed', 'unplaced', 'canceled')),
    slot_id uuid REFERENCES recruiting.interview_slots (id),
    membership_id uuid REFERENCES recruiting.memberships (id), -- the interviewer's
    starts_at timestamptz,
    ends_at timestamptz,
    room_url text,              -- where they meet when the slot names no place
    wanted_starts_at timestamptz,
    time_zone text NOT NULL CHECK (length(time_zone) <= 64), -- IANA; for the mails' wording
    calendar_uid uuid NOT NULL, -- of the iCalendar event (RFC 5545 section 3.8.4.7), kept while it is moved
    sequence integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    room uuid NOT NULL DEFAULT gen_random_uuid(), -- stands for {room} of organizations.room_url
    language text CHECK (length(language) <= 35),
    -- Changes through e-mailed links are counted per booking: every mail brings another link, and all of them are one
    -- credential. Fixed windows on the clock, as all limits. Only an update counts that changes the row.
    changes_hour timestamptz, -- when the hour began in which it was changed last
    changes_in_hour integer NOT NULL DEFAULT 0,
    changes_day timestamptz,
    changes_in_day integer NOT NULL DEFAULT 0,
    -- The interviewer whose declining left the booking without a time, the one in wanted_starts_at (decision 0096). The
    -- candidate chooses another time; the interviewer is not offered at that time again.
    declined_by uuid CONSTRAINT bookings_declined_by REFERENCES recruiting.memberships (id),
    UNIQUE (application_id, stage_id),
    CHECK (status <> 'confirmed' OR (slot_id IS NOT NULL AND membership_id IS NOT NULL AND starts_at IS NOT NULL
                                     AND ends_at IS NOT NULL)),
    CHECK (status <> 'unplaced' OR wanted_starts_at IS NOT NULL),
    CONSTRAINT bookings_one_at_a_time EXCLUDE USING gist
        (membership_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE (status = 'confirmed')
);
SELECT recruiting.protect_tenant_table('recruiting.bookings');
GRANT INSERT (id, organization_id, application_id, candidate_id, job_id, stage_id, status, slot_id, wanted_starts_at,
              time_zone, room_url, calendar_uid, language),
      UPDATE (status, slot_id, wanted_starts_at, time_zone, room_url, language) ON recruiting.bookings TO recruiting_auth;
GRANT SELECT (id, status), UPDATE (status, slot_id, time_zone) ON recruiting.bookings TO recruiting_public;
CREATE INDEX bookings_of_candidate ON recruiting.bookings (candidate_id);
CREATE INDEX bookings_of_job ON recruiting.bookings (job_id, starts_at) WHERE status = 'confirmed';
CREATE INDEX bookings_of_organization ON recruiting.bookings (organization_id, starts_at, id);
-- The console lists bookings by when they are or, where no time was found, were wanted.
CREATE INDEX bookings_without_time
    ON recruiting.bookings (organization_id, wanted_starts_at, id) WHERE starts_at IS NULL;
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.bookings
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_updated_at();
-- As the applications they belong to: admins, recruiters, and hiring managers on their jobs; and the worker. In the console
-- interviewers see their own interviews, without the candidate, whom other policies keep; with API keys they don't.
CREATE POLICY by_role ON recruiting.bookings AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager'))
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.current_member_id())))
           OR (SELECT recruiting.is_worker('booking'))
           OR ((SELECT recruiting.has_role('hiring_manager', 'interviewer'))
               AND (SELECT recruiting.current_session_user_id()) IS NOT NULL
               AND membership_id = (SELECT recruiting.current_member_id())));
CREATE POLICY worker ON recruiting.bookings TO recruiting_auth
    USING ((SELECT recruiting.is_worker('booking'))) WITH CHECK ((SELECT recruiting.is_worker('booking')));

-- When the organization's interviewers have interviews that overlap this time, of whatever job: slots are free or taken for
-- all who see them. Nothing tells with whom. Interviewers learn their own times only.
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

-- The e-mailed links: SHA-256 of the token's 32 random bytes. A link outlives its booking's changes.
CREATE TABLE recruiting.booking_tokens (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    booking_id uuid NOT NULL REFERENCES recruiting.bookings (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Each mail's link has a second token that only joins: it stands in calendars, which people share. The link is an address
    -- of our own pages; where it leads is read when it is followed, so that an address that is set later still serves.
    join_hash bytea NOT NULL UNIQUE CHECK (length(join_hash) = 32),
    told_starts_at timestamptz, -- the time that the mail names
    -- The link mailed to an interviewer joins while the interview is theirs and they are a member. NULL: the candidate's.
    membership_id uuid REFERENCES recruiting.memberships (id)
);
SELECT recruiting.protect_tenant_table('recruiting.booking_tokens');
CREATE INDEX booking_tokens_of_booking ON recruiting.booking_tokens (booking_id);
CREATE INDEX booking_tokens_by_expiry ON recruiting.booking_tokens (expires_at);
CREATE POLICY nobody ON recruiting.booking_tokens AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer'))) WITH CHECK ((SELECT recruiting.is_worker('mailer')));
CREATE POLICY worker ON recruiting.booking_tokens TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer'))) WITH CHECK ((SELECT recruiting.is_worker('mailer')));
GRANT INSERT, DELETE ON recruiting.booking_tokens TO recruiting_auth;

-- The booking whose link this transaction has presented; NULL without one, or when it has expired. All links of one booking are
-- one credential: the latest mail's date holds for each of them.
CREATE FUNCTION recruiting.presented_booking_id() RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    RETURN (SELECT t.booking_id FROM recruiting.booking_tokens t
            WHERE t.hash = recruiting.current_booking_token()
              AND EXISTS (SELECT FROM recruiting.booking_tokens o
                          WHERE o.booking_id = t.booking_id AND o.expires_at > now()));
ALTER FUNCTION recruiting.presented_booking_id OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.presented_booking_id FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.presented_booking_id TO recruiting_public;

-- What the manage page shows: nothing of the candidate, for links are forwarded.
CREATE VIEW recruiting.presented_booking WITH (security_barrier) AS
SELECT b.id, b.status, b.starts_at, b.ends_at, b.wanted_starts_at, b.time_zone, b.calendar_uid, b.sequence,
       b.updated_at, b.job_id, j.title AS job_title, b.stage_id, s.name AS stage_name,
       o.name AS organization_name, o.slug AS organization_slug, o.logo_url,
       (SELECT coalesce(m.invited_name, u.name) FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
        WHERE m.id = b.membership_id) AS interviewer_name,
       b.language, o.accent_color, b.declined_by IS NOT NULL AS is_declined
FROM recruiting.bookings b
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id
WHERE b.id = (SELECT recruiting.presented_booking_id());
ALTER VIEW recruiting.presented_booking OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_booking TO recruiting_public;

-- True availability for a link that is presented: its job's and stage's free slots, as long as a request of that
-- candidate would be booked. An interview that is booked can be moved on any stage; a link whose candidate was rejected
-- or has moved on books no new one.
CREATE VIEW recruiting.presented_availability WITH (security_barrier) AS
SELECT s.id AS slot_id, s.starts_at, s.ends_at
FROM recruiting.bookings b
JOIN recruiting.applications a ON a.id = b.application_id AND a.status = 'active' AND a.deleted_at IS NULL
                              AND (a.stage_id = b.stage_id OR b.status = 'confirmed')
JOIN recruiting.candidates c ON c.id = b.candidate_id AND c.deleted_at IS NULL
JOIN recruiting.interview_slots s ON s.job_id = b.job_id AND s.stage_id = b.stage_id AND s.closed_at IS NULL
JOIN recruiting.memberships m ON m.id = s.membership_id AND m.status = 'active'
WHERE b.id = (SELECT recruiting.presented_booking_id())
  AND NOT EXISTS (SELECT FROM recruiting.bookings o -- the booking itself is about to move
                  WHERE o.membership_id = s.membership_id AND o.status = 'confirmed' AND o.id <> b.id
                    AND tstzrange(o.starts_at, o.ends_at) && tstzrange(s.starts_at, s.ends_at));
ALTER VIEW recruiting.presented_availability OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_availability TO recruiting_public;

CREATE POLICY presented ON recruiting.bookings FOR SELECT TO recruiting_public
    USING (id = (SELECT recruiting.presented_booking_id()));
CREATE POLICY presented_update ON recruiting.bookings FOR UPDATE TO recruiting_public
    USING (id = (SELECT recruiting.presented_booking_id()) AND status IN ('confirmed', 'unplaced', 'canceled'))
    WITH CHECK (id = (SELECT recruiting.presented_booking_id()) AND status IN ('confirmed', 'canceled'));

-- What the worker matches requests with: active applications by organization, job, stage and address. The candidate is
-- found by organization and address (candidates_by_email), whatever the number of applications on the stage.
CREATE VIEW recruiting.booking_candidates WITH (security_barrier) AS
SELECT a.id AS application_id, a.organization_id, a.job_id, a.stage_id, a.applied_at, c.id AS candidate_id, c.email_key,
       o.time_zone AS organization_time_zone
FROM recruiting.applications a
JOIN recruiting.candidates c ON c.id = a.candidate_id AND c.organization_id = a.organization_id
JOIN recruiting.organizations o ON o.id = a.organization_id
WHERE a.status = 'active' AND a.deleted_at IS NULL AND c.deleted_at IS NULL AND recruiting.is_worker('booking');
ALTER VIEW recruiting.booking_candidates OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.booking_candidates TO recruiting_auth;

-- Open slots whose interviewer is free, one row per interviewer, with how many interviews that one has ahead.
CREATE VIEW recruiting.free_slots WITH (security_barrier) AS
SELECT s.id, s.organization_id, s.job_id, s.stage_id, s.membership_id, s.starts_at, s.ends_at, s.join_url,
       (SELECT count(*) FROM recruiting.bookings l
        WHERE l.membership_id = s.membership_id AND l.status = 'confirmed'
          AND tstzrange(l.starts_at, l.ends_at) && tstzrange(now(), NULL)) AS interviews_ahead
FROM recruiting.interview_slots s
JOIN recruiting.memberships m ON m.id = s.membership_id AND m.status = 'active'
WHERE s.closed_at IS NULL AND s.starts_at > now() AND recruiting.is_worker('booking')
  AND NOT EXISTS (SELECT FROM recruiting.bookings o
                  WHERE o.membership_id = s.membership_id AND o.status = 'confirmed'
                    AND tstzrange(o.starts_at, o.ends_at) && tstzrange(s.starts_at, s.ends_at));
ALTER VIEW recruiting.free_slots OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.free_slots TO recruiting_auth;

-- Where each confirmed interview meets; NULL: nowhere yet. Only other views read it: no service is granted it.
CREATE VIEW recruiting.meetings WITH (security_barrier) AS
SELECT b.id AS booking_id,
       coalesce(s.join_url, m.join_url, replace(o.room_url, '{room}', replace(b.room::text, '-', '')), b.room_url) AS url
FROM recruiting.bookings b
JOIN recruiting.organizations o ON o.id = b.organization_id
LEFT JOIN recruiting.interview_slots s ON s.id = b.slot_id
LEFT JOIN recruiting.memberships m ON m.id = b.membership_id
WHERE b.status = 'confirmed';
ALTER VIEW recruiting.meetings OWNER TO recruiting_owner;

-- The link that this transaction has presented, to manage or only to join; no row without one, or when it has expired.
CREATE FUNCTION recruiting.presented_join() RETURNS TABLE (booking_id uuid, told_starts_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT t.booking_id, t.told_starts_at FROM recruiting.booking_tokens t
    WHERE (t.hash = recruiting.current_booking_token() OR t.join_hash = recruiting.current_booking_token())
      AND EXISTS (SELECT FROM recruiting.booking_tokens o
                  WHERE o.booking_id = t.booking_id AND o.expires_at > now());
END;
ALTER FUNCTION recruiting.presented_join OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.presented_join FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.presented_join TO recruiting_public;

-- What the join page shows: the interview and where it meets; nothing of the people, for links are forwarded.
CREATE VIEW recruiting.presented_meeting WITH (security_barrier) AS
SELECT b.status, b.starts_at, b.ends_at, b.time_zone, b.language, p.told_starts_at <> b.starts_at AS moved,
       (SELECT w.url FROM recruiting.meetings w WHERE w.booking_id = b.id) AS url,
       j.title AS job_title, s.name AS stage_name, o.name AS organization_name, o.slug AS organization_slug, o.logo_url,
       o.accent_color
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
ALTER VIEW recruiting.presented_meeting OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_meeting TO recruiting_public;

-- The links to decline: SHA-256 of the token's 32 random bytes. Each is for one interviewer and one time of one interview.
CREATE TABLE recruiting.decline_tokens (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    booking_id uuid NOT NULL REFERENCES recruiting.bookings (id) ON DELETE CASCADE,
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id), -- the interviewer's
    calendar_uid uuid NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    declined_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT recruiting.protect_tenant_table('recruiting.decline_tokens');
CREATE INDEX decline_tokens_of_booking ON recruiting.decline_tokens (booking_id);
CREATE INDEX decline_tokens_by_expiry ON recruiting.decline_tokens (expires_at);
CREATE POLICY mailer_only ON recruiting.decline_tokens AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer'))) WITH CHECK ((SELECT recruiting.is_worker('mailer')));
CREATE POLICY worker ON recruiting.decline_tokens TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer'))) WITH CHECK ((SELECT recruiting.is_worker('mailer')));
GRANT INSERT (hash, organization_id, booking_id, membership_id, calendar_uid, starts_at, ends_at, expires_at), DELETE
    ON recruiting.decline_tokens TO recruiting_auth;

-- What the page of the presented link shows. No row: the link is unknown or has expired, its owner is no longer a member,
-- or the interview is another interviewer's. Nothing of the candidate, for links are forwarded.
CREATE VIEW recruiting.presented_decline WITH (security_barrier) AS
SELECT CASE WHEN t.declined_at IS NOT NULL THEN 'declined'
            WHEN b.status <> 'confirmed' THEN 'canceled'
            WHEN b.calendar_uid <> t.calendar_uid OR b.starts_at <> t.starts_at THEN 'moved'
            WHEN b.starts_at <= now() THEN 'begun'
            ELSE 'open' END AS state,
       t.starts_at, t.ends_at, o.time_zone, j.title AS job_title, s.name AS stage_name, o.name AS organization_name,
       o.slug AS organization_slug, o.logo_url, o.accent_color
FROM recruiting.decline_tokens t
JOIN recruiting.memberships i ON i.id = t.membership_id AND i.status = 'active'
JOIN recruiting.bookings b ON b.id = t.booking_id
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id
WHERE t.hash = recruiting.current_booking_token() AND t.expires_at > now()
  AND (t.declined_at IS NOT NULL OR b.membership_id = t.membership_id);
ALTER VIEW recruiting.presented_decline OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_decline TO recruiting_public;

-- Declines the interview of the presented link, if it is still what the link names. False: nothing was changed.
CREATE FUNCTION recruiting.decline_interview() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    link recruiting.decline_tokens;
    interview recruiting.bookings;
BEGIN
    SELECT t.* INTO link FROM recruiting.decline_tokens t
    JOIN recruiting.memberships i ON i.id = t.membership_id AND i.status = 'active'
    WHERE t.hash = recruiting.current_booking_token() AND t.expires_at > now();
    -- Waits for a change through the candidate's link, and sees what it left.
    SELECT b.* INTO interview FROM recruiting.bookings b WHERE b.id = link.booking_id FOR NO KEY UPDATE;
    IF NOT FOUND OR interview.status <> 'confirmed' OR interview.membership_id <> link.membership_id
       OR interview.calendar_uid <> link.calendar_uid OR interview.starts_at <> link.starts_at
       OR interview.starts_at <= now() THEN
        RETURN false;
    END IF;
    -- Before the booking changes: a claim of one of these slots at the same time is refused at once, and waits for nothing
    -- that this transaction holds.
    WITH closed AS (
        UPDATE recruiting.interview_slots s SET closed_at = clock_timestamp()
        WHERE s.id IN (SELECT o.id FROM recruiting.interview_slots o
                       WHERE o.membership_id = interview.membership_id AND o.closed_at IS NULL
                         AND o.starts_at < interview.ends_at AND o.starts_at > interview.starts_at - interval '8 hours'
                         AND o.ends_at > interview.starts_at
                       ORDER BY o.id FOR NO KEY UPDATE)
        RETURNING s.id)
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, target_type, target_id,
                                      success, request_id)
    SELECT gen_random_uuid(), clock_timestamp(), interview.organization_id, 'system', 'slot.closed', 'interview_slot',
           replace(c.id::text, '-', ''), true,
           substring(current_setting('recruiting.request_id', true) FROM '^[A-Za-z0-9_-]{8,64}$')
    FROM closed c;
    UPDATE recruiting.bookings b
    SET status = 'unplaced', wanted_starts_at = b.starts_at, declined_by = b.membership_id WHERE b.id = interview.id;
    UPDATE recruiting.decline_tokens t SET declined_at = clock_timestamp()
    WHERE t.booking_id = link.booking_id AND t.membership_id = link.membership_id
      AND t.calendar_uid = link.calendar_uid AND t.starts_at = link.starts_at;
    RETURN true;
END $$;
ALTER FUNCTION recruiting.decline_interview OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.decline_interview FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.decline_interview TO recruiting_public;

-- Whether this update is a declined interview's.
CREATE FUNCTION recruiting.declines(before recruiting.bookings, after recruiting.bookings) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    RETURN (before).status = 'confirmed' AND (after).status = 'unplaced' AND (after).declined_by IS NOT NULL
       AND (after).declined_by IS DISTINCT FROM (before).declined_by;
ALTER FUNCTION recruiting.declines OWNER TO recruiting_owner;

-- Fills in what follows from the slot, and keeps the calendar's rules: a moved event keeps its UID and counts its
-- SEQUENCE up, a new one starts afresh (RFC 5546 section 2.1.4). A declined interview keeps its place in the sequence.
CREATE FUNCTION recruiting.place_booking() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE slot recruiting.interview_slots;
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.declined_by = OLD.declined_by
       AND (NEW.status, NEW.wanted_starts_at) IS DISTINCT FROM (OLD.status, OLD.wanted_starts_at) THEN
        NEW.declined_by := NULL;
    END IF;
    IF NEW.status = 'confirmed' AND (TG_OP = 'INSERT' OR OLD.status <> 'confirmed'
                                     OR NEW.slot_id IS DISTINCT FROM OLD.slot_id) THEN
        SELECT * INTO slot FROM recruiting.interview_slots s
        WHERE s.id = NEW.slot_id AND s.closed_at IS NULL AND s.starts_at > now()
          AND s.job_id = NEW.job_id AND s.stage_id = NEW.stage_id
        FOR SHARE;
        -- Claims of one interviewer's time wait here for each other; at the exclusion constraint they could deadlock.
        PERFORM FROM recruiting.memberships m
        WHERE m.id = slot.membership_id AND m.status = 'active' FOR NO KEY UPDATE;
        IF NOT FOUND THEN
            RAISE check_violation USING MESSAGE = 'the slot is not open', CONSTRAINT = 'bookings_slot_open';
        END IF;
        NEW.membership_id := slot.membership_id;
        NEW.starts_at := slot.starts_at;
        NEW.ends_at := slot.ends_at;
        NEW.wanted_starts_at := NULL;
        IF TG_OP = 'UPDATE' THEN
            IF OLD.status = 'confirmed' AND OLD.starts_at > now() THEN
                NEW.sequence := OLD.sequence + 1;
            ELSE
                NEW.calendar_uid := gen_random_uuid();
                NEW.sequence := 0;
            END IF;
        END IF;
    ELSIF TG_OP = 'UPDATE' AND NEW.status = 'canceled' AND OLD.status = 'confirmed' THEN
        NEW.sequence := OLD.sequence + 1;
    ELSIF NEW.status = 'unplaced' THEN -- nothing is left of an interview before
        IF TG_OP = 'UPDATE' AND recruiting.declines(OLD, NEW) THEN
            NEW.sequence := OLD.sequence + 1;
        END IF;
        NEW.slot_id := NULL;
        NEW.membership_id := NULL;
        NEW.starts_at := NULL;
        NEW.ends_at := NULL;
    END IF;
    RETURN NEW;
END $$;
ALTER FUNCTION recruiting.place_booking OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.place_booking FROM PUBLIC;
CREATE TRIGGER place BEFORE INSERT OR UPDATE ON recruiting.bookings
    FOR EACH ROW EXECUTE FUNCTION recruiting.place_booking();

-- What has begun is over for the holder of a link; the worker may book the next interview. By the role, not by a
-- setting: any role can set those.
CREATE FUNCTION recruiting.refuse_begun() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE check_violation USING MESSAGE = 'the interview has begun', CONSTRAINT = 'bookings_not_begun';
END $$;
CREATE TRIGGER begun BEFORE UPDATE ON recruiting.bookings FOR EACH ROW
    WHEN (OLD.status = 'confirmed' AND OLD.starts_at <= now() AND NOT pg_has_role('recruiting_auth', 'USAGE'))
    EXECUTE FUNCTION recruiting.refuse_begun();

-- The limits are public-api's settings, which it names in each transaction that changes a booking.
CREATE FUNCTION recruiting.limit_booking_changes() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    per_hour integer := nullif(current_setting('recruiting.booking_changes_per_hour', true), '');
    per_day integer := nullif(current_setting('recruiting.booking_changes_per_day', true), '');
    hour timestamptz := date_bin('1 hour', now(), 'epoch'::timestamptz);
    day timestamptz := date_bin('1 day', now(), 'epoch'::timestamptz);
BEGIN
    NEW.changes_in_hour := CASE WHEN OLD.changes_hour = hour THEN OLD.changes_in_hour ELSE 0 END + 1;
    NEW.changes_in_day := CASE WHEN OLD.changes_day = day THEN OLD.changes_in_day ELSE 0 END + 1;
    NEW.changes_hour := hour;
    NEW.changes_day := day;
    -- The day first: when both are full, the client waits for the one that ends later.
    IF NEW.changes_in_day > per_day THEN
        RAISE check_violation USING MESSAGE = 'too many changes today', CONSTRAINT = 'bookings_changes_per_day';
    ELSIF NEW.changes_in_hour > per_hour THEN
        RAISE check_violation USING MESSAGE = 'too many changes this hour', CONSTRAINT = 'bookings_changes_per_hour';
    END IF;
    RETURN NEW;
END $$;
ALTER FUNCTION recruiting.limit_booking_changes OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.limit_booking_changes FROM PUBLIC;
-- After "begun" and before "place": triggers fire in the order of their names. The worker is not limited, and an interviewer's
-- declining uses up nothing of the candidate's allowance: it needs an interview that the candidate has booked or moved since.
CREATE TRIGGER limit_changes BEFORE UPDATE ON recruiting.bookings FOR EACH ROW
    WHEN (NOT pg_has_role('recruiting_auth', 'USAGE') AND NEW.declined_by IS NOT DISTINCT FROM OLD.declined_by)
    EXECUTE FUNCTION recruiting.limit_booking_changes();

-- Mails: written in the transaction that changes the booking, sent by a worker. A row holds what the booking was then, and no
-- address: names and addresses are read when it is sent. Mails to members are about no booking, and a sign-in mail is of no
-- organization. Whatever writes an invitation gives id, organization_id, audience, kind, membership_id, user_id and time_zone,
-- and language where it is known.
-- Mails are counted when they are sent, per recipient and UTC day. The mailer holds back what is beyond the limit until
-- the day is over, and drops what a later mail about the same interview has overtaken by then.
CREATE TABLE recruiting.mail_outbox (
    id uuid PRIMARY KEY, -- its Message-ID is made of it
    organization_id uuid REFERENCES recruiting.organizations (id),
    booking_id uuid REFERENCES recruiting.bookings (id),
    audience text NOT NULL,
    kind text NOT NULL,
    membership_id uuid REFERENCES recruiting.memberships (id), -- the interviewer of that time
    starts_at timestamptz,
    ends_at timestamptz,
    previous_starts_at timestamptz, -- rescheduled: from when
    wanted_starts_at timestamptz,   -- slot_taken: what was gone
    time_zone text NOT NULL,
    calendar_uid uuid,
    sequence integer,
    status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'dead')),
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lease uuid, -- of the sender that works on it, until leased_until
    leased_until timestamptz,
    last_error text, -- the server's answer or what went wrong; never an address
    finished_at timestamptz CHECK ((finished_at IS NOT NULL) = (status <> 'waiting')),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    counted_on date,        -- the day on which this mail was counted; further attempts count no more that day
    held_until timestamptz, -- set when it was held back
    user_id uuid CONSTRAINT mail_outbox_user REFERENCES recruiting.users (id),
    language text,
    -- A mail is dead when it was tried for long enough. The time since the first attempt decides: attempts come sooner than
    -- planned when PostgreSQL's clock was set back, or when an operator brings them forward. NULL: not tried.
    first_attempt_at timestamptz,
    -- The member who sent an invitation, so that the mail gives their address. NULL: an operator did, or it is another mail.
    invited_by uuid CONSTRAINT mail_outbox_inviter REFERENCES recruiting.memberships (id),
    CONSTRAINT mail_outbox_about CHECK (
        CASE audience
            WHEN 'member' THEN user_id IS NOT NULL AND booking_id IS NULL AND CASE kind
                WHEN 'sign_in' THEN organization_id IS NULL AND membership_id IS NULL
                WHEN 'invitation' THEN organization_id IS NOT NULL AND membership_id IS NOT NULL
                ELSE false END
            WHEN 'candidate' THEN true
            WHEN 'interviewer' THEN true
            ELSE false END
        AND (audience = 'member' OR (organization_id IS NOT NULL AND booking_id IS NOT NULL AND calendar_uid IS NOT NULL
             AND sequence IS NOT NULL
             AND kind IN ('confirmed', 'rescheduled', 'canceled', 'slot_taken', 'already_booked', 'declined'))))
);
SELECT recruiting.protect_tenant_table('recruiting.mail_outbox');
GRANT INSERT (id, organization_id, booking_id, audience, kind, membership_id, starts_at, ends_at, wanted_starts_at,
              time_zone, calendar_uid, sequence, user_id, language, invited_by),
      UPDATE (status, attempts, next_attempt_at, lease, leased_until, last_error, finished_at, counted_on, held_until,
              first_attempt_at),
      DELETE ON recruiting.mail_outbox TO recruiting_auth;
CREATE INDEX mail_outbox_waiting ON recruiting.mail_outbox (next_attempt_at, id) WHERE status = 'waiting';
CREATE INDEX mail_outbox_dead ON recruiting.mail_outbox (organization_id, created_at, id) WHERE status = 'dead';
CREATE INDEX mail_outbox_finished ON recruiting.mail_outbox (finished_at) WHERE status <> 'waiting';
CREATE INDEX mail_outbox_of_booking ON recruiting.mail_outbox (booking_id, created_at, id);
-- The mailer takes all mails; booking, sign-in and admins in the console see those that they write.
CREATE POLICY workers_only ON recruiting.mail_outbox AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer'))
           OR CASE WHEN audience = 'member'
                   THEN (SELECT recruiting.is_worker('sign_in'))
                        OR (kind = 'invitation'
                            AND organization_id = (SELECT recruiting.console_organization_id('admin')))
                   ELSE (SELECT recruiting.is_worker('booking')) END)
    WITH CHECK ((SELECT recruiting.is_worker('mailer'))
                OR CASE WHEN audience = 'member'
                        THEN (SELECT recruiting.is_worker('sign_in'))
                             OR (kind = 'invitation'
                                 AND organization_id = (SELECT recruiting.console_organization_id('admin')))
                        ELSE (SELECT recruiting.is_worker('booking')) END);
CREATE POLICY worker ON recruiting.mail_outbox TO recruiting_auth USING (true) WITH CHECK (true);
CREATE POLICY names_inviter ON recruiting.mail_outbox AS RESTRICTIVE FOR INSERT TO recruiting_auth
    WITH CHECK (invited_by IS NOT DISTINCT FROM (SELECT recruiting.console_member_id('admin')));

-- When a mail was finished is not the sender's to say.
CREATE FUNCTION recruiting.stamp_finished_mail() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.finished_at := CASE WHEN NEW.status = 'waiting' THEN NULL
                            WHEN OLD.status = NEW.status THEN OLD.finished_at
                            ELSE clock_timestamp() END;
    RETURN NEW;
END $$;
ALTER FUNCTION recruiting.stamp_finished_mail OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.stamp_finished_mail FROM PUBLIC;
CREATE TRIGGER stamp_finished BEFORE UPDATE OF status, finished_at ON recruiting.mail_outbox
    FOR EACH ROW WHEN (NOT recruiting.is_owners_session()) EXECUTE FUNCTION recruiting.stamp_finished_mail();

-- What a mail about a booking says and to whom, as it is now; the row itself is recruiting.mail_outbox. Former members learn
-- nothing of candidates.
CREATE VIEW recruiting.mail_content WITH (security_barrier) AS
SELECT m.id, o.name AS organization_name, j.title AS job_title, s.name AS stage_name,
       c.name AS candidate_name, CASE WHEN c.deleted_at IS NULL THEN c.email END AS candidate_email,
       coalesce(i.invited_name, u.name) AS interviewer_name,
       CASE WHEN i.status = 'active' THEN i.email END AS interviewer_email,
       o.time_zone AS organization_time_zone, b.language,
       EXISTS (SELECT FROM recruiting.meetings w WHERE w.booking_id = b.id AND w.url IS NOT NULL) AS has_meeting_url,
       o.logo_url, o.accent_color, CASE WHEN c.deleted_at IS NULL THEN c.email_key END AS candidate_email_key
FROM recruiting.mail_outbox m
JOIN recruiting.bookings b ON b.id = m.booking_id
JOIN recruiting.organizations o ON o.id = m.organization_id
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.candidates c ON c.id = b.candidate_id
LEFT JOIN recruiting.memberships i ON i.id = m.membership_id
LEFT JOIN recruiting.users u ON u.id = i.user_id
WHERE recruiting.is_worker('mailer');
ALTER VIEW recruiting.mail_content OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.mail_content TO recruiting_auth;

-- What a mail to a member says and to whom, as it is now. email is NULL when it is to be sent to no address any more. A sign-in
-- mail is of no organization: it names the person as presented_session does, or not at all.
CREATE VIEW recruiting.member_mail_content WITH (security_barrier) AS
SELECT m.id, u.id AS user_id, u.email_key,
       CASE WHEN i.id IS NOT NULL THEN coalesce(i.invited_name, u.name) ELSE coalesce(p.name, '') END AS member_name,
       o.name AS organization_name,
       CASE m.kind WHEN 'invitation' THEN CASE i.status WHEN 'invited' THEN i.email END ELSE p.email END AS email,
       o.logo_url, o.accent_color
FROM recruiting.mail_outbox m
JOIN recruiting.users u ON u.id = m.user_id
LEFT JOIN recruiting.people p ON p.user_id = m.user_id
LEFT JOIN recruiting.organizations o ON o.id = m.organization_id
LEFT JOIN recruiting.memberships i ON i.id = m.membership_id
WHERE m.audience = 'member' AND recruiting.is_worker('mailer');
ALTER VIEW recruiting.member_mail_content OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.member_mail_content TO recruiting_auth;

CREATE VIEW recruiting.mail_inviters WITH (security_barrier) AS
SELECT m.id, i.email
FROM recruiting.mail_outbox m
JOIN recruiting.memberships i ON i.id = m.invited_by
WHERE recruiting.is_worker('mailer');
ALTER VIEW recruiting.mail_inviters OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.mail_inviters TO recruiting_auth;

CREATE TABLE recruiting.booking_mail_counts (
    recipient bytea NOT NULL CHECK (length(recipient) = 32), -- SHA-256: no address stands here
    day date NOT NULL,
    mails integer NOT NULL,
    replies integer NOT NULL, -- of those, mails that a request brings about which changes nothing
    PRIMARY KEY (recipient, day)
);
ALTER TABLE recruiting.booking_mail_counts OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.booking_mail_counts TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY worker ON recruiting.booking_mail_counts TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer'))) WITH CHECK ((SELECT recruiting.is_worker('mailer')));
GRANT SELECT, INSERT, DELETE, UPDATE (mails, replies) ON recruiting.booking_mail_counts TO recruiting_auth;
CREATE INDEX booking_mail_counts_by_day ON recruiting.booking_mail_counts (day);

CREATE FUNCTION recruiting.write_booking_mail(b recruiting.bookings, to_whom text, about text, interviewer uuid,
                                              previous timestamptz) RETURNS void LANGUAGE sql VOLATILE
BEGIN ATOMIC
    INSERT INTO recruiting.mail_outbox (id, organization_id, booking_id, audience, kind, membership_id, starts_at,
                                        ends_at, previous_starts_at, wanted_starts_at, time_zone, calendar_uid, sequence)
    VALUES (gen_random_uuid(), b.organization_id, b.id, to_whom, about, interviewer, b.starts_at, b.ends_at, previous,
            b.wanted_starts_at, b.time_zone, b.calendar_uid, b.sequence);
END;
ALTER FUNCTION recruiting.write_booking_mail OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.write_booking_mail FROM PUBLIC;

-- The day on which an interview takes place where the organization is. PostgreSQL may lack a time zone that our own
-- tables have.
CREATE FUNCTION recruiting.interview_day(organization uuid, at timestamptz) RETURNS date LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (at AT TIME ZONE (SELECT o.time_zone FROM recruiting.organizations o WHERE o.id = organization))::date;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN (at AT TIME ZONE 'UTC')::date;
END $$;
ALTER FUNCTION recruiting.interview_day OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.interview_day FROM PUBLIC;

-- Every change of a booking is told: mails, one audit row, and the usage of a new interview. The mails of a declined interview
-- hold it as it was, which leaves the calendars.
CREATE FUNCTION recruiting.tell_booking() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    event text;
    moved boolean;
BEGIN
    IF TG_OP = 'UPDATE' AND (NEW.status, NEW.slot_id, NEW.wanted_starts_at)
                            IS NOT DISTINCT FROM (OLD.status, OLD.slot_id, OLD.wanted_starts_at) THEN
        RETURN NULL;
    END IF;
    IF NEW.status = 'confirmed' THEN
        moved := TG_OP = 'UPDATE' AND OLD.status = 'confirmed' AND OLD.calendar_uid = NEW.calendar_uid;
        event := CASE WHEN moved THEN 'rescheduled' ELSE 'confirmed' END;
        PERFORM recruiting.write_booking_mail(NEW, 'candidate', event, NEW.membership_id,
                                              CASE WHEN moved THEN OLD.starts_at END);
        IF moved AND OLD.membership_id <> NEW.membership_id THEN
            OLD.sequence := NEW.sequence;
            PERFORM recruiting.write_booking_mail(OLD, 'interviewer', 'canceled', OLD.membership_id, NULL);
            PERFORM recruiting.write_booking_mail(NEW, 'interviewer', 'confirmed', NEW.membership_id, NULL);
        ELSE
            PERFORM recruiting.write_booking_mail(NEW, 'interviewer', event, NEW.membership_id,
                                                  CASE WHEN moved THEN OLD.starts_at END);
        END IF;
        IF NOT moved THEN
            INSERT INTO recruiting.usage_records (id, organization_id, kind, subject_id, interview_day)
            VALUES (gen_random_uuid(), NEW.organization_id, 'booking', NEW.id,
                    recruiting.interview_day(NEW.organization_id, NEW.starts_at))
            ON CONFLICT (subject_id, interview_day) WHERE kind = 'booking' AND interview_day IS NOT NULL DO NOTHING;
        END IF;
    ELSIF NEW.status = 'canceled' AND TG_OP = 'UPDATE' AND OLD.status = 'confirmed' THEN
        event := 'canceled';
        PERFORM recruiting.write_booking_mail(NEW, 'candidate', event, NEW.membership_id, NULL);
        PERFORM recruiting.write_booking_mail(NEW, 'interviewer', event, NEW.membership_id, NULL);
    ELSIF NEW.status = 'canceled' THEN
        event := 'canceled'; -- there was no time yet: there is no one to tell
    ELSIF TG_OP = 'UPDATE' AND recruiting.declines(OLD, NEW) THEN
        event := 'declined';
        OLD.sequence := NEW.sequence;
        PERFORM recruiting.write_booking_mail(OLD, 'candidate', event, OLD.membership_id, NULL);
        PERFORM recruiting.write_booking_mail(OLD, 'interviewer', event, OLD.membership_id, NULL);
    ELSE
        event := 'slot_taken';
        PERFORM recruiting.write_booking_mail(NEW, 'candidate', event, NULL, NULL);
    END IF;
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, target_type, target_id,
                                      success, request_id)
    VALUES (gen_random_uuid(), clock_timestamp(), NEW.organization_id, 'system', 'booking.' || event, 'booking',
            replace(NEW.id::text, '-', ''), true,
            -- Any role can set it: only what can be a request id goes into the log.
            substring(current_setting('recruiting.request_id', true) FROM '^[A-Za-z0-9_-]{8,64}$'));
    RETURN NULL;
END $$;
ALTER FUNCTION recruiting.tell_booking OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.tell_booking FROM PUBLIC;
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON recruiting.bookings
    FOR EACH ROW EXECUTE FUNCTION recruiting.tell_booking();

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
REVOKE EXECUTE ON FUNCTION recruiting.follow_bookings FROM PUBLIC;
CREATE TRIGGER follow_added AFTER INSERT ON recruiting.bookings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_bookings();
CREATE TRIGGER follow_changed AFTER UPDATE ON recruiting.bookings
    REFERENCING NEW TABLE AS changed OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.follow_bookings();
CREATE TRIGGER follow_removed AFTER DELETE ON recruiting.bookings
    REFERENCING OLD TABLE AS before FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_bookings();

-- And the interview shows its interviewer's name, which an organization may give. As the owner: admins who change members in the
-- console change no candidates.
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
CREATE FUNCTION recruiting.follow_member_name() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM recruiting.touch_candidates(ARRAY(
        SELECT b.candidate_id FROM recruiting.bookings b
        WHERE b.membership_id = NEW.id AND b.status = 'confirmed'
          AND tstzrange(b.starts_at, b.ends_at) && tstzrange(now(), NULL)));
    RETURN NULL;
END $$;
ALTER FUNCTION recruiting.follow_member_name OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.follow_member_name FROM PUBLIC;
CREATE TRIGGER follow_renamed AFTER UPDATE OF invited_name ON recruiting.memberships
    FOR EACH ROW WHEN (OLD.invited_name IS DISTINCT FROM NEW.invited_name)
    EXECUTE FUNCTION recruiting.follow_member_name();
