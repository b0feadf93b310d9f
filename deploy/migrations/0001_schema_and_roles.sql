-- The schema, the three roles, and what row-level security policies read.
-- Roles are made here only where missing (NOLOGIN); an operator who may not create roles makes them first.
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['recruiting_owner', 'recruiting_auth', 'recruiting_public'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', name);
        END IF;
    END LOOP;
END $$;

CREATE SCHEMA IF NOT EXISTS recruiting;
GRANT USAGE ON SCHEMA recruiting TO recruiting_owner, recruiting_auth, recruiting_public;

-- The authenticate statement sets these for one transaction; unset means: no tenant, nothing is visible.
-- Plain SQL bodies so that the planner inlines them; policies call them as (SELECT …), once a query.
CREATE FUNCTION recruiting.current_organization_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('recruiting.organization_id', true), '')::uuid;

CREATE FUNCTION recruiting.current_member_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('recruiting.member_id', true), '')::uuid;

CREATE FUNCTION recruiting.current_secret_hash() RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
    RETURN decode(nullif(current_setting('recruiting.secret_hash', true), ''), 'hex');

CREATE FUNCTION recruiting.has_role(VARIADIC roles text[]) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce(current_setting('recruiting.role', true) = ANY (roles), false);

CREATE FUNCTION recruiting.is_worker(worker text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce(current_setting('recruiting.worker', true) = worker, false);

-- Lower case without accents: what q and tag search compare.
CREATE FUNCTION recruiting.search_key(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(normalize(lower(value), NFKD), '[\u0300-\u036f]', '', 'g');

-- Every change stamps updated_at and the transaction that made it. syncToken reads by changed_xid, bounded by the
-- oldest transaction still running, so that a row whose transaction commits late is never missed.
CREATE FUNCTION recruiting.stamp_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.updated_at := clock_timestamp();
    NEW.changed_xid := pg_current_xact_id();
    RETURN NEW;
END $$;

CREATE FUNCTION recruiting.stamp_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.updated_at := clock_timestamp();
    RETURN NEW;
END $$;

-- Gives a tenant table its isolation: forced row-level security, all rows for the owner, the organization's for auth.
-- More narrowing is added by RESTRICTIVE policies beside the table.
CREATE FUNCTION recruiting.protect_tenant_table(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s OWNER TO recruiting_owner', target);
    EXECUTE format('CREATE POLICY owner_all ON %s TO recruiting_owner USING (true) WITH CHECK (true)', target);
    EXECUTE format('CREATE POLICY tenant ON %s FOR SELECT TO recruiting_auth '
                   'USING (organization_id = (SELECT recruiting.current_organization_id()))', target);
    EXECUTE format('GRANT SELECT ON %s TO recruiting_auth', target);
END $$;
