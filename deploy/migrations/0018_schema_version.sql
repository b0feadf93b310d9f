-- What a service asks before it uses the database, and again while it runs: a schema older than the program makes it
-- wait. The migrations themselves stay the owner's to read.
CREATE FUNCTION recruiting.schema_version() RETURNS integer
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(max(number), 0) FROM recruiting.schema_migrations
$$;
ALTER FUNCTION recruiting.schema_version OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.schema_version FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.schema_version TO recruiting_auth, recruiting_public;
