-- Which server this is: its system identifier, and the timeline it writes. Connections leave a server of another line, and
-- sync tokens name the one that counted their transactions (proto-docs/decisions/0077). It is a part of every connection's
-- check: what PostgreSQL refuses to say, for whatever reason (a right that was revoked by hide_statistics.sql of older versions,
-- the control file while it is written), is NULL and no error.
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
