-- Organizations, people, memberships, API keys.
CREATE TABLE recruiting.organizations (
    id uuid PRIMARY KEY,
    slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9](-?[a-z0-9])*$' AND length(slug) <= 63),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    website_url text,
    logo_url text,
    time_zone text NOT NULL DEFAULT 'UTC',
    country_code text CHECK (country_code ~ '^[A-Z]{2}$'),
    careers_page_url text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    room_url text -- where interviews meet: {room} becomes 32 characters of each booking's own
        CHECK (room_url ~ '^https://[\u0021-\u007e]+$' AND length(room_url) <= 1000 AND strpos(room_url, '{room}') > 0),
    -- How it looks in pages, mails and link previews, and where people apply (decision 0095).
    accent_color text,    -- #rrggbb; pages and mails show legible shades of it (libs/html/accent.hpp)
    share_image_url text, -- the picture of link previews (og:image)
    apply_url text,       -- where people apply for jobs that have no apply_url of their own
    CONSTRAINT organizations_accent_color CHECK (accent_color ~ '^#[0-9a-f]{6}$'),
    CONSTRAINT organizations_apply_url
        CHECK (apply_url ~ '^(https?://|mailto:)[^[:space:][:cntrl:]]+$' AND length(apply_url) <= 2048)
);
ALTER TABLE recruiting.organizations OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.organizations TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY tenant ON recruiting.organizations FOR SELECT TO recruiting_auth
    USING (id = (SELECT recruiting.current_organization_id()));
GRANT SELECT, UPDATE (updated_at) ON recruiting.organizations TO recruiting_auth;
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.organizations
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_updated_at();

-- A person; belongs to any number of organizations through memberships. One canonical form of an address decides who somebody
-- is (decision 0111): the programs compute it (mail/address.hpp), PostgreSQL folds no address. name is the name that the first
-- organization gave, and is shown only where an organization gave none (decision 0109).
CREATE TABLE recruiting.users (
    id uuid PRIMARY KEY,
    email_key text NOT NULL UNIQUE,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE recruiting.memberships (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    user_id uuid NOT NULL REFERENCES recruiting.users (id),
    role text NOT NULL CHECK (role IN ('admin', 'recruiter', 'hiring_manager', 'interviewer', 'viewer')),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'invited', 'removed')),
    title text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    removed_at timestamptz CHECK ((removed_at IS NOT NULL) = (status = 'removed')),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    join_url text -- where this interviewer meets; NULL: nowhere in particular
        CHECK (join_url ~ '^https://[\u0021-\u007e]+$' AND length(join_url) <= 2000),
    -- Whether the member was invited and has not signed in since: removed and restored, they are invited again.
    invitation_open boolean NOT NULL DEFAULT false,
    -- The name by which the organization knows the member. It never sees the one by which others do: an address would
    -- otherwise tell a stranger whose it is.
    invited_name text,
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254), -- as typed here: mail of the organization goes there
    UNIQUE (organization_id, user_id)
);
SELECT recruiting.protect_tenant_table('recruiting.memberships');
GRANT INSERT (id, organization_id, user_id, email, invited_name, role, title, status, invitation_open),
      UPDATE (email, invited_name, role, title, status, removed_at, invitation_open)
    ON recruiting.memberships TO recruiting_auth;
CREATE INDEX memberships_by_user ON recruiting.memberships (user_id);
CREATE INDEX memberships_by_created ON recruiting.memberships (organization_id, created_at, id);
CREATE INDEX memberships_by_updated ON recruiting.memberships (organization_id, updated_at, id);
CREATE INDEX memberships_by_change ON recruiting.memberships (organization_id, changed_xid, id);
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.memberships
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_change();

ALTER TABLE recruiting.users OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.users TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY tenant ON recruiting.users FOR SELECT TO recruiting_auth
    USING (EXISTS (SELECT FROM recruiting.memberships m
                   WHERE m.user_id = users.id
                     AND m.organization_id = (SELECT recruiting.current_organization_id())));
GRANT SELECT ON recruiting.users TO recruiting_auth;
CREATE TRIGGER stamp BEFORE UPDATE ON recruiting.users
    FOR EACH ROW EXECUTE FUNCTION recruiting.stamp_updated_at();

-- A member's record shows the user's name where the organization gave none: a change there is a change of every membership.
CREATE FUNCTION recruiting.stamp_memberships_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE recruiting.memberships SET user_id = user_id WHERE user_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER stamp_memberships AFTER UPDATE OF name ON recruiting.users
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name)
    EXECUTE FUNCTION recruiting.stamp_memberships_of_user();

-- Who somebody is before an organization is chosen: the address and name that the first organization they joined gave them.
-- Somebody who has joined none has the address of the first that invited them, and no name. For the owner's views alone.
CREATE VIEW recruiting.people AS
SELECT u.id AS user_id, u.email_key, m.email, CASE m.status WHEN 'active' THEN coalesce(m.invited_name, u.name) END AS name
FROM recruiting.users u
CROSS JOIN LATERAL (SELECT * FROM recruiting.memberships m WHERE m.user_id = u.id AND m.status IN ('active', 'invited')
                    ORDER BY m.status = 'invited', m.created_at, m.id LIMIT 1) AS m;
ALTER VIEW recruiting.people OWNER TO recruiting_owner;

-- id is the key ID: 16 random bytes, not derived from the secret, safe to share.
-- secret_hash is HMAC-SHA-256 of the whole secret under the deployment's pepper.
CREATE TABLE recruiting.api_keys (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES recruiting.organizations (id),
    membership_id uuid NOT NULL REFERENCES recruiting.memberships (id),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    secret_hash bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    displayed_prefix text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('live', 'test')),
    scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
    allowed_ips cidr[] NOT NULL DEFAULT '{}',
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    revoked_by uuid REFERENCES recruiting.memberships (id),
    last_used_at timestamptz,
    last_used_ip inet,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The name of an expired key can be used again. What recognises names is the unique index of keys not revoked, which
    -- can't know the time; so the expired key leaves it by revoked_at, and name_released says that it was not revoked: it
    -- is read as expired. The constraint keeps anyone from passing a revoked key off as one that still works.
    name_released boolean NOT NULL DEFAULT false CHECK (NOT name_released OR revoked_at >= expires_at)
);
SELECT recruiting.protect_tenant_table('recruiting.api_keys');
GRANT INSERT (id, organization_id, membership_id, name, secret_hash, displayed_prefix, environment, scopes, allowed_ips,
              expires_at),
      UPDATE (last_used_at, last_used_ip, revoked_at, revoked_by, updated_at) ON recruiting.api_keys TO recruiting_auth;
-- Names recognise a key (the assistant revokes by name): unique among the keys not revoked.
CREATE UNIQUE INDEX api_keys_by_name ON recruiting.api_keys (organization_id, name) WHERE revoked_at IS NULL;
CREATE INDEX api_keys_by_member ON recruiting.api_keys (membership_id);
-- list_api_keys gives the newest, revoked ones too.
CREATE INDEX api_keys_by_created ON recruiting.api_keys (organization_id, created_at, id);
-- Admins list and revoke every key of their organization, others their own; authenticate reads keys by a view of the
-- owner's, and notes of last use are the worker's.
CREATE POLICY by_role ON recruiting.api_keys AS RESTRICTIVE TO recruiting_auth
    USING ((SELECT recruiting.has_role('admin'))
           OR membership_id = (SELECT recruiting.current_member_id())
           OR (SELECT recruiting.is_worker('last_use')));
CREATE POLICY revoke ON recruiting.api_keys FOR UPDATE TO recruiting_auth
    USING (organization_id = (SELECT recruiting.current_organization_id()))
    WITH CHECK (organization_id = (SELECT recruiting.current_organization_id()) AND revoked_at IS NOT NULL);
CREATE POLICY last_use ON recruiting.api_keys FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.is_worker('last_use')));
CREATE POLICY last_use_update ON recruiting.api_keys FOR UPDATE TO recruiting_auth
    USING ((SELECT recruiting.is_worker('last_use')));

-- A revoked key stays revoked: recruiting_auth may write revoked_at, and its policy for notes of last use does not look at
-- that column (SECURITY.md: auth-api compromised).
CREATE FUNCTION recruiting.refuse_to_unrevoke() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a revoked key stays revoked' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER revoked_for_good BEFORE UPDATE OF revoked_at ON recruiting.api_keys
    FOR EACH ROW WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
    EXECUTE FUNCTION recruiting.refuse_to_unrevoke();

-- Organizations are moved between installations (decision 0100): frozen while they are exported, imported as they were.
-- The organizations that nothing may change: `recruitctl organization freeze`. auth-api's workers learn the ids and nothing
-- else.
CREATE TABLE recruiting.frozen_organizations (
    organization_id uuid PRIMARY KEY REFERENCES recruiting.organizations (id),
    frozen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    frozen_xid xid8 NOT NULL DEFAULT pg_current_xact_id() -- an export waits for the transactions that began before
);
ALTER TABLE recruiting.frozen_organizations OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.frozen_organizations TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY known ON recruiting.frozen_organizations FOR SELECT TO recruiting_auth USING (true);
GRANT SELECT ON recruiting.frozen_organizations TO recruiting_auth;

-- Changes of records, of whatever program, fail with lock_not_available: services answer 503 and workers try again.
CREATE FUNCTION recruiting.refuse_frozen() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM recruiting.frozen_organizations f WHERE f.organization_id = NEW.organization_id) THEN
        RAISE EXCEPTION 'the organization is frozen: it is being moved to another installation'
            USING ERRCODE = 'lock_not_available';
    END IF;
    RETURN NEW;
END $$;
ALTER FUNCTION recruiting.refuse_frozen OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.refuse_frozen FROM PUBLIC;
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE ON recruiting.memberships
    FOR EACH ROW EXECUTE FUNCTION recruiting.refuse_frozen();
CREATE TRIGGER frozen BEFORE INSERT OR UPDATE OF name, revoked_at ON recruiting.api_keys -- last uses are still noted
    FOR EACH ROW EXECUTE FUNCTION recruiting.refuse_frozen();

-- The keys that a transaction presents (decision 0093): a literal of bytea[] in recruiting.secret_hashes, else the one of
-- recruiting.secret_hash. Unset: no key.
CREATE FUNCTION recruiting.current_secret_hash() RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
    RETURN decode(nullif(current_setting('recruiting.secret_hash', true), ''), 'hex');
CREATE FUNCTION recruiting.current_secret_hashes() RETURNS bytea[] LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce(nullif(current_setting('recruiting.secret_hashes', true), '')::bytea[],
                    ARRAY[recruiting.current_secret_hash()]);

-- What authenticate reads, before the tenant is known: the keys whose secrets' hashes this transaction has set, with their
-- owner's membership as it is now. Runs with the owner's rights, so that no policy has to be evaluated (measured: 21 µs of
-- PostgreSQL's CPU per request instead of 43); without a hash it is empty. A frozen organization's keys show the status frozen:
-- they set no tenant, and auth-api answers 503.
CREATE VIEW recruiting.presented_credential WITH (security_barrier) AS
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
ALTER VIEW recruiting.presented_credential OWNER TO recruiting_owner;
GRANT SELECT ON recruiting.presented_credential TO recruiting_auth;


-- API keys that were sent to the public API. public-api may not read keys: it seals what it saw to a public key that
-- auth-api has published here, and auth-api looks whether it is a real one (design: Public API; action key.exposed).
CREATE TABLE recruiting.exposure_keys (
    public_key bytea PRIMARY KEY CHECK (length(public_key) = 32), -- X25519; the private one is derived from the pepper
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE recruiting.exposure_keys OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.exposure_keys TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY worker ON recruiting.exposure_keys TO recruiting_auth
    USING ((SELECT recruiting.is_worker('exposure'))) WITH CHECK ((SELECT recruiting.is_worker('exposure')));
CREATE POLICY seal ON recruiting.exposure_keys FOR SELECT TO recruiting_public USING (true);
GRANT SELECT, INSERT, DELETE ON recruiting.exposure_keys TO recruiting_auth;
GRANT SELECT ON recruiting.exposure_keys TO recruiting_public;

CREATE TABLE recruiting.exposed_credentials (
    id uuid PRIMARY KEY,
    sealed bytea NOT NULL CHECK (length(sealed) <= 512),
    seen_in text NOT NULL CHECK (length(seen_in) <= 200), -- header name, query or path; never the value
    endpoint text CHECK (length(endpoint) <= 200),
    method text CHECK (length(method) <= 20),
    ip_address inet,
    user_agent text CHECK (length(user_agent) <= 500),
    request_id text CHECK (length(request_id) <= 64),
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE recruiting.exposed_credentials OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.exposed_credentials TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY report ON recruiting.exposed_credentials FOR INSERT TO recruiting_public WITH CHECK (true);
CREATE POLICY worker ON recruiting.exposed_credentials TO recruiting_auth
    USING ((SELECT recruiting.is_worker('exposure')));
GRANT INSERT ON recruiting.exposed_credentials TO recruiting_public;
GRANT SELECT, DELETE ON recruiting.exposed_credentials TO recruiting_auth;
CREATE INDEX exposed_credentials_by_time ON recruiting.exposed_credentials (seen_at, id);
