-- Interview booking (design: Public API, Booking). The public side sees the schedule and adds requests; a worker with
-- candidates in its reach matches them. Whoever holds the token of an e-mailed link reaches that one booking.
CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA recruiting; -- uuid = in an exclusion constraint

CREATE FUNCTION recruiting.current_booking_token() RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
    RETURN decode(nullif(current_setting('recruiting.booking_token', true), ''), 'hex');

-- When an interviewer is ready to be booked. Opened and closed by recruitctl.
CREATE TABLE recruiting.interview_slots (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    job_id uuid NOT NULL REFERENCES recruiting.jobs (id),
    stage_id uuid NOT NULL REFERENCES recruiting.stages (id),
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id), -- the interviewer's
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL CHECK (ends_at > starts_at AND ends_at <= starts_at + interval '8 hours'),
    join_url text CHECK (join_url ~ '^https://' AND length(join_url) <= 2000), -- NULL: a room of its own a booking
    closed_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT recruiting.protect_tenant_table('recruiting.interview_slots');
CREATE UNIQUE INDEX interview_slots_once ON recruiting.interview_slots (stage_id, membership_id, starts_at)
    WHERE closed_at IS NULL;
CREATE INDEX interview_slots_of_stage ON recruiting.interview_slots (job_id, stage_id, starts_at)
    WHERE closed_at IS NULL;
CREATE INDEX interview_slots_of_organization ON recruiting.interview_slots (organization_id, starts_at, id);
CREATE INDEX interview_slots_of_member ON recruiting.interview_slots (membership_id, starts_at);
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.interview_slots
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_updated_at();

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

-- What was asked for over HTTP, the same for everybody. The worker takes each once and deletes it with what it decides.
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
    leased_until timestamptz NOT NULL DEFAULT '-infinity'
);
ALTER TABLE recruiting.booking_requests OWNER TO recruiting_owner;
ALTER TABLE recruiting.booking_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.booking_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.booking_requests TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY ask ON recruiting.booking_requests FOR INSERT TO recruiting_public
    WITH CHECK (EXISTS (SELECT FROM recruiting.published_slots p
                        WHERE p.job_id = booking_requests.job_id AND p.stage_id = booking_requests.stage_id
                          AND p.starts_at = booking_requests.starts_at
                          AND p.organization_id = booking_requests.organization_id));
CREATE POLICY worker ON recruiting.booking_requests TO recruiting_auth
    USING ((SELECT recruiting.is_worker('booking'))) WITH CHECK ((SELECT recruiting.is_worker('booking')));
GRANT INSERT (organization_id, job_id, stage_id, starts_at, email, time_zone) ON recruiting.booking_requests TO recruiting_public;
GRANT SELECT, DELETE, UPDATE (attempts, leased_until) ON recruiting.booking_requests TO recruiting_auth;
CREATE INDEX booking_requests_by_arrival ON recruiting.booking_requests (received_at, id);

-- One row an application and stage. confirmed: the interviewer is taken from starts_at to ends_at. unplaced: the time
-- asked for (wanted_starts_at) was gone, the candidate has a link to pick another. canceled: by the candidate.
-- Writers set status, slot_id, wanted_starts_at, time_zone and room_url; the triggers below do the rest, so that no
-- booking changes without its calendar sequence, its mails and its audit row.
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
    join_url text,
    room_url text,              -- where they meet when the slot names no place
    wanted_starts_at timestamptz,
    time_zone text NOT NULL CHECK (length(time_zone) <= 64), -- IANA; for the mails' wording
    calendar_uid uuid NOT NULL, -- of the iCalendar event (RFC 5545 section 3.8.4.7), kept while it is moved
    sequence integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (application_id, stage_id),
    CHECK (status <> 'confirmed' OR (slot_id IS NOT NULL AND membership_id IS NOT NULL AND starts_at IS NOT NULL
                                     AND ends_at IS NOT NULL)),
    CHECK (status <> 'unplaced' OR wanted_starts_at IS NOT NULL),
    CONSTRAINT bookings_one_at_a_time EXCLUDE USING gist
        (membership_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE (status = 'confirmed')
);
SELECT recruiting.protect_tenant_table('recruiting.bookings');
CREATE INDEX bookings_of_candidate ON recruiting.bookings (candidate_id);
CREATE INDEX bookings_of_job ON recruiting.bookings (job_id, starts_at) WHERE status = 'confirmed';
CREATE INDEX bookings_of_organization ON recruiting.bookings (organization_id, starts_at, id);
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.bookings
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_updated_at();
-- As the applications they belong to: admins, recruiters, and hiring managers on their jobs; and the worker.
CREATE POLICY by_role ON recruiting.bookings AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin', 'recruiter'))
           OR ((SELECT recruiting.has_role('hiring_manager'))
               AND job_id IN (SELECT t.job_id FROM recruiting.hiring_teams t
                              WHERE t.membership_id = (SELECT recruiting.current_member_id())))
           OR (SELECT recruiting.is_worker('booking')));
CREATE POLICY worker ON recruiting.bookings TO recruiting_auth
    USING ((SELECT recruiting.is_worker('booking'))) WITH CHECK ((SELECT recruiting.is_worker('booking')));
GRANT INSERT (id, organization_id, application_id, candidate_id, job_id, stage_id, status, slot_id, wanted_starts_at,
              time_zone, room_url, calendar_uid),
      UPDATE (status, slot_id, wanted_starts_at, time_zone, room_url) ON recruiting.bookings TO recruiting_auth;

-- The e-mailed links: SHA-256 of the token's 32 random bytes. A link outlives its booking's changes.
CREATE TABLE recruiting.booking_tokens (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    booking_id uuid NOT NULL REFERENCES recruiting.bookings (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
SELECT recruiting.protect_tenant_table('recruiting.booking_tokens');
CREATE INDEX booking_tokens_of_booking ON recruiting.booking_tokens (booking_id);
CREATE INDEX booking_tokens_by_expiry ON recruiting.booking_tokens (expires_at);
CREATE POLICY nobody ON recruiting.booking_tokens AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer'))) WITH CHECK ((SELECT recruiting.is_worker('mailer')));
CREATE POLICY worker ON recruiting.booking_tokens TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer'))) WITH CHECK ((SELECT recruiting.is_worker('mailer')));
GRANT INSERT, DELETE ON recruiting.booking_tokens TO recruiting_auth;

-- The booking whose link this transaction has presented; NULL without one, or when it has expired.
CREATE FUNCTION recruiting.presented_booking_id() RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog
    RETURN (SELECT t.booking_id FROM recruiting.booking_tokens t
            WHERE t.hash = recruiting.current_booking_token() AND t.expires_at > now());
ALTER FUNCTION recruiting.presented_booking_id OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.presented_booking_id FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.presented_booking_id TO recruiting_public;

-- What the manage page shows: nothing of the candidate, for links are forwarded.
CREATE VIEW recruiting.presented_booking WITH (security_barrier) AS
SELECT b.id, b.status, b.starts_at, b.ends_at, b.wanted_starts_at, b.time_zone, b.join_url, b.calendar_uid, b.sequence,
       b.updated_at, b.job_id, j.title AS job_title, b.stage_id, s.name AS stage_name,
       o.name AS organization_name, o.slug AS organization_slug, o.logo_url, o.website_url,
       (SELECT u.name FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
        WHERE m.id = b.membership_id) AS interviewer_name
FROM recruiting.bookings b
JOIN recruiting.jobs j ON j.id = b.job_id
JOIN recruiting.stages s ON s.id = b.stage_id
JOIN recruiting.organizations o ON o.id = b.organization_id
WHERE b.id = (SELECT recruiting.presented_booking_id());
ALTER VIEW recruiting.presented_booking OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_booking TO recruiting_public;

-- True availability, for whoever presents a link: its job's and stage's free slots, as long as a request of that
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
GRANT SELECT (id, status), UPDATE (status, slot_id, time_zone) ON recruiting.bookings TO recruiting_public;

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

-- Open slots whose interviewer is free, one row an interviewer, with how many interviews that one has ahead.
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

-- Fills in what follows from the slot, and keeps the calendar's rules: a moved event keeps its UID and counts its
-- SEQUENCE up, a new one starts afresh (RFC 5546 section 2.1.4).
CREATE FUNCTION recruiting.place_booking() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog AS $$
DECLARE slot recruiting.interview_slots;
BEGIN
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
        NEW.join_url := coalesce(slot.join_url, NEW.room_url);
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
        NEW.slot_id := NULL;
        NEW.membership_id := NULL;
        NEW.starts_at := NULL;
        NEW.ends_at := NULL;
        NEW.join_url := NULL;
    END IF;
    RETURN NEW;
END $$;
ALTER FUNCTION recruiting.place_booking OWNER TO recruiting_owner;
-- Firing needs no such right, making a trigger does: on a temporary table of its own anybody could run it as the owner.
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
