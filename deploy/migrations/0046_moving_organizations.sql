-- Organizations are moved between installations (decision 0100): frozen while they are exported, imported as they were.

-- The organizations that nothing may change: `recruitctl organization freeze`. auth-api's workers learn the
-- ids and nothing else.
CREATE TABLE recruiting.frozen_organizations (
    organization_id uuid PRIMARY KEY REFERENCES recruiting.organizations (id),
    frozen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    frozen_xid xid8 NOT NULL DEFAULT pg_current_xact_id() -- an export waits for the transactions that began before
);
ALTER TABLE recruiting.frozen_organizations OWNER TO recruiting_owner;
ALTER TABLE recruiting.frozen_organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.frozen_organizations FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.frozen_organizations TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY known ON recruiting.frozen_organizations FOR SELECT TO recruiting_auth USING (true);
GRANT SELECT ON recruiting.frozen_organizations TO recruiting_auth;

-- Changes of records, of whatever program, fail with lock_not_available: services answer 503 and workers try again.
CREATE FUNCTION recruiting.refuse_frozen() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM recruiting.frozen_organizations f WHERE f.organization_id = NEW.organization_id) THEN
        RAISE EXCEPTION 'the organization is frozen: it is being moved to another installation'
            USING ERRCODE = 'lock_not_available';
    END IF;
    RETURN NEW;
END $$;
ALTER FUNCTION recruiting.refuse_frozen OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.refuse_frozen FROM PUBLIC; -- as of place_booking
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE ON recruiting.memberships
    FOR EACH ROW EXECUTE FUNCTION recruiting.refuse_frozen();
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE OF name, revoked_at ON recruiting.api_keys -- last uses are still noted
    FOR EACH ROW EXECUTE FUNCTION recruiting.refuse_frozen();
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE ON recruiting.jobs
    FOR EACH ROW EXECUTE FUNCTION recruiting.refuse_frozen();
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE ON recruiting.stages
    FOR EACH ROW EXECUTE FUNCTION recruiting.refuse_frozen();
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE ON recruiting.hiring_teams
    FOR EACH ROW EXECUTE FUNCTION recruiting.refuse_frozen();
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE ON recruiting.candidates
    FOR EACH ROW EXECUTE FUNCTION recruiting.refuse_frozen();
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE ON recruiting.applications
    FOR EACH ROW EXECUTE FUNCTION recruiting.refuse_frozen();
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE ON recruiting.interview_slots
    FOR EACH ROW EXECUTE FUNCTION recruiting.refuse_frozen();
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE ON recruiting.bookings
    FOR EACH ROW EXECUTE FUNCTION recruiting.refuse_frozen();

-- Workers leave the mails and booking requests of a frozen organization: the installation that imports them sends and
-- decides.
CREATE POLICY not_frozen ON recruiting.mail_outbox AS RESTRICTIVE TO recruiting_auth
    USING (organization_id IS NULL
           OR organization_id NOT IN (SELECT f.organization_id FROM recruiting.frozen_organizations f));
CREATE POLICY not_frozen ON recruiting.booking_requests AS RESTRICTIVE TO recruiting_auth
    USING (organization_id NOT IN (SELECT f.organization_id FROM recruiting.frozen_organizations f));

-- As in 0043, but a frozen organization's keys show the status frozen: they set no tenant, and auth-api answers 503.
CREATE OR REPLACE VIEW recruiting.presented_credential WITH (security_barrier) AS
SELECT k.id, k.organization_id, k.membership_id, k.name, k.displayed_prefix, k.environment, k.scopes, k.allowed_ips,
       k.created_at, k.expires_at, CASE WHEN NOT k.name_released THEN k.revoked_at END AS revoked_at,
       m.role,
       CASE WHEN EXISTS (SELECT FROM recruiting.frozen_organizations f WHERE f.organization_id = k.organization_id)
            THEN 'frozen' ELSE m.status END AS status,
       u.name AS member_name, u.email AS member_email, k.secret_hash
FROM recruiting.api_keys k
JOIN recruiting.memberships m ON m.id = k.membership_id
JOIN recruiting.users u ON u.id = m.user_id
WHERE k.secret_hash = ANY (recruiting.current_secret_hashes());

-- As in 0030, but the console offers no frozen organization, and a session there has to choose another.
CREATE OR REPLACE VIEW recruiting.presented_session WITH (security_barrier) AS
SELECT s.id, s.user_id, m.organization_id, m.id AS membership_id, m.role, u.name AS member_name, u.email AS member_email,
       s.created_at, s.expires_at, s.idle_expires_at, s.last_seen_at, o.slug AS organization_slug
FROM recruiting.console_sessions s
JOIN recruiting.users u ON u.id = s.user_id
LEFT JOIN recruiting.memberships m
       ON m.id = s.membership_id AND m.user_id = s.user_id AND m.status = 'active'
      AND NOT EXISTS (SELECT FROM recruiting.frozen_organizations f WHERE f.organization_id = m.organization_id)
LEFT JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE s.hash = recruiting.current_session_hash() AND s.expires_at > now() AND s.idle_expires_at > now();

CREATE OR REPLACE VIEW recruiting.session_organizations WITH (security_barrier) AS
SELECT o.id, o.slug, o.name, o.time_zone, m.id AS membership_id, m.role, m.title,
       m.status = 'active' AND m.id IS NOT DISTINCT FROM s.membership_id AS chosen
FROM recruiting.console_sessions s
JOIN recruiting.memberships m ON m.user_id = s.user_id AND m.status IN ('active', 'invited')
JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE s.hash = recruiting.current_session_hash() AND s.expires_at > now() AND s.idle_expires_at > now()
  AND NOT EXISTS (SELECT FROM recruiting.frozen_organizations f WHERE f.organization_id = o.id);

CREATE OR REPLACE FUNCTION recruiting.enter_organization(session uuid, membership uuid, client inet, agent text,
                                                         request text)
    RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    entered record;
    found_status text;
    invited boolean;
BEGIN
    -- A removal that is under way is waited for.
    SELECT m.status INTO found_status FROM recruiting.memberships m WHERE m.id = membership FOR NO KEY UPDATE;
    IF found_status IS NULL OR found_status NOT IN ('active', 'invited')
       OR EXISTS (SELECT FROM recruiting.memberships m JOIN recruiting.frozen_organizations f USING (organization_id)
                   WHERE m.id = membership) THEN
        RETURN false;
    END IF;
    invited := found_status = 'invited';
    IF invited THEN
        UPDATE recruiting.memberships SET status = 'active', invitation_open = false WHERE id = membership;
    END IF;
    UPDATE recruiting.console_sessions SET membership_id = membership WHERE id = session;
    SELECT m.organization_id, m.id, m.role, u.email INTO entered
      FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id WHERE m.id = membership;
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, actor_member_id, actor_email,
                                      actor_role, action, target_type, target_id, success, ip_address, user_agent,
                                      request_id)
    SELECT gen_random_uuid(), clock_timestamp(), entered.organization_id, 'member', entered.id, entered.email,
           entered.role, a.action, 'member', replace(entered.id::text, '-', ''), true, client, agent, request
      FROM unnest(CASE WHEN invited THEN ARRAY['member.joined', 'member.signed_in'] ELSE ARRAY['member.signed_in'] END)
           AS a (action);
    RETURN true;
END $$;

-- As in 0010, but a frozen organization offers no times: a request would be lost.
CREATE OR REPLACE VIEW recruiting.published_slots WITH (security_barrier) AS
SELECT s.organization_id, s.job_id, s.stage_id, s.starts_at, max(s.ends_at) AS ends_at
FROM recruiting.interview_slots s
JOIN recruiting.published_stages st ON st.id = s.stage_id AND st.job_id = s.job_id
JOIN recruiting.memberships m ON m.id = s.membership_id AND m.status = 'active'
WHERE s.closed_at IS NULL
  AND NOT EXISTS (SELECT FROM recruiting.frozen_organizations f WHERE f.organization_id = s.organization_id)
GROUP BY s.organization_id, s.job_id, s.stage_id, s.starts_at;

-- Whether this transaction moves an organization's rows as they are: nothing is derived from them, and no mail or audit row
-- follows. Any role can set the setting; it counts in a session of the owner only.
CREATE FUNCTION recruiting.is_moving() RETURNS boolean LANGUAGE sql STABLE
    RETURN coalesce(current_setting('recruiting.moving', true) = 'on', false) AND recruiting.is_owners_session();
ALTER FUNCTION recruiting.is_moving OWNER TO recruiting_owner;

CREATE OR REPLACE TRIGGER copy_added AFTER INSERT ON recruiting.stages
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (NOT recruiting.is_moving())
    EXECUTE FUNCTION recruiting.copy_stages();
CREATE OR REPLACE TRIGGER copy_removed AFTER DELETE ON recruiting.stages
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT WHEN (NOT recruiting.is_moving())
    EXECUTE FUNCTION recruiting.copy_stages();
CREATE OR REPLACE TRIGGER copy_hiring_team AFTER INSERT OR UPDATE OR DELETE ON recruiting.hiring_teams
    FOR EACH ROW WHEN (NOT recruiting.is_moving()) EXECUTE FUNCTION recruiting.copy_hiring_team();
CREATE OR REPLACE TRIGGER follow_joined AFTER INSERT ON recruiting.hiring_teams
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN (NOT recruiting.is_moving())
    EXECUTE FUNCTION recruiting.follow_teams();
CREATE OR REPLACE TRIGGER follow_left AFTER DELETE ON recruiting.hiring_teams
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT WHEN (NOT recruiting.is_moving())
    EXECUTE FUNCTION recruiting.follow_teams();
CREATE OR REPLACE TRIGGER add_terms AFTER INSERT ON recruiting.candidates
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN (NOT recruiting.is_moving())
    EXECUTE FUNCTION recruiting.add_candidate_terms();
CREATE OR REPLACE TRIGGER count_added AFTER INSERT ON recruiting.applications
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN (NOT recruiting.is_moving())
    EXECUTE FUNCTION recruiting.count_applications();
CREATE OR REPLACE TRIGGER count_removed AFTER DELETE ON recruiting.applications
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT WHEN (NOT recruiting.is_moving())
    EXECUTE FUNCTION recruiting.count_applications();
CREATE OR REPLACE TRIGGER follow_added AFTER INSERT ON recruiting.applications
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN (NOT recruiting.is_moving())
    EXECUTE FUNCTION recruiting.follow_applications();
CREATE OR REPLACE TRIGGER follow_removed AFTER DELETE ON recruiting.applications
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT WHEN (NOT recruiting.is_moving())
    EXECUTE FUNCTION recruiting.follow_applications();
CREATE OR REPLACE TRIGGER place BEFORE INSERT OR UPDATE ON recruiting.bookings
    FOR EACH ROW WHEN (NOT recruiting.is_moving()) EXECUTE FUNCTION recruiting.place_booking();
CREATE OR REPLACE TRIGGER tell AFTER INSERT OR UPDATE ON recruiting.bookings
    FOR EACH ROW WHEN (NOT recruiting.is_moving()) EXECUTE FUNCTION recruiting.tell_booking();
CREATE OR REPLACE TRIGGER follow_added AFTER INSERT ON recruiting.bookings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (NOT recruiting.is_moving())
    EXECUTE FUNCTION recruiting.follow_bookings();
CREATE OR REPLACE TRIGGER follow_removed AFTER DELETE ON recruiting.bookings
    REFERENCING OLD TABLE AS before FOR EACH STATEMENT WHEN (NOT recruiting.is_moving())
    EXECUTE FUNCTION recruiting.follow_bookings();

-- Transaction numbers are a server's own: what is imported has the number of the import, so that every sync there sees it.
ALTER TABLE recruiting.job_candidates ALTER COLUMN changed_xid SET DEFAULT pg_current_xact_id();
ALTER TABLE recruiting.reach_changes ALTER COLUMN changed_xid SET DEFAULT pg_current_xact_id();

-- A partition for each month in which an imported chain has rows and this installation has none: the days that no
-- partition covers, where the month has days, else the month.
CREATE FUNCTION recruiting.add_audit_months(months date[]) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    month timestamp;
    day timestamp;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('recruiting.ensure_audit_partitions'));
    FOREACH month IN ARRAY months::timestamp[] LOOP
        IF NOT EXISTS (SELECT FROM recruiting.audit_partitions('audit_log') p
                        WHERE p.ends_at > month AT TIME ZONE 'UTC'
                          AND p.starts_at < (month + interval '1 month') AT TIME ZONE 'UTC') THEN
            PERFORM recruiting.add_audit_partition('audit_log', month, interval '1 month');
            CONTINUE;
        END IF;
        FOR day IN SELECT generate_series(month, month + interval '1 month' - interval '1 day', interval '1 day') LOOP
            IF NOT EXISTS (SELECT FROM recruiting.audit_partitions('audit_log') p
                            WHERE p.starts_at <= day AT TIME ZONE 'UTC' AND p.ends_at > day AT TIME ZONE 'UTC') THEN
                PERFORM recruiting.add_audit_partition('audit_log', day, interval '1 day');
            END IF;
        END LOOP;
    END LOOP;
END $$;
ALTER FUNCTION recruiting.add_audit_months OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.add_audit_months FROM PUBLIC;
