-- Which server this is: its system identifier, and the timeline it writes. Connections leave a server of another line, and
-- sync tokens name the one that counted their transactions (proto-docs/decisions/0077). NULL: PostgreSQL keeps it from
-- recruiting_owner (hide_statistics.sql of older versions).
CREATE FUNCTION recruiting.server_line(OUT system text, OUT timeline bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF has_function_privilege('pg_control_system()', 'EXECUTE') THEN
        SELECT c.system_identifier::text INTO system FROM pg_control_system() c;
    END IF;
    -- After a promotion pg_control_checkpoint() goes on telling the old timeline until the next checkpoint.
    IF NOT pg_is_in_recovery() AND has_function_privilege('pg_current_wal_insert_lsn()', 'EXECUTE') THEN
        timeline := ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint;
    ELSIF pg_is_in_recovery() AND has_function_privilege('pg_control_checkpoint()', 'EXECUTE') THEN
        SELECT c.timeline_id INTO timeline FROM pg_control_checkpoint() c;
    END IF;
END $$;
ALTER FUNCTION recruiting.server_line OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.server_line FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.server_line TO recruiting_auth, recruiting_public;
