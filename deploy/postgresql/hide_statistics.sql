-- Optional, once per database, as a superuser: keeps PostgreSQL's counters, sizes and locks from the services' roles.
-- Without it a taken-over public-api could count the rows that the booking worker adds (proto-docs/booking.md). None of
-- the services reads them; monitoring does as a member of pg_monitor, which keeps them. Running it again is harmless.
DO $$
DECLARE hidden regprocedure;
BEGIN
    FOR hidden IN
        SELECT oid FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace
          AND (proname ~ '^pg_stat_get_'
               OR proname IN ('pg_lock_status', 'pg_relation_size', 'pg_total_relation_size', 'pg_table_size',
                              'pg_indexes_size'))
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', hidden);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO pg_monitor', hidden);
    END LOOP;
END $$;
