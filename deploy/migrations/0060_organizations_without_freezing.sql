-- No state of an organization stops its requests and changes: views, functions and triggers know none.

CREATE OR REPLACE VIEW recruiting.presented_credential WITH (security_barrier) AS
SELECT k.id, k.organization_id, k.membership_id, k.name, k.displayed_prefix, k.environment, k.scopes, k.allowed_ips,
       k.created_at, k.expires_at, CASE WHEN NOT k.name_released THEN k.revoked_at END AS revoked_at,
       m.role, m.status, coalesce(m.invited_name, u.name) AS member_name, m.email AS member_email, k.secret_hash
FROM recruiting.api_keys k
JOIN recruiting.memberships m ON m.id = k.membership_id
JOIN recruiting.users u ON u.id = m.user_id
WHERE k.secret_hash = ANY (recruiting.current_secret_hashes());

CREATE OR REPLACE VIEW recruiting.presented_session WITH (security_barrier) AS
SELECT s.id, s.user_id, m.organization_id, m.id AS membership_id, m.role,
       CASE WHEN m.id IS NOT NULL THEN coalesce(m.invited_name, u.name) ELSE coalesce(p.name, p.email) END AS member_name,
       coalesce(m.email, p.email) AS member_email,
       s.created_at, s.expires_at, s.idle_expires_at, s.last_seen_at, o.slug AS organization_slug
FROM recruiting.console_sessions s
JOIN recruiting.users u ON u.id = s.user_id
LEFT JOIN recruiting.memberships m
       ON m.id = s.membership_id AND m.user_id = s.user_id AND m.status = 'active'
LEFT JOIN recruiting.people p ON p.user_id = s.user_id
LEFT JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE s.hash = recruiting.current_session_hash() AND s.expires_at > now() AND s.idle_expires_at > now();

CREATE OR REPLACE VIEW recruiting.session_organizations WITH (security_barrier) AS
SELECT o.id, o.slug, o.name, o.time_zone, m.id AS membership_id, m.role, m.title,
       m.status = 'active' AND m.id IS NOT DISTINCT FROM s.membership_id AS chosen
FROM recruiting.console_sessions s
JOIN recruiting.memberships m ON m.user_id = s.user_id AND m.status IN ('active', 'invited')
JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE s.hash = recruiting.current_session_hash() AND s.expires_at > now() AND s.idle_expires_at > now();

CREATE OR REPLACE VIEW recruiting.published_slots WITH (security_barrier) AS
SELECT s.organization_id, s.job_id, s.stage_id, s.starts_at, max(s.ends_at) AS ends_at
FROM recruiting.interview_slots s
JOIN recruiting.published_stages st ON st.id = s.stage_id AND st.job_id = s.job_id
JOIN recruiting.memberships m ON m.id = s.membership_id AND m.status = 'active'
WHERE s.closed_at IS NULL
GROUP BY s.organization_id, s.job_id, s.stage_id, s.starts_at;

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
    IF found_status IS NULL OR found_status NOT IN ('active', 'invited') THEN
        RETURN false;
    END IF;
    invited := found_status = 'invited';
    IF invited THEN
        UPDATE recruiting.memberships SET status = 'active', invitation_open = false WHERE id = membership;
    END IF;
    UPDATE recruiting.console_sessions SET membership_id = membership WHERE id = session;
    SELECT m.organization_id, m.id, m.role, m.email INTO entered FROM recruiting.memberships m WHERE m.id = membership;
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, actor_member_id, actor_email,
                                      actor_role, action, target_type, target_id, success, ip_address, user_agent,
                                      request_id)
    SELECT gen_random_uuid(), clock_timestamp(), entered.organization_id, 'member', entered.id, entered.email,
           entered.role, a.action, 'member', replace(entered.id::text, '-', ''), true, client, agent, request
      FROM unnest(CASE WHEN invited THEN ARRAY['member.joined', 'member.signed_in'] ELSE ARRAY['member.signed_in'] END)
           AS a (action);
    RETURN true;
END $$;

DROP TRIGGER frozen ON recruiting.memberships;
DROP TRIGGER frozen ON recruiting.api_keys;
DROP TRIGGER frozen ON recruiting.jobs;
DROP TRIGGER frozen ON recruiting.stages;
DROP TRIGGER frozen ON recruiting.hiring_teams;
DROP TRIGGER frozen ON recruiting.candidates;
DROP TRIGGER frozen ON recruiting.applications;
DROP TRIGGER frozen ON recruiting.interview_slots;
DROP TRIGGER frozen ON recruiting.bookings;
DROP FUNCTION recruiting.refuse_frozen;
DROP POLICY not_frozen ON recruiting.mail_outbox;
DROP POLICY not_frozen ON recruiting.booking_requests;
DROP TABLE recruiting.frozen_organizations;

CREATE OR REPLACE TRIGGER copy_added AFTER INSERT ON recruiting.stages
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.copy_stages();
CREATE OR REPLACE TRIGGER copy_removed AFTER DELETE ON recruiting.stages
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.copy_stages();
CREATE OR REPLACE TRIGGER copy_hiring_team AFTER INSERT OR UPDATE OR DELETE ON recruiting.hiring_teams
    FOR EACH ROW EXECUTE FUNCTION recruiting.copy_hiring_team();
CREATE OR REPLACE TRIGGER follow_joined AFTER INSERT ON recruiting.hiring_teams
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_teams();
CREATE OR REPLACE TRIGGER follow_left AFTER DELETE ON recruiting.hiring_teams
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_teams();
CREATE OR REPLACE TRIGGER add_terms AFTER INSERT ON recruiting.candidates
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.add_candidate_terms();
CREATE OR REPLACE TRIGGER count_added AFTER INSERT ON recruiting.applications
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.count_applications();
CREATE OR REPLACE TRIGGER count_removed AFTER DELETE ON recruiting.applications
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.count_applications();
CREATE OR REPLACE TRIGGER follow_added AFTER INSERT ON recruiting.applications
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_applications();
CREATE OR REPLACE TRIGGER follow_removed AFTER DELETE ON recruiting.applications
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_applications();
CREATE OR REPLACE TRIGGER place BEFORE INSERT OR UPDATE ON recruiting.bookings
    FOR EACH ROW EXECUTE FUNCTION recruiting.place_booking();
CREATE OR REPLACE TRIGGER tell AFTER INSERT OR UPDATE ON recruiting.bookings
    FOR EACH ROW EXECUTE FUNCTION recruiting.tell_booking();
CREATE OR REPLACE TRIGGER follow_added AFTER INSERT ON recruiting.bookings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_bookings();
CREATE OR REPLACE TRIGGER follow_removed AFTER DELETE ON recruiting.bookings
    REFERENCING OLD TABLE AS before FOR EACH STATEMENT
    EXECUTE FUNCTION recruiting.follow_bookings();
DROP FUNCTION recruiting.is_moving;
DROP FUNCTION recruiting.add_audit_months(date[]);
ALTER TABLE recruiting.job_candidates ALTER COLUMN changed_xid DROP DEFAULT;
ALTER TABLE recruiting.reach_changes ALTER COLUMN changed_xid DROP DEFAULT;
