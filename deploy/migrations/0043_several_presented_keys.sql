-- A transaction may present several keys at once (decision 0093): those of recruiting.secret_hashes, a literal of bytea[].
-- Without it, the one of recruiting.secret_hash, as programs of the version before do. Unset: no key.
CREATE FUNCTION recruiting.current_secret_hashes() RETURNS bytea[] LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce(nullif(current_setting('recruiting.secret_hashes', true), '')::bytea[],
                    ARRAY[recruiting.current_secret_hash()]);

CREATE OR REPLACE VIEW recruiting.presented_credential WITH (security_barrier) AS
SELECT k.id, k.organization_id, k.membership_id, k.name, k.displayed_prefix, k.environment, k.scopes, k.allowed_ips,
       k.created_at, k.expires_at, CASE WHEN NOT k.name_released THEN k.revoked_at END AS revoked_at,
       m.role, m.status, u.name AS member_name, u.email AS member_email, k.secret_hash
FROM recruiting.api_keys k
JOIN recruiting.memberships m ON m.id = k.membership_id
JOIN recruiting.users u ON u.id = m.user_id
WHERE k.secret_hash = ANY (recruiting.current_secret_hashes());
