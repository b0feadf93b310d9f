-- The console: sign-in by e-mailed link, sessions of members (decision 0086).

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
ALTER TABLE recruiting.console_sessions OWNER TO recruiting_owner;
ALTER TABLE recruiting.console_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.console_sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.console_sessions TO recruiting_owner USING (true) WITH CHECK (true);
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

-- A person lists and ends their own sessions; the workers note last uses and purge. Nobody but open_session makes one.
CREATE POLICY own ON recruiting.console_sessions FOR SELECT TO recruiting_auth
    USING (user_id = (SELECT recruiting.current_session_user_id()));
CREATE POLICY own_end ON recruiting.console_sessions FOR DELETE TO recruiting_auth
    USING (user_id = (SELECT recruiting.current_session_user_id()));
CREATE POLICY session_use ON recruiting.console_sessions FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.is_worker('session_use')));
CREATE POLICY session_use_update ON recruiting.console_sessions FOR UPDATE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('session_use')));
CREATE POLICY purge_select ON recruiting.console_sessions FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.is_worker('sign_in')) AND idle_expires_at <= now());
CREATE POLICY purge ON recruiting.console_sessions FOR DELETE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('sign_in')) AND idle_expires_at <= now());
GRANT SELECT (id, user_id, membership_id, created_at, last_seen_at, expires_at, idle_expires_at, ip_address, user_agent),
      UPDATE (last_seen_at, idle_expires_at), DELETE ON recruiting.console_sessions TO recruiting_auth;

-- What authenticate_session reads: the one session whose hash this transaction has set, with the membership as it is now.
-- Without an active membership it has no organization. As presented_credential, it runs with the owner's rights.
CREATE VIEW recruiting.presented_session WITH (security_barrier) AS
SELECT s.id, s.user_id, m.organization_id, m.id AS membership_id, m.role, u.name AS member_name, u.email AS member_email,
       s.created_at, s.expires_at, s.idle_expires_at, s.last_seen_at, o.slug AS organization_slug
FROM recruiting.console_sessions s
JOIN recruiting.users u ON u.id = s.user_id
LEFT JOIN recruiting.memberships m ON m.id = s.membership_id AND m.user_id = s.user_id AND m.status = 'active'
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
WHERE s.hash = recruiting.current_session_hash() AND s.expires_at > now() AND s.idle_expires_at > now();
ALTER VIEW recruiting.session_organizations OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.session_organizations TO recruiting_auth;

-- Links that sign in, each once. The e-mail address is the one that the link was sent to: a person whose address has
-- changed since does not sign in with it.
CREATE TABLE recruiting.sign_in_tokens (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    user_id uuid NOT NULL REFERENCES recruiting.users (id),
    membership_id uuid REFERENCES recruiting.memberships (id), -- an invitation's
    email_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);
ALTER TABLE recruiting.sign_in_tokens OWNER TO recruiting_owner;
ALTER TABLE recruiting.sign_in_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.sign_in_tokens FORCE ROW LEVEL SECURITY;
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
SELECT u.email, t.expires_at
FROM recruiting.sign_in_tokens t
JOIN recruiting.users u ON u.id = t.user_id AND u.email_key = t.email_key
WHERE t.hash = recruiting.current_sign_in_token() AND t.used_at IS NULL AND t.expires_at > now()
  AND EXISTS (SELECT FROM recruiting.memberships m WHERE m.user_id = t.user_id AND m.status IN ('active', 'invited')
              AND (t.membership_id IS NULL OR m.id = t.membership_id));
ALTER VIEW recruiting.presented_sign_in OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_sign_in TO recruiting_auth;

-- What was asked for over HTTP: one row, the same for known and unknown addresses. The worker deletes it.
CREATE TABLE recruiting.sign_in_requests (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    language text CHECK (length(language) <= 35),
    received_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE recruiting.sign_in_requests OWNER TO recruiting_owner;
ALTER TABLE recruiting.sign_in_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.sign_in_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.sign_in_requests TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY ask ON recruiting.sign_in_requests FOR INSERT TO recruiting_auth
    WITH CHECK ((SELECT recruiting.is_worker('console')));
CREATE POLICY worker ON recruiting.sign_in_requests TO recruiting_auth
    USING ((SELECT recruiting.is_worker('sign_in'))) WITH CHECK (false);
GRANT SELECT, INSERT (email, language), DELETE ON recruiting.sign_in_requests TO recruiting_auth;
-- FOR UPDATE SKIP LOCKED needs a right to update.
GRANT UPDATE (received_at) ON recruiting.sign_in_requests TO recruiting_auth;
CREATE INDEX sign_in_requests_by_arrival ON recruiting.sign_in_requests (received_at, id);

-- How many sign-in links a client or an address has asked for in an hour of the clock.
CREATE TABLE recruiting.sign_in_counts (
    subject bytea NOT NULL CHECK (length(subject) = 32), -- SHA-256: neither clients nor e-mail addresses stand here
    hour timestamptz NOT NULL,
    requests integer NOT NULL,
    PRIMARY KEY (subject, hour)
);
ALTER TABLE recruiting.sign_in_counts OWNER TO recruiting_owner;
ALTER TABLE recruiting.sign_in_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.sign_in_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.sign_in_counts TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY count ON recruiting.sign_in_counts TO recruiting_auth
    USING ((SELECT recruiting.is_worker('console')) OR (SELECT recruiting.is_worker('sign_in')))
    WITH CHECK ((SELECT recruiting.is_worker('console')));
GRANT SELECT, INSERT, DELETE, UPDATE (requests) ON recruiting.sign_in_counts TO recruiting_auth;
CREATE INDEX sign_in_counts_by_hour ON recruiting.sign_in_counts (hour);

-- Whom the worker sends links to, by address.
CREATE VIEW recruiting.sign_in_people WITH (security_barrier) AS
SELECT u.id AS user_id, u.email_key,
       (SELECT min(o.time_zone) FROM recruiting.memberships m JOIN recruiting.organizations o ON o.id = m.organization_id
        WHERE m.user_id = u.id AND m.status IN ('active', 'invited')) AS time_zone
FROM recruiting.users u
WHERE recruiting.is_worker('sign_in')
  AND EXISTS (SELECT FROM recruiting.memberships m WHERE m.user_id = u.id AND m.status IN ('active', 'invited'));
ALTER VIEW recruiting.sign_in_people OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.sign_in_people TO recruiting_auth;

-- Whether the member was invited and has not signed in since: removed and restored, they are invited again.
ALTER TABLE recruiting.memberships ADD COLUMN invitation_open boolean NOT NULL DEFAULT false;

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
    IF found_status IS NULL OR found_status NOT IN ('active', 'invited') THEN
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
ALTER FUNCTION recruiting.enter_organization OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.enter_organization FROM PUBLIC;

-- Uses the presented link up and makes a session of it, in the link's organization or the person's only one. The session
-- that the browser had before ends. False: the link is used, expired or unknown.
CREATE FUNCTION recruiting.open_session(session uuid, session_hash bytea, replaced_hash bytea, lifetime interval,
                                        idle interval, client inet, agent text, request text)
    RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    person uuid;
    chosen uuid;
BEGIN
    IF NOT EXISTS (SELECT FROM recruiting.presented_sign_in) THEN
        RETURN false;
    END IF;
    -- Of two at once the second waits here, and then finds the link used.
    UPDATE recruiting.sign_in_tokens SET used_at = clock_timestamp()
     WHERE hash = recruiting.current_sign_in_token() AND used_at IS NULL AND expires_at > now()
    RETURNING user_id, membership_id INTO person, chosen;
    IF person IS NULL THEN
        RETURN false;
    END IF;
    DELETE FROM recruiting.console_sessions WHERE hash = replaced_hash;
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

-- Whoever is removed, and restored later, signs in anew. Other organizations of the person keep their sessions.
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

-- Mails to members: about no booking. A sign-in mail is of no organization. Whoever writes an invitation gives id,
-- organization_id, audience, kind, membership_id, user_id and time_zone, and language where it is known.
ALTER TABLE recruiting.mail_outbox
    ADD COLUMN user_id uuid,
    ADD COLUMN language text,
    ALTER COLUMN organization_id DROP NOT NULL,
    ALTER COLUMN booking_id DROP NOT NULL,
    ALTER COLUMN calendar_uid DROP NOT NULL,
    ALTER COLUMN sequence DROP NOT NULL,
    DROP CONSTRAINT mail_outbox_audience_check,
    DROP CONSTRAINT mail_outbox_kind_check;
-- Every row of before fulfils these: they were narrower.
ALTER TABLE recruiting.mail_outbox ADD CONSTRAINT mail_outbox_user
    FOREIGN KEY (user_id) REFERENCES recruiting.users (id) NOT VALID;
ALTER TABLE recruiting.mail_outbox ADD CONSTRAINT mail_outbox_about CHECK (
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
         AND kind IN ('confirmed', 'rescheduled', 'canceled', 'slot_taken', 'already_booked')))) NOT VALID;

-- The presented session's organization or member, for the worker console and if the member's role is one of these; else
-- NULL. A setting alone opens nothing: role and membership are read from the session. Policies call them as (SELECT …), once
-- per statement.
CREATE FUNCTION recruiting.console_organization_id(VARIADIC roles text[]) RETURNS uuid LANGUAGE sql STABLE
    RETURN (SELECT s.organization_id FROM recruiting.presented_session s
            WHERE recruiting.is_worker('console') AND s.role = ANY (roles));
CREATE FUNCTION recruiting.console_member_id(VARIADIC roles text[]) RETURNS uuid LANGUAGE sql STABLE
    RETURN (SELECT s.membership_id FROM recruiting.presented_session s
            WHERE recruiting.is_worker('console') AND s.role = ANY (roles));

-- A mailer that knows mails to members says so; one of the version before neither sees nor takes them.
ALTER POLICY workers_only ON recruiting.mail_outbox
    USING (CASE WHEN audience = 'member'
                THEN ((SELECT recruiting.is_worker('mailer'))
                      AND (SELECT coalesce(current_setting('recruiting.member_mails', true) = 'on', false)))
                     OR (SELECT recruiting.is_worker('sign_in'))
                     OR (kind = 'invitation'
                         AND organization_id = (SELECT recruiting.console_organization_id('admin')))
                ELSE (SELECT recruiting.is_worker('mailer')) OR (SELECT recruiting.is_worker('booking')) END)
    WITH CHECK (CASE WHEN audience = 'member'
                     THEN ((SELECT recruiting.is_worker('mailer'))
                           AND (SELECT coalesce(current_setting('recruiting.member_mails', true) = 'on', false)))
                          OR (SELECT recruiting.is_worker('sign_in'))
                          OR (kind = 'invitation'
                              AND organization_id = (SELECT recruiting.console_organization_id('admin')))
                     ELSE (SELECT recruiting.is_worker('mailer')) OR (SELECT recruiting.is_worker('booking')) END);
GRANT INSERT (user_id, language) ON recruiting.mail_outbox TO recruiting_auth;

-- What a mail to a member says and to whom, as it is now. email is NULL when nobody is to get it any more.
CREATE VIEW recruiting.member_mail_content WITH (security_barrier) AS
SELECT m.id, u.id AS user_id, u.email_key, u.name AS member_name, o.name AS organization_name,
       CASE WHEN CASE m.kind
                     WHEN 'invitation' THEN i.status = 'invited'
                     ELSE EXISTS (SELECT FROM recruiting.memberships a
                                  WHERE a.user_id = u.id AND a.status IN ('active', 'invited')) END
            THEN u.email END AS email
FROM recruiting.mail_outbox m
JOIN recruiting.users u ON u.id = m.user_id
LEFT JOIN recruiting.organizations o ON o.id = m.organization_id
LEFT JOIN recruiting.memberships i ON i.id = m.membership_id
WHERE m.audience = 'member' AND recruiting.is_worker('mailer');
ALTER VIEW recruiting.member_mail_content OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.member_mail_content TO recruiting_auth;
