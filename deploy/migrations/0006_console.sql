-- The console: sign-in by e-mailed link or OpenID Connect, sessions of members, and what they change (decisions 0086, 0087).

-- What a transaction presents: the hash of a session's cookie, and of a sign-in link's token. Unset: nothing is shown.
CREATE FUNCTION recruiting.current_session_hash() RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
    RETURN decode(nullif(current_setting('recruiting.session_hash', true), ''), 'hex');
CREATE FUNCTION recruiting.current_sign_in_token() RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
    RETURN decode(nullif(current_setting('recruiting.sign_in_token', true), ''), 'hex');

-- A browser in which a person has signed in. hash is the cookie's HMAC-SHA-256 under the deployment's pepper.
CREATE TABLE recruiting.console_sessions (
    id uuid PRIMARY KEY,
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    user_id uuid NOT NULL REFERENCES recruiting.users (id),
    membership_id uuid REFERENCES recruiting.memberships (id), -- where the session acts; NULL: not chosen yet
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(), -- moved once a minute at most
    expires_at timestamptz NOT NULL,
    idle_expires_at timestamptz NOT NULL CHECK (idle_expires_at <= expires_at),
    ip_address inet, -- from where the person signed in
    user_agent text CHECK (length(user_agent) <= 500)
);
ALTER TABLE recruiting.console_sessions OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.console_sessions TO recruiting_owner USING (true) WITH CHECK (true);
GRANT SELECT (id, user_id, membership_id, created_at, last_seen_at, expires_at, idle_expires_at, ip_address, user_agent),
      UPDATE (last_seen_at, idle_expires_at), DELETE ON recruiting.console_sessions TO recruiting_auth;
CREATE INDEX console_sessions_of_user ON recruiting.console_sessions (user_id, created_at);
CREATE INDEX console_sessions_of_member ON recruiting.console_sessions (membership_id);
CREATE INDEX console_sessions_by_expiry ON recruiting.console_sessions (idle_expires_at);

-- The person of the presented session, while it lives.
CREATE FUNCTION recruiting.current_session_user_id() RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    RETURN (SELECT s.user_id FROM recruiting.console_sessions s
            WHERE s.hash = recruiting.current_session_hash() AND s.expires_at > now() AND s.idle_expires_at > now());
ALTER FUNCTION recruiting.current_session_user_id OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.current_session_user_id FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.current_session_user_id TO recruiting_auth;

-- A person lists their own sessions; the workers note last uses and purge. Only open_session makes one. No session ends without
-- its row in the audit log but by expiry.
CREATE POLICY own ON recruiting.console_sessions FOR SELECT TO recruiting_auth
    USING (user_id = (SELECT recruiting.current_session_user_id()));
CREATE POLICY session_use ON recruiting.console_sessions FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.is_worker('session_use')));
CREATE POLICY session_use_update ON recruiting.console_sessions FOR UPDATE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('session_use')));
CREATE POLICY purge_select ON recruiting.console_sessions FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.is_worker('sign_in')) AND idle_expires_at <= now());
CREATE POLICY purge ON recruiting.console_sessions FOR DELETE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('sign_in')) AND idle_expires_at <= now());

-- What authenticate_session reads: the one session whose hash this transaction has set, with the membership as it is now.
-- Without an active membership it has no organization: in a frozen organization neither, there the person has to choose another.
-- Before an organization is chosen, people see the name that the first one they joined gave them, else their address: strangers
-- who only invite them name them to no one. As presented_credential, it runs with the owner's rights.
CREATE VIEW recruiting.presented_session WITH (security_barrier) AS
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
ALTER VIEW recruiting.presented_session OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_session TO recruiting_auth;

-- Where the person of the presented session is a member or invited.
CREATE VIEW recruiting.session_organizations WITH (security_barrier) AS
SELECT o.id, o.slug, o.name, o.time_zone, m.id AS membership_id, m.role, m.title,
       m.status = 'active' AND m.id IS NOT DISTINCT FROM s.membership_id AS chosen
FROM recruiting.console_sessions s
JOIN recruiting.memberships m ON m.user_id = s.user_id AND m.status IN ('active', 'invited')
JOIN recruiting.organizations o ON o.id = m.organization_id
WHERE s.hash = recruiting.current_session_hash() AND s.expires_at > now() AND s.idle_expires_at > now()
  AND NOT EXISTS (SELECT FROM recruiting.frozen_organizations f WHERE f.organization_id = o.id);
ALTER VIEW recruiting.session_organizations OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.session_organizations TO recruiting_auth;

-- The presented session's organization or member, for the worker console and if the member's role is one of these; else
-- NULL. A setting alone opens nothing: role and membership are read from the session. Policies call them as (SELECT …), once
-- per statement.
CREATE FUNCTION recruiting.console_organization_id(VARIADIC roles text[]) RETURNS uuid LANGUAGE sql STABLE
    RETURN (SELECT s.organization_id FROM recruiting.presented_session s
            WHERE recruiting.is_worker('console') AND s.role = ANY (roles));
CREATE FUNCTION recruiting.console_member_id(VARIADIC roles text[]) RETURNS uuid LANGUAGE sql STABLE
    RETURN (SELECT s.membership_id FROM recruiting.presented_session s
            WHERE recruiting.is_worker('console') AND s.role = ANY (roles));

-- Links that sign in, each once. The e-mail address is the one that the link was sent to: a person whose address has
-- changed since does not sign in with it. Links that an operator printed sign in also where members must use the provider:
-- recruiting_auth cannot write by_operator.
CREATE TABLE recruiting.sign_in_tokens (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    user_id uuid NOT NULL REFERENCES recruiting.users (id),
    membership_id uuid REFERENCES recruiting.memberships (id), -- an invitation's
    email_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    by_operator boolean NOT NULL DEFAULT false
);
ALTER TABLE recruiting.sign_in_tokens OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.sign_in_tokens TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY mailer ON recruiting.sign_in_tokens FOR INSERT TO recruiting_auth
    WITH CHECK ((SELECT recruiting.is_worker('mailer')) AND used_at IS NULL AND expires_at <= now() + interval '31 days');
CREATE POLICY mailer_select ON recruiting.sign_in_tokens FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.is_worker('mailer')));
CREATE POLICY purge_select ON recruiting.sign_in_tokens FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.is_worker('sign_in')) AND expires_at <= now());
CREATE POLICY purge ON recruiting.sign_in_tokens FOR DELETE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('sign_in')) AND expires_at <= now());
GRANT SELECT (hash, expires_at), INSERT (hash, user_id, membership_id, email_key, expires_at), DELETE
    ON recruiting.sign_in_tokens TO recruiting_auth;
CREATE INDEX sign_in_tokens_by_expiry ON recruiting.sign_in_tokens (expires_at);
CREATE INDEX sign_in_tokens_of_user ON recruiting.sign_in_tokens (user_id);

-- The link that is presented, if it may still be used.
CREATE VIEW recruiting.presented_sign_in WITH (security_barrier) AS
SELECT coalesce(i.email, p.email) AS email, t.expires_at
FROM recruiting.sign_in_tokens t
JOIN recruiting.people p ON p.user_id = t.user_id AND p.email_key = t.email_key
LEFT JOIN recruiting.memberships i
       ON i.id = t.membership_id AND i.user_id = t.user_id AND i.status IN ('active', 'invited')
WHERE t.hash = recruiting.current_sign_in_token() AND t.used_at IS NULL AND t.expires_at > now()
  AND (t.membership_id IS NULL OR i.id IS NOT NULL);
ALTER VIEW recruiting.presented_sign_in OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_sign_in TO recruiting_auth;
CREATE FUNCTION recruiting.presented_by_operator() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    RETURN EXISTS (SELECT FROM recruiting.sign_in_tokens t
                    WHERE t.hash = recruiting.current_sign_in_token() AND t.by_operator);
ALTER FUNCTION recruiting.presented_by_operator OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.presented_by_operator FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.presented_by_operator TO recruiting_auth;

-- What was asked for over HTTP: one row, the same for known and unknown addresses. The worker deletes it. It names a person, and
-- the link goes to the address that an organization has of them.
CREATE TABLE recruiting.sign_in_requests (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    email_key text NOT NULL CHECK (length(email_key) BETWEEN 3 AND 254),
    language text CHECK (length(language) <= 35),
    received_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE recruiting.sign_in_requests OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.sign_in_requests TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY ask ON recruiting.sign_in_requests FOR INSERT TO recruiting_auth
    WITH CHECK ((SELECT recruiting.is_worker('console')));
CREATE POLICY worker ON recruiting.sign_in_requests TO recruiting_auth
    USING ((SELECT recruiting.is_worker('sign_in'))) WITH CHECK (false);
-- FOR UPDATE SKIP LOCKED needs a right to update.
GRANT SELECT, INSERT (email_key, language), DELETE, UPDATE (received_at) ON recruiting.sign_in_requests TO recruiting_auth;
CREATE INDEX sign_in_requests_by_arrival ON recruiting.sign_in_requests (received_at, id);

-- How many sign-in links a client or an address has asked for in an hour of the clock.
CREATE TABLE recruiting.sign_in_counts (
    subject bytea NOT NULL CHECK (length(subject) = 32), -- SHA-256: neither clients nor e-mail addresses stand here
    hour timestamptz NOT NULL,
    requests integer NOT NULL,
    PRIMARY KEY (subject, hour)
);
ALTER TABLE recruiting.sign_in_counts OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.sign_in_counts TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY count ON recruiting.sign_in_counts TO recruiting_auth
    USING ((SELECT recruiting.is_worker('console')) OR (SELECT recruiting.is_worker('sign_in')))
    WITH CHECK ((SELECT recruiting.is_worker('console')));
GRANT SELECT, INSERT, DELETE, UPDATE (requests) ON recruiting.sign_in_counts TO recruiting_auth;
CREATE INDEX sign_in_counts_by_hour ON recruiting.sign_in_counts (hour);

-- The people to whom the worker sends links, by address.
CREATE VIEW recruiting.sign_in_people WITH (security_barrier) AS
SELECT u.id AS user_id, u.email_key,
       (SELECT min(o.time_zone) FROM recruiting.memberships m JOIN recruiting.organizations o ON o.id = m.organization_id
        WHERE m.user_id = u.id AND m.status IN ('active', 'invited')) AS time_zone
FROM recruiting.users u
WHERE recruiting.is_worker('sign_in')
  AND EXISTS (SELECT FROM recruiting.memberships m WHERE m.user_id = u.id AND m.status IN ('active', 'invited'));
ALTER VIEW recruiting.sign_in_people OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.sign_in_people TO recruiting_auth;

-- The session acts for this membership from now on; an invited member has joined. Writes the audit rows. False: the member
-- was removed meanwhile.
CREATE FUNCTION recruiting.enter_organization(session uuid, membership uuid, client inet, agent text, request text)
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
ALTER FUNCTION recruiting.enter_organization OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.enter_organization FROM PUBLIC;

-- The presented session acts in this organization from now on. False: the person is not a member there, or there is no
-- such session.
CREATE FUNCTION recruiting.choose_organization(wanted uuid, client inet, agent text, request text)
    RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    presented record;
BEGIN
    SELECT s.id AS session, m.id AS membership, m.id IS NOT DISTINCT FROM s.membership_id AND m.status = 'active' AS there
      INTO presented
      FROM recruiting.console_sessions s
      JOIN recruiting.memberships m ON m.user_id = s.user_id AND m.status IN ('active', 'invited')
     WHERE s.hash = recruiting.current_session_hash() AND s.expires_at > now() AND s.idle_expires_at > now()
       AND m.organization_id = wanted;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    RETURN presented.there
        OR recruiting.enter_organization(presented.session, presented.membership, client, agent, request);
END $$;
ALTER FUNCTION recruiting.choose_organization OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.choose_organization FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.choose_organization TO recruiting_auth;

-- Uses the presented link up and makes a session of it, in the link's organization or the person's only one. The session
-- that the browser had before ends. False: the link is used, expired or unknown, or came by mail where only those of operators
-- open a session.
CREATE FUNCTION recruiting.open_session(session uuid, session_hash bytea, replaced_hash bytea, lifetime interval,
                                        idle interval, client inet, agent text, request text, operators_only boolean)
    RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    person uuid;
    chosen uuid;
BEGIN
    IF (operators_only AND NOT recruiting.presented_by_operator())
       OR NOT EXISTS (SELECT FROM recruiting.presented_sign_in) THEN
        RETURN false;
    END IF;
    -- Of two at once the second waits here, and then finds the link used.
    UPDATE recruiting.sign_in_tokens SET used_at = clock_timestamp()
     WHERE hash = recruiting.current_sign_in_token() AND used_at IS NULL AND expires_at > now()
    RETURNING user_id, membership_id INTO person, chosen;
    IF person IS NULL THEN
        RETURN false;
    END IF;
    PERFORM recruiting.end_session(replaced_hash, client, agent, request);
    IF chosen IS NULL THEN
        SELECT CASE count(*) WHEN 1 THEN (array_agg(m.id))[1] END INTO chosen FROM recruiting.memberships m
         WHERE m.user_id = person AND m.status IN ('active', 'invited');
    END IF;
    INSERT INTO recruiting.console_sessions (id, hash, user_id, expires_at, idle_expires_at, ip_address, user_agent)
    VALUES (session, session_hash, person, now() + lifetime, now() + least(idle, lifetime), client, agent);
    IF chosen IS NOT NULL AND NOT recruiting.enter_organization(session, chosen, client, agent, request) THEN
        DELETE FROM recruiting.console_sessions WHERE id = session;
        RETURN false;
    END IF;
    RETURN true;
END $$;
ALTER FUNCTION recruiting.open_session OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.open_session FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.open_session TO recruiting_auth;

-- Writes a sign-in token for the person whom an OpenID Connect provider has identified, if they are a member somewhere or invited.
-- An organization must have typed their local part as the provider sends it, but for ASCII case: what NFC alone makes equal may be
-- another mailbox there. open_session uses the token up in the same transaction, so that a session has one origin and one set of
-- rules. Nothing is returned: the caller learns of an address what open_session says. hash is of the state that the sign-in was
-- begun with; a second time it is there already and used. It stays for longer than a sign-in may take (10 minutes, flow_lifetime
-- in oidc/flow.hpp). recruiting_auth could write such a token as the mailer, too; this names the person by address.
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

-- Ends one session and writes the row of the member for whom it acted. False: another transaction has ended it.
CREATE FUNCTION recruiting.end_session(ended_hash bytea, client inet, agent text, request text) RETURNS boolean
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    presented text := current_setting('recruiting.session_hash', true);
BEGIN
    PERFORM FROM recruiting.console_sessions s WHERE s.hash = ended_hash FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    -- presented_session knows for whom a session acts, so the session is the presented one for a moment. A session that has
    -- expired, or has chosen no organization, is in no audit log.
    PERFORM set_config('recruiting.session_hash', encode(ended_hash, 'hex'), true);
    INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, actor_member_id, actor_email,
                                      actor_role, action, target_type, target_id, success, ip_address, user_agent,
                                      request_id)
    SELECT gen_random_uuid(), clock_timestamp(), p.organization_id, 'member', p.membership_id, p.member_email, p.role,
           'member.signed_out', 'member', replace(p.membership_id::text, '-', ''), true, client, agent, request
      FROM recruiting.presented_session p WHERE p.organization_id IS NOT NULL;
    PERFORM set_config('recruiting.session_hash', coalesce(presented, ''), true);
    DELETE FROM recruiting.console_sessions WHERE hash = ended_hash;
    RETURN true;
END $$;
ALTER FUNCTION recruiting.end_session OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.end_session FROM PUBLIC;

-- Ends sessions of the presented session's person, and returns how many: all of them, this one, or the presented one
-- (NULL). Everywhere also takes back the person's links: those in mailboxes, those that wait to be mailed, and those asked for.
CREATE FUNCTION recruiting.sign_out(which uuid, everywhere boolean, client inet, agent text, request text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    person uuid := recruiting.current_session_user_id();
    ending bytea;
    ended bigint := 0;
BEGIN
    IF everywhere THEN
        DELETE FROM recruiting.sign_in_requests r USING recruiting.users u
         WHERE u.id = person AND r.email_key = u.email_key;
        DELETE FROM recruiting.mail_outbox
         WHERE user_id = person AND audience = 'member' AND kind = 'sign_in' AND status = 'waiting';
        -- Links before sessions: a link that is being opened is waited for here, and its session ends below.
        DELETE FROM recruiting.sign_in_tokens WHERE user_id = person AND used_at IS NULL;
    END IF;
    FOR ending IN
        SELECT s.hash FROM recruiting.console_sessions s
         WHERE s.user_id = person
           AND (everywhere OR CASE WHEN which IS NULL THEN s.hash = recruiting.current_session_hash() ELSE s.id = which END)
         ORDER BY s.id
    LOOP
        IF recruiting.end_session(ending, client, agent, request) THEN
            ended := ended + 1;
        END IF;
    END LOOP;
    RETURN ended;
END $$;
ALTER FUNCTION recruiting.sign_out OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.sign_out FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.sign_out TO recruiting_auth;

-- A member who is removed, and restored later, signs in anew. Other organizations of the person keep their sessions.
CREATE FUNCTION recruiting.end_sessions_of_removed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE recruiting.console_sessions SET membership_id = NULL WHERE membership_id = NEW.id;
    DELETE FROM recruiting.sign_in_tokens WHERE membership_id = NEW.id;
    IF NOT EXISTS (SELECT FROM recruiting.memberships m
                   WHERE m.user_id = NEW.user_id AND m.status IN ('active', 'invited')) THEN
        DELETE FROM recruiting.console_sessions WHERE user_id = NEW.user_id;
        DELETE FROM recruiting.sign_in_tokens WHERE user_id = NEW.user_id;
    END IF;
    RETURN NULL;
END $$;
ALTER FUNCTION recruiting.end_sessions_of_removed OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.end_sessions_of_removed FROM PUBLIC;
CREATE TRIGGER end_sessions AFTER UPDATE OF status ON recruiting.memberships
    FOR EACH ROW WHEN (NEW.status = 'removed' AND OLD.status <> 'removed')
    EXECUTE FUNCTION recruiting.end_sessions_of_removed();

-- What members change: recruiting_auth as the worker console, within the organization of the session that the transaction presents.

-- Keys: one's own are made, by the roles that may own keys.
CREATE POLICY console_insert ON recruiting.api_keys FOR INSERT TO recruiting_auth
    WITH CHECK (membership_id = (SELECT recruiting.console_member_id('admin', 'recruiter', 'hiring_manager'))
                AND organization_id = (SELECT recruiting.console_organization_id('admin', 'recruiter', 'hiring_manager'))
                AND expires_at > now() AND expires_at <= now() + interval '367 days');

-- A member's working keys are bounded (libs/directory). They are counted under a lock of the member's keys.
CREATE FUNCTION recruiting.lock_key_count(member uuid) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT recruiting.is_owners_session()
       AND member IS DISTINCT FROM recruiting.console_member_id('admin', 'recruiter', 'hiring_manager') THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('recruiting.keys.' || member::text, 0));
    RETURN (SELECT count(*) FROM recruiting.api_keys k
             WHERE k.membership_id = member AND k.revoked_at IS NULL AND k.expires_at > clock_timestamp());
END $$;
ALTER FUNCTION recruiting.lock_key_count OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.lock_key_count FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.lock_key_count TO recruiting_auth;

-- Takes a name from the expired key that holds it (api_keys.name_released), which may be another member's.
CREATE FUNCTION recruiting.release_expired_key_name(organization uuid, wanted text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT recruiting.is_owners_session()
       AND organization IS DISTINCT FROM
           recruiting.console_organization_id('admin', 'recruiter', 'hiring_manager') THEN
        RAISE EXCEPTION 'the session is not of this organization' USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE recruiting.api_keys SET revoked_at = clock_timestamp(), name_released = true, updated_at = clock_timestamp()
     WHERE organization_id = organization AND name = wanted AND revoked_at IS NULL AND expires_at <= clock_timestamp();
END $$;
ALTER FUNCTION recruiting.release_expired_key_name OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.release_expired_key_name FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.release_expired_key_name TO recruiting_auth;

-- Members: admins invite, restore, remove and change roles. Members who are invited become active by signing in.
CREATE POLICY console_insert ON recruiting.memberships FOR INSERT TO recruiting_auth
    WITH CHECK (organization_id = (SELECT recruiting.console_organization_id('admin')) AND status = 'invited');
CREATE POLICY console_update ON recruiting.memberships FOR UPDATE TO recruiting_auth
    USING (organization_id = (SELECT recruiting.console_organization_id('admin')))
    WITH CHECK (organization_id = (SELECT recruiting.console_organization_id('admin')));

-- Changes of one organization's members wait for each other. FOR NO KEY UPDATE needs a right to update; nothing passes the
-- check.
CREATE POLICY console_lock ON recruiting.organizations FOR UPDATE TO recruiting_auth
    USING (id = (SELECT recruiting.console_organization_id('admin'))) WITH CHECK (false);

-- The person with this canonical address, added under the given name where there is none yet. NULL: there is none, and no
-- name was given. Runs as its owner, so that an admin who invites reads nothing of the people of other organizations.
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
