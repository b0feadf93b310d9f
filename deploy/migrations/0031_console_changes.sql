-- What members change in the console (decision 0086): recruiting_auth as the worker console, within the organization of the
-- session that the transaction presents (console_organization_id, 0030).

-- Keys: one's own are made, by the roles that may own keys. The policies of 0008 let admins revoke every key and others
-- their own.
CREATE POLICY console_insert ON recruiting.api_keys FOR INSERT TO recruiting_auth
    WITH CHECK (membership_id = (SELECT recruiting.console_member_id('admin', 'recruiter', 'hiring_manager'))
                AND organization_id = (SELECT recruiting.console_organization_id('admin', 'recruiter', 'hiring_manager'))
                AND expires_at > now() AND expires_at <= now() + interval '367 days');
GRANT INSERT (id, organization_id, membership_id, name, secret_hash, displayed_prefix, environment, scopes, allowed_ips,
              expires_at) ON recruiting.api_keys TO recruiting_auth;

-- Members: admins invite, restore, remove and change roles. Who is invited becomes active by signing in (0030).
CREATE POLICY console_insert ON recruiting.memberships FOR INSERT TO recruiting_auth
    WITH CHECK (organization_id = (SELECT recruiting.console_organization_id('admin')) AND status = 'invited');
CREATE POLICY console_update ON recruiting.memberships FOR UPDATE TO recruiting_auth
    USING (organization_id = (SELECT recruiting.console_organization_id('admin')))
    WITH CHECK (organization_id = (SELECT recruiting.console_organization_id('admin')));
GRANT INSERT (id, organization_id, user_id, role, title, status, invitation_open),
      UPDATE (role, title, status, removed_at, invitation_open)
    ON recruiting.memberships TO recruiting_auth;

-- Changes of one organization's members wait for each other. FOR NO KEY UPDATE needs a right to update; nothing passes the
-- check.
CREATE POLICY console_lock ON recruiting.organizations FOR UPDATE TO recruiting_auth
    USING (id = (SELECT recruiting.console_organization_id('admin'))) WITH CHECK (false);
GRANT UPDATE (updated_at) ON recruiting.organizations TO recruiting_auth;

-- Whoever calls a function below: the owner, who may do everything, or an admin in the console.
CREATE FUNCTION recruiting.is_owners_session() RETURNS boolean LANGUAGE sql STABLE
    RETURN pg_has_role(session_user, 'recruiting_owner', 'MEMBER');

-- The person with this address (any case), added under the given name where there is none yet. NULL: there is none, and no
-- name was given. Runs as its owner, so that an admin who invites reads nothing of the people of other organizations.
CREATE FUNCTION recruiting.find_or_add_user(new_id uuid, wanted_email text, wanted_name text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT recruiting.is_owners_session()
       AND (recruiting.console_organization_id('admin') IS NULL OR wanted_name IS NULL) THEN
        RAISE EXCEPTION 'only an admin''s session finds people' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF wanted_name IS NOT NULL THEN
        -- Another organization may add the same person at this moment: the loser of that race takes the winner's row.
        INSERT INTO recruiting.users (id, email, name) VALUES (new_id, wanted_email, wanted_name)
        ON CONFLICT (email_key) DO NOTHING;
    END IF;
    RETURN (SELECT u.id FROM recruiting.users u WHERE u.email_key = lower(wanted_email));
END $$;
ALTER FUNCTION recruiting.find_or_add_user OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.find_or_add_user FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.find_or_add_user TO recruiting_auth;

-- Takes a name from the expired key that holds it (0017), which may be another member's.
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
