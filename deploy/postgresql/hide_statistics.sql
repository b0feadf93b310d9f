-- Optional, once per database, as a superuser: keeps PostgreSQL's counters, sizes, log positions and locks from the
-- services' roles. Without it a taken-over public-api could watch the worker add rows (proto-docs/booking.md).
-- No service reads them; monitoring does as a member of pg_monitor, which keeps them. Running it again is harmless, and
-- needed after a major upgrade (proto-docs/major_upgrades.md): new versions have other functions. recruitctl doctor names
-- those that are open. show_statistics.sql undoes this.
DO $$
DECLARE hidden regprocedure;
BEGIN
    FOR hidden IN
        SELECT oid FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace
          AND (proname ~ '^pg_(stat_get_|control_|current_wal_|last_wal_)' -- how much was written since
               OR proname IN ('pg_lock_status', 'pg_relation_size', 'pg_total_relation_size', 'pg_table_size',
                              'pg_indexes_size', 'pg_database_size', 'pg_tablespace_size',
                              'pg_get_replication_slots', 'pg_last_committed_xact'))
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', hidden);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO pg_monitor', hidden);
    END LOOP;
    -- What recruiting_owner's functions look at for the services: which server this is, and which database a transaction
    -- belongs to (proto-docs/decisions/0077 and 0078).
    GRANT EXECUTE ON FUNCTION pg_stat_get_activity(integer), pg_control_system(), pg_control_checkpoint(),
        pg_current_wal_insert_lsn(), pg_walfile_name(pg_lsn) TO recruiting_owner;
END $$;
