-- The sealer goes on after a restore from a dump, and transactions of other databases hold neither it nor syncs back.

-- After a restore the sealer reads rows again that have their seals, and has to see that they do.
CREATE POLICY sealer ON recruiting.audit_seals FOR SELECT TO recruiting_auth
    USING ((SELECT recruiting.is_worker('sealer')));

-- Where the position was written. A dump brings the position into another server, another database or another table,
-- and there its transaction numbers mean nothing.
ALTER TABLE recruiting.audit_sealer
    ADD COLUMN system_identifier text,
    ADD COLUMN database_oid oid,
    ADD COLUMN table_oid oid;

-- Was the sealer's position brought here by a dump? Also true of a position ahead of this server's transactions.
CREATE FUNCTION recruiting.sealer_was_restored() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(s.database_oid <> (SELECT oid FROM pg_database WHERE datname = current_database()), true)
           OR coalesce(s.table_oid <> s.tableoid, true)
           OR coalesce(s.system_identifier <> (SELECT l.system FROM recruiting.server_line() l), false)
           OR s.inserted_xid >= pg_snapshot_xmax(pg_current_snapshot())
      FROM recruiting.audit_sealer s
$$;
ALTER FUNCTION recruiting.sealer_was_restored OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.sealer_was_restored FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.sealer_was_restored TO recruiting_auth;

-- Lets the sealer begin again after a restore, and returns how many rows were given a number of this server; NULL: there
-- was no restore. Rows with numbers that this server has not reached would wait until it has; those without a seal get
-- the number of now. The others are read again from the beginning: nobody knows which of them this server has written.
-- Runs as its owner, so that recruiting_auth needs no right to change audit rows.
CREATE FUNCTION recruiting.restart_sealer() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    renumbered bigint;
BEGIN
    PERFORM FROM recruiting.audit_sealer FOR UPDATE; -- no seal is added meanwhile
    IF NOT recruiting.sealer_was_restored() THEN
        RETURN NULL;
    END IF;
    UPDATE recruiting.audit_log l SET inserted_xid = pg_current_xact_id()
      FROM recruiting.audit_sealer s
     WHERE l.inserted_xid >= pg_snapshot_xmax(pg_current_snapshot())
       AND (l.inserted_xid, l.id) > (s.inserted_xid, s.audit_id)
       AND NOT EXISTS (SELECT FROM recruiting.audit_seals e WHERE e.audit_id = l.id AND e.occurred_at = l.occurred_at);
    GET DIAGNOSTICS renumbered = ROW_COUNT;
    UPDATE recruiting.audit_sealer s
       SET inserted_xid = '0', audit_id = '00000000-0000-0000-0000-000000000000',
           system_identifier = (SELECT l.system FROM recruiting.server_line() l),
           database_oid = (SELECT oid FROM pg_database WHERE datname = current_database()), table_oid = s.tableoid;
    RETURN renumbered;
END $$;
ALTER FUNCTION recruiting.restart_sealer OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.restart_sealer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION recruiting.restart_sealer TO recruiting_auth;

-- A position that has moved is this database's, unless rows carry numbers that this server has not reached; so is that of a
-- new database. Those in which sealing stopped after a restore begin again.
-- locks: one row, which the sealer alone writes; it waits for the migration.
UPDATE recruiting.audit_sealer s
   SET system_identifier = (SELECT l.system FROM recruiting.server_line() l),
       database_oid = (SELECT oid FROM pg_database WHERE datname = current_database()), table_oid = s.tableoid
 WHERE (s.inserted_xid > '0' OR NOT EXISTS (SELECT FROM recruiting.audit_log))
   AND NOT EXISTS (SELECT FROM recruiting.audit_log l WHERE l.inserted_xid >= pg_snapshot_xmax(pg_current_snapshot()));

-- Every transaction of this database below this number has ended, and what it wrote is visible to the statement that asks
-- (decision 0078). pg_snapshot_xmin says the same of all databases of the server: whoever keeps a transaction open in one
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
