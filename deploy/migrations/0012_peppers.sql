-- A lost pepper is noticed, and a pepper can be rotated (decision 0121).

-- Under which pepper a key's hash was made: eight bytes of an HMAC under it, from which it can't be computed. NULL: not known,
-- the key was made before this column and has not been used since.
ALTER TABLE recruiting.api_keys ADD COLUMN pepper_fingerprint bigint;
GRANT INSERT (pepper_fingerprint) ON recruiting.api_keys TO recruiting_auth;
-- locks: an installation has thousands of keys, not millions, and reads do not wait
CREATE INDEX api_keys_by_pepper ON recruiting.api_keys (pepper_fingerprint) WHERE revoked_at IS NULL;

-- The pepper to which keys move. NULL: no key has been made or used yet.
CREATE TABLE recruiting.key_pepper (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    fingerprint bigint
);
INSERT INTO recruiting.key_pepper DEFAULT VALUES;
ALTER TABLE recruiting.key_pepper OWNER TO recruiting_owner;

-- Is none of these the pepper of the keys that the installation has in use? Keys of other peppers don't count: an organization
-- that was moved here brings its own.
CREATE FUNCTION recruiting.is_pepper_lost(known bigint[]) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    RETURN EXISTS (SELECT FROM recruiting.key_pepper p
                   WHERE p.fingerprint <> ALL (known)
                     AND EXISTS (SELECT FROM recruiting.api_keys k
                                 WHERE k.pepper_fingerprint = p.fingerprint AND k.revoked_at IS NULL AND k.expires_at > now()));
ALTER FUNCTION recruiting.is_pepper_lost OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.is_pepper_lost FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.is_pepper_lost TO recruiting_auth;

-- A key is about to be made under this pepper. It becomes the installation's if no active key could be of the one that is, so that
-- a wrong pepper takes no place that another one has.
CREATE FUNCTION recruiting.learn_pepper(made_under bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    UPDATE recruiting.key_pepper p SET fingerprint = made_under
     WHERE p.fingerprint IS DISTINCT FROM made_under
       AND NOT EXISTS (SELECT FROM recruiting.api_keys k
                       WHERE (k.pepper_fingerprint IS NULL OR k.pepper_fingerprint = p.fingerprint)
                         AND k.revoked_at IS NULL AND k.expires_at > now());
END;
ALTER FUNCTION recruiting.learn_pepper OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.learn_pepper FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.learn_pepper TO recruiting_auth;

-- Moves keys that were just used to the pepper of auth-api: each is found by its hash under either pepper. Nothing moves to another
-- pepper than the installation's, and no key away from it: outside of a rotation recruiting_auth changes no hash (SECURITY.md).
-- Locked in the order of the ids, because other threads write the same keys at the same time.
CREATE FUNCTION recruiting.move_keys(hashes bytea[], previous_hashes bytea[], moves_to bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    moved bigint;
BEGIN
    UPDATE recruiting.key_pepper SET fingerprint = moves_to
     WHERE fingerprint IS NULL AND EXISTS (SELECT FROM recruiting.api_keys k WHERE k.secret_hash = ANY (hashes || previous_hashes));
    IF NOT EXISTS (SELECT FROM recruiting.key_pepper WHERE fingerprint = moves_to) THEN
        RETURN 0;
    END IF;
    WITH used AS (
        SELECT k.id, u.hash
          FROM unnest(hashes, previous_hashes) AS u (hash, previous)
          JOIN recruiting.api_keys k ON k.secret_hash IN (u.hash, u.previous)
         WHERE k.pepper_fingerprint IS DISTINCT FROM moves_to
         ORDER BY k.id FOR UPDATE OF k
    )
    UPDATE recruiting.api_keys k SET secret_hash = used.hash, pepper_fingerprint = moves_to
      FROM used WHERE k.id = used.id;
    GET DIAGNOSTICS moved = ROW_COUNT;
    RETURN moved;
END $$;
ALTER FUNCTION recruiting.move_keys OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.move_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.move_keys TO recruiting_auth;

-- The hash under which a session is stored: by either pepper. Sessions stay under theirs, as they end by themselves.
CREATE FUNCTION recruiting.stored_session_hash(hash_now bytea, hash_before bytea) RETURNS bytea
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    RETURN CASE WHEN EXISTS (SELECT FROM recruiting.console_sessions s WHERE s.hash = hash_before) THEN hash_before ELSE hash_now END;
ALTER FUNCTION recruiting.stored_session_hash OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.stored_session_hash FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.stored_session_hash TO recruiting_auth;

CREATE OR REPLACE VIEW recruiting.presented_credential WITH (security_barrier) AS
SELECT k.id, k.organization_id, k.membership_id, k.name, k.displayed_prefix, k.environment, k.scopes, k.allowed_ips,
       k.created_at, k.expires_at, CASE WHEN NOT k.name_released THEN k.revoked_at END AS revoked_at,
       m.role, m.status, coalesce(m.invited_name, u.name) AS member_name, m.email AS member_email, k.secret_hash,
       k.pepper_fingerprint
FROM recruiting.api_keys k
JOIN recruiting.memberships m ON m.id = k.membership_id
JOIN recruiting.users u ON u.id = m.user_id
WHERE k.secret_hash = ANY (recruiting.current_secret_hashes());
