-- The schema, the three roles, and what row-level security policies and triggers share.
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
-- recruitctl migrate has made the schema and its table of migrations; a first run may be a superuser's, the next one the owner
-- role's.
ALTER TABLE recruiting.schema_migrations OWNER TO recruiting_owner;
GRANT USAGE ON SCHEMA recruiting TO recruiting_owner, recruiting_auth, recruiting_public;
GRANT CREATE ON SCHEMA recruiting TO recruiting_owner;

-- Functions that run as recruiting_owner (SECURITY DEFINER) look for tables and types among the caller's temporary ones
-- last. Where pg_temp is not named it comes first, before pg_catalog: with a view pg_class of its own a role that may call
-- one of them, or fire it, could run anything as the owner (SECURITY.md: auth-api, public-api compromised). Trigger functions
-- among them are revoked from PUBLIC as well: firing needs no right to execute, making a trigger does, and on a temporary table
-- of its own any role could run them as the owner.

-- And no service makes temporary tables; imports do, as the owner. Only the database's owner can say so: for all others these
-- are warnings.
DO $$
BEGIN
    EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO recruiting_owner', current_database());
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END $$;

-- DROP OWNED BY a role, which the role itself may run, drops the policies that name it: a compromised auth-api could leave
-- recruiting_auth without one, so that it reads nothing from then on. PostgreSQL refuses the whole command when the role has a
-- right on a column of some table and none on that table as a whole, as recruiting_public has on booking_requests.
-- The number of the newest migration is what recruiting.schema_version() gives anyway.
GRANT SELECT (number) ON recruiting.schema_migrations TO recruiting_auth;

-- What a service asks before it uses the database, and again while it runs: a schema older than the program makes it
-- wait. The migrations themselves stay the owner's to read.
CREATE FUNCTION recruiting.schema_version() RETURNS integer
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(max(number), 0) FROM recruiting.schema_migrations
$$;
ALTER FUNCTION recruiting.schema_version OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.schema_version FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.schema_version TO recruiting_auth, recruiting_public;

-- The authenticate statement sets these for one transaction; unset means: no tenant, nothing is visible.
-- Plain SQL bodies so that the planner inlines them; policies call them as (SELECT …), once per query.
CREATE FUNCTION recruiting.current_organization_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('recruiting.organization_id', true), '')::uuid;
CREATE FUNCTION recruiting.current_member_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('recruiting.member_id', true), '')::uuid;
CREATE FUNCTION recruiting.has_role(VARIADIC roles text[]) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce(current_setting('recruiting.role', true) = ANY (roles), false);
CREATE FUNCTION recruiting.is_worker(worker text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce(current_setting('recruiting.worker', true) = worker, false);

-- Whether the owner acts, who may do everything; else a function that runs as the owner asks who calls it.
CREATE FUNCTION recruiting.is_owners_session() RETURNS boolean LANGUAGE sql STABLE
    RETURN pg_has_role(session_user, 'recruiting_owner', 'MEMBER');

-- Whether this transaction moves an organization's rows as they are: nothing is derived from them, and no mail or audit row
-- follows. Any role can set the setting; it counts in a session of the owner only.
CREATE FUNCTION recruiting.is_moving() RETURNS boolean LANGUAGE sql STABLE
    RETURN coalesce(current_setting('recruiting.moving', true) = 'on', false) AND recruiting.is_owners_session();
ALTER FUNCTION recruiting.is_moving OWNER TO recruiting_owner;

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

-- Which server this is: its system identifier, and the timeline it writes. Connections leave a server of another line, and
-- sync tokens name the one that counted their transactions (decision 0077). It is a part of every connection's check: what
-- PostgreSQL refuses to say, for whatever reason (a right that was revoked, the control file while it is written), is NULL and
-- no error.
CREATE FUNCTION recruiting.server_line(OUT system text, OUT timeline bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    BEGIN
        SELECT c.system_identifier::text INTO system FROM pg_control_system() c;
    EXCEPTION WHEN OTHERS THEN
        system := NULL;
    END;
    -- After a promotion pg_control_checkpoint() goes on telling the old timeline until the next checkpoint.
    BEGIN
        IF pg_is_in_recovery() THEN
            SELECT c.timeline_id INTO timeline FROM pg_control_checkpoint() c;
        ELSE
            timeline := ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint;
        END IF;
    EXCEPTION WHEN OTHERS THEN
        timeline := NULL;
    END;
END $$;
ALTER FUNCTION recruiting.server_line OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.server_line FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.server_line TO recruiting_auth, recruiting_public;

-- Every transaction of this database below this number has ended, and what it wrote is visible to the statement that asks
-- (decision 0078). pg_snapshot_xmin says the same of all databases of the server: a transaction that is kept open in one
-- would hold back the others. A number counts as another database's only when PostgreSQL shows that it is; where it shows
-- nothing, this is pg_snapshot_xmin. The caller's own transaction has not ended.
CREATE FUNCTION recruiting.transaction_horizon() RETURNS xid8
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    seen CONSTANT pg_snapshot := pg_current_snapshot();
    here CONSTANT oid := (SELECT oid FROM pg_database WHERE datname = current_database());
    horizon xid8;
BEGIN
    IF pg_snapshot_xmin(seen) = pg_snapshot_xmax(seen) OR pg_current_xact_id_if_assigned() IS NOT NULL
       OR NOT has_function_privilege('pg_stat_get_activity(integer)', 'EXECUTE') THEN
        RETURN pg_snapshot_xmin(seen);
    END IF;
    -- Sessions are looked at after the snapshot was taken, never from what this transaction kept of an earlier look: a
    -- number that runs in the snapshot then belongs to the session that shows it.
    PERFORM pg_stat_clear_snapshot();
    SELECT running INTO horizon FROM pg_snapshot_xip(seen) AS running
     WHERE NOT EXISTS (SELECT FROM pg_stat_get_activity(NULL) a WHERE a.backend_xid = running::xid AND a.datid <> here)
       AND NOT EXISTS (SELECT FROM pg_prepared_xact() p WHERE p.transaction = running::xid AND p.dbid <> here)
     ORDER BY running LIMIT 1;
    RETURN coalesce(horizon, pg_snapshot_xmax(seen));
END $$;
ALTER FUNCTION recruiting.transaction_horizon OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.transaction_horizon FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.transaction_horizon TO recruiting_auth;

-- Does transaction_horizon look at this database alone?
CREATE FUNCTION recruiting.sees_transactions() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT has_function_privilege('pg_stat_get_activity(integer)', 'EXECUTE')
$$;
ALTER FUNCTION recruiting.sees_transactions OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.sees_transactions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.sees_transactions TO recruiting_auth;
