-- The name of an expired key can be used again. What recognises names is the unique index of keys not revoked, which
-- can't know the time; so the expired key leaves it by revoked_at, and name_released says that it was not revoked: it
-- is read as expired. The constraint keeps anyone from passing a revoked key off as one that still works.
ALTER TABLE recruiting.api_keys ADD COLUMN name_released boolean NOT NULL DEFAULT false
    CHECK (NOT name_released OR revoked_at >= expires_at);

CREATE OR REPLACE VIEW recruiting.presented_credential WITH (security_barrier) AS
SELECT k.id, k.organization_id, k.membership_id, k.name, k.displayed_prefix, k.environment, k.scopes, k.allowed_ips,
       k.created_at, k.expires_at, CASE WHEN NOT k.name_released THEN k.revoked_at END AS revoked_at,
       m.role, m.status, u.name AS member_name, u.email AS member_email
FROM recruiting.api_keys k
JOIN recruiting.memberships m ON m.id = k.membership_id
JOIN recruiting.users u ON u.id = m.user_id
WHERE k.secret_hash = recruiting.current_secret_hash();
