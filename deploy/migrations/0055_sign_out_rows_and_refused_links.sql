-- Signing out leaves a row in the audit log, and auth-api can refuse links that came by mail (proto-docs/console.md).

-- Links that an operator printed sign in also where members must use the provider. recruiting_auth cannot write the column.
ALTER TABLE recruiting.sign_in_tokens ADD COLUMN by_operator boolean NOT NULL DEFAULT false;

CREATE FUNCTION recruiting.presented_by_operator() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    RETURN EXISTS (SELECT FROM recruiting.sign_in_tokens t
                    WHERE t.hash = recruiting.current_sign_in_token() AND t.by_operator);
ALTER FUNCTION recruiting.presented_by_operator OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.presented_by_operator FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.presented_by_operator TO recruiting_auth;

-- Ends one session and writes the row of whom it acted for. False: another transaction has ended it.
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
-- No session ends without its row but by expiry.
DROP POLICY own_end ON recruiting.console_sessions;

-- As in 0030, but for mailed links, which open no session where only those of operators do, and for the row of the session
-- that the browser had before.
DROP FUNCTION recruiting.open_session(uuid, bytea, bytea, interval, interval, inet, text, text);
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
