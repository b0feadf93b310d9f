-- Once per database, as a superuser, after the three roles were made: takes from the services' roles what PostgreSQL gives
-- to every role and no service needs. Running it again is harmless.
--     psql --dbname recruiting --file confine_roles.sql
-- threat_model.md lists what no right of PostgreSQL governs. recruitctl doctor reports a database without these rules.
DO $$
DECLARE
    taken record;
    other name;
BEGIN
    -- Functions that every role may call by default, and the only roles that need them.
    FOR taken IN
        SELECT oid::regprocedure AS function,
               CASE WHEN proname = 'pg_notify' THEN 'recruiting_owner' -- changes of what is published
                    WHEN proname LIKE '%advisory%' THEN 'recruiting_owner, recruiting_auth' -- migrations, the agent's queue
               END AS users
          FROM pg_proc
         WHERE pronamespace = 'pg_catalog'::regnamespace
           AND (proname ~ '^(lo_|loread$|lowrite$)' -- large objects are rows outside every policy
                OR proname ~ '^pg_(try_)?advisory_' OR proname = 'pg_notify')
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', taken.function);
        IF taken.users IS NOT NULL THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', taken.function, taken.users);
        END IF;
    END LOOP;

    IF to_regnamespace('public') IS NOT NULL THEN
        REVOKE CREATE ON SCHEMA public FROM PUBLIC; -- a database made before PostgreSQL 15 still grants it
    END IF;
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO recruiting_owner', current_database());

    -- The databases that every server has are closed here. Who needs the others only their administrator knows.
    FOR other IN
        SELECT datname FROM pg_database
         WHERE datname <> current_database() AND datallowconn
           AND EXISTS (SELECT FROM aclexplode(coalesce(datacl, acldefault('d', datdba)))
                        WHERE grantee = 0 AND privilege_type = 'CONNECT')
    LOOP
        IF other IN ('postgres', 'template1') THEN
            EXECUTE format('GRANT CONNECT ON DATABASE %I TO pg_monitor', other);
            EXECUTE format('REVOKE CONNECT ON DATABASE %I FROM PUBLIC', other);
        ELSE
            RAISE WARNING 'every role may connect to database "%": GRANT CONNECT to its users, then REVOKE CONNECT '
                'ON DATABASE % FROM PUBLIC', other, quote_ident(other);
        END IF;
    END LOOP;
END $$;
