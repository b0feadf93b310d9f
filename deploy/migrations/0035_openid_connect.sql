-- Sign-in by OpenID Connect (decision 0087).

-- Writes a sign-in token (0030) for the person with this address, if they are a member somewhere or invited. open_session uses
-- the token up in the same transaction, so that a session has one origin and one set of rules. Nothing is returned: who calls
-- learns of an address what open_session says. hash is of the state that the sign-in was begun with; a second time it is
-- there already and used. It stays for longer than a sign-in may take (10 minutes, flow_lifetime in oidc/flow.hpp).
-- The role recruiting_auth could write such a token before, as the mailer; this names the person by address.
CREATE FUNCTION recruiting.admit_identified(token_hash bytea, wanted_email text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT recruiting.is_worker('openid_connect') THEN
        RAISE EXCEPTION 'only a sign-in by OpenID Connect is admitted' USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO recruiting.sign_in_tokens (hash, user_id, email_key, expires_at)
    SELECT token_hash, u.id, u.email_key, now() + interval '15 minutes'
      FROM recruiting.users u
     WHERE u.email_key = lower(wanted_email)
       AND EXISTS (SELECT FROM recruiting.memberships m WHERE m.user_id = u.id AND m.status IN ('active', 'invited'))
        ON CONFLICT (hash) DO NOTHING;
END $$;
ALTER FUNCTION recruiting.admit_identified OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.admit_identified FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.admit_identified TO recruiting_auth;
