-- One canonical form of an address decides who somebody is (decision 0111). The programs compute it (mail/address.hpp) and
-- write it to email_key; PostgreSQL folds no address. recruitctl migrate computes it here for the addresses that lower() may
-- have folded otherwise: those beyond plain ASCII.

-- The address belongs to the membership: mail of an organization goes to what was typed there.
-- locks: memberships are few
ALTER TABLE recruiting.memberships ADD COLUMN email text CHECK (length(email) BETWEEN 3 AND 254);
-- Syncs need not report members again, and a frozen organization's rows are kept as they are.
ALTER TABLE recruiting.memberships DISABLE TRIGGER USER;
-- locks: memberships are few
UPDATE recruiting.memberships m SET email = u.email FROM recruiting.users u WHERE u.id = m.user_id;
ALTER TABLE recruiting.memberships ENABLE TRIGGER USER;
-- locks: memberships are few
ALTER TABLE recruiting.memberships ALTER COLUMN email SET NOT NULL;
GRANT INSERT (email), UPDATE (email) ON recruiting.memberships TO recruiting_auth;

-- A person without a canonical form, or whose form another person has, has NULL: they keep their keys and sessions, and
-- nobody signs in as them. recruitctl doctor names them.
ALTER TABLE recruiting.users ALTER COLUMN email_key DROP EXPRESSION, ALTER COLUMN email_key DROP NOT NULL;
ALTER TABLE recruiting.users DISABLE TRIGGER USER;
-- locks: addresses beyond plain ASCII are few
UPDATE recruiting.users SET email_key = NULL
 WHERE email !~ '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-zA-Z0-9.-]+$' OR email ~* '[@.]xn--';
ALTER TABLE recruiting.users ENABLE TRIGGER USER;
ALTER TABLE recruiting.candidates ALTER COLUMN email_key DROP EXPRESSION;
ALTER TABLE recruiting.candidates DISABLE TRIGGER USER;
-- locks: as of users
UPDATE recruiting.candidates SET email_key = NULL
 WHERE email !~ '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-zA-Z0-9.-]+$' OR email ~* '[@.]xn--';
ALTER TABLE recruiting.candidates ENABLE TRIGGER USER;
ALTER TABLE recruiting.unmatched_booking_requests ALTER COLUMN email_key DROP EXPRESSION;
GRANT INSERT (email_key) ON recruiting.unmatched_booking_requests TO recruiting_auth;

-- A request for a sign-in link names a person, and the link goes to the address that an organization has of them.
ALTER TABLE recruiting.sign_in_requests DROP COLUMN email;
-- locks: the worker keeps this table empty
DELETE FROM recruiting.sign_in_requests;
-- locks: the table is empty
ALTER TABLE recruiting.sign_in_requests ADD COLUMN email_key text NOT NULL CHECK (length(email_key) BETWEEN 3 AND 254);
GRANT INSERT (email_key) ON recruiting.sign_in_requests TO recruiting_auth;

-- Who somebody is before an organization is chosen: the address and name that the first organization they joined gave them.
-- Who has joined none has the address of the first that invited them, and no name. For the owner's views alone.
CREATE VIEW recruiting.people AS
SELECT u.id AS user_id, u.email_key, m.email, CASE m.status WHEN 'active' THEN coalesce(m.invited_name, u.name) END AS name
FROM recruiting.users u
CROSS JOIN LATERAL (SELECT * FROM recruiting.memberships m WHERE m.user_id = u.id AND m.status IN ('active', 'invited')
                    ORDER BY m.status = 'invited', m.created_at, m.id LIMIT 1) AS m;
ALTER VIEW recruiting.people OWNER TO recruiting_owner;

-- The views and functions as before, but for the addresses of members.

CREATE OR REPLACE VIEW recruiting.presented_credential WITH (security_barrier) AS
SELECT k.id, k.organization_id, k.membership_id, k.name, k.displayed_prefix, k.environment, k.scopes, k.allowed_ips,
       k.created_at, k.expires_at, CASE WHEN NOT k.name_released THEN k.revoked_at END AS revoked_at,
       m.role,
       CASE WHEN EXISTS (SELECT FROM recruiting.frozen_organizations f WHERE f.organization_id = k.organization_id)
            THEN 'frozen' ELSE m.status END AS status,
       coalesce(m.invited_name, u.name) AS member_name, m.email AS member_email, k.secret_hash
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
      AND NOT EXISTS (SELECT FROM recruiting.frozen_organizations f WHERE f.organization_id = m.organization_id)
LEFT JOIN recruiting.people p ON p.user_id = s.user_id
LEFT JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE s.hash = recruiting.current_session_hash() AND s.expires_at > now() AND s.idle_expires_at > now();

CREATE OR REPLACE VIEW recruiting.presented_sign_in WITH (security_barrier) AS
SELECT coalesce(i.email, p.email) AS email, t.expires_at
FROM recruiting.sign_in_tokens t
JOIN recruiting.people p ON p.user_id = t.user_id AND p.email_key = t.email_key
LEFT JOIN recruiting.memberships i
       ON i.id = t.membership_id AND i.user_id = t.user_id AND i.status IN ('active', 'invited')
WHERE t.hash = recruiting.current_sign_in_token() AND t.used_at IS NULL AND t.expires_at > now()
  AND (t.membership_id IS NULL OR i.id IS NOT NULL);

CREATE OR REPLACE VIEW recruiting.mail_content WITH (security_barrier) AS
SELECT m.id, o.name AS organization_name, o.slug AS organization_slug, j.title AS job_title, s.name AS stage_name,
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

CREATE OR REPLACE VIEW recruiting.member_mail_content WITH (security_barrier) AS
SELECT m.id, u.id AS user_id, u.email_key,
       CASE WHEN i.id IS NOT NULL THEN coalesce(i.invited_name, u.name) ELSE coalesce(p.name, '') END AS member_name,
       o.name AS organization_name,
       CASE WHEN u.email_key IS NOT NULL
            THEN CASE m.kind WHEN 'invitation' THEN CASE i.status WHEN 'invited' THEN i.email END ELSE p.email END END AS email,
       o.logo_url, o.accent_color
FROM recruiting.mail_outbox m
JOIN recruiting.users u ON u.id = m.user_id
LEFT JOIN recruiting.people p ON p.user_id = m.user_id
LEFT JOIN recruiting.organizations o ON o.id = m.organization_id
LEFT JOIN recruiting.memberships i ON i.id = m.membership_id
WHERE m.audience = 'member' AND recruiting.is_worker('mailer');

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

-- The person with this canonical address, added under the given name where there is none yet. NULL: there is none, and no
-- name was given. Runs as its owner, so that an admin who invites reads nothing of the people of other organizations.
DROP FUNCTION recruiting.find_or_add_user(uuid, text, text);
CREATE FUNCTION recruiting.find_or_add_user(new_id uuid, wanted_key text, wanted_name text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT recruiting.is_owners_session()
       AND (recruiting.console_organization_id('admin') IS NULL OR wanted_name IS NULL) THEN
        RAISE EXCEPTION 'only an admin''s session finds people' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF wanted_name IS NOT NULL THEN
        -- Another organization may add the same person at this moment: the loser of that race takes the winner's row.
        INSERT INTO recruiting.users (id, email_key, name) VALUES (new_id, wanted_key, wanted_name)
        ON CONFLICT (email_key) DO NOTHING;
    END IF;
    RETURN (SELECT u.id FROM recruiting.users u WHERE u.email_key = wanted_key);
END $$;
ALTER FUNCTION recruiting.find_or_add_user OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.find_or_add_user FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.find_or_add_user TO recruiting_auth;

-- Writes a sign-in token as in 0035, for the person whom the provider has identified. An organization must have typed their
-- local part as the provider sends it, but for ASCII case: what NFC alone makes equal may be another mailbox there.
DROP FUNCTION recruiting.admit_identified(bytea, text);
CREATE FUNCTION recruiting.admit_identified(token_hash bytea, wanted_key text, wanted_local_part text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT recruiting.is_worker('openid_connect') THEN
        RAISE EXCEPTION 'only a sign-in by OpenID Connect is admitted' USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO recruiting.sign_in_tokens (hash, user_id, email_key, expires_at)
    SELECT token_hash, u.id, u.email_key, now() + interval '15 minutes'
      FROM recruiting.users u
     WHERE u.email_key = wanted_key
       AND EXISTS (SELECT FROM recruiting.memberships m
                    WHERE m.user_id = u.id AND m.status IN ('active', 'invited')
                      AND translate(regexp_replace(m.email, '@[^@]*$', ''), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
                                    'abcdefghijklmnopqrstuvwxyz') = wanted_local_part)
        ON CONFLICT (hash) DO NOTHING;
END $$;
ALTER FUNCTION recruiting.admit_identified OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.admit_identified FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.admit_identified TO recruiting_auth;

-- The audit rows that functions write name the member as the organization does.
DO $$
DECLARE function text;
BEGIN
    FOREACH function IN ARRAY ARRAY['recruiting.record_run_end()', 'recruiting.write_refused_counts()'] LOOP
        EXECUTE replace(pg_get_functiondef(function::regprocedure), 'u.email', 'm.email');
    END LOOP;
END $$;

DROP TRIGGER stamp_memberships ON recruiting.users;
CREATE TRIGGER stamp_memberships AFTER UPDATE OF name ON recruiting.users
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name)
    EXECUTE FUNCTION recruiting.stamp_memberships_of_user();

ALTER TABLE recruiting.users DROP COLUMN email;
