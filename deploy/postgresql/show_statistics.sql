-- Undoes hide_statistics.sql, as a superuser in the same database, before pg_upgrade or pg_upgradecluster
-- (proto-docs/major_upgrades.md): both copy the rights on PostgreSQL's own functions, and fail at a function that the new
-- version no longer has. Functions that PostgreSQL itself keeps from every role stay as they are.
DO $$
DECLARE hidden regprocedure;
BEGIN
    FOR hidden IN -- what pg_monitor was given instead of every role
        SELECT p.oid FROM pg_proc p
         WHERE p.pronamespace = 'pg_catalog'::regnamespace
           AND NOT EXISTS (SELECT FROM pg_init_privs i WHERE i.classoid = 'pg_proc'::regclass AND i.objoid = p.oid)
           AND EXISTS (SELECT FROM aclexplode(p.proacl) WHERE grantee = 'pg_monitor'::regrole)
           AND NOT EXISTS (SELECT FROM aclexplode(p.proacl) WHERE grantee = 0)
    LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO PUBLIC', hidden);
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM pg_monitor, recruiting_owner', hidden);
    END LOOP;

    REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM recruiting_owner; -- which every role may call
END $$;
