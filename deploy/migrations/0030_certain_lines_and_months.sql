-- Which server this is never fails a statement, and a month of the audit log is dropped only when it is empty for certain.

-- As in 0027. The server's line is a part of every connection's check: what PostgreSQL refuses to say, for whatever reason
-- (a right that was revoked, the control file while it is written), is NULL and no error.
CREATE OR REPLACE FUNCTION recruiting.server_line(OUT system text, OUT timeline bigint)
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

-- Drops the months ahead that hold nothing, for make_audit_partitions. A row may be on its way into one that looks empty, so
-- it is looked at again under a lock; requests that write audit rows wait for that no longer than half a second. A month
-- whose lock is not free by then stays until the next call.
CREATE FUNCTION recruiting.drop_empty_audit_months() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
    month record;
    used boolean;
BEGIN
    FOR month IN SELECT p.log, p.seals,
                        format('SELECT EXISTS (SELECT FROM recruiting.%I) OR EXISTS (SELECT FROM recruiting.%I)',
                               p.log, p.seals) AS is_used
                   FROM (SELECT l.partition AS log, s.partition AS seals
                           FROM recruiting.audit_partitions('audit_log') l
                           JOIN recruiting.audit_partitions('audit_seals') s USING (starts_at, ends_at)
                          WHERE starts_at > now() AND ends_at - starts_at > interval '2 days') p LOOP
        EXECUTE month.is_used INTO used;
        CONTINUE WHEN used;
        BEGIN
            -- In the order of writers, the log itself before its partition: else they and this could wait for each other.
            EXECUTE format('LOCK TABLE ONLY recruiting.audit_log, ONLY recruiting.%I, ONLY recruiting.audit_seals, '
                           'ONLY recruiting.%I IN ACCESS EXCLUSIVE MODE', month.log, month.seals);
            EXECUTE month.is_used INTO used;
            IF NOT used THEN
                EXECUTE format('DROP TABLE recruiting.%I, recruiting.%I', month.log, month.seals);
            END IF;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            CONTINUE;
        END;
    END LOOP;
END $$;
ALTER FUNCTION recruiting.drop_empty_audit_months OWNER TO recruiting_owner;
REVOKE EXECUTE ON FUNCTION recruiting.drop_empty_audit_months FROM PUBLIC;

-- As in 0029: makes the partitions of now and of the time ahead, which are three months, or 31 days where they are daily.
-- by_day NULL: as the newest one is. Daily partitions take the place of months ahead that are empty; what exists and has begun stays, so a
-- month that has days gets days for the rest of it. Runs as its owner, so that recruiting_auth needs no DDL rights.
CREATE OR REPLACE FUNCTION recruiting.make_audit_partitions(by_day boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    today CONSTANT timestamp := date_trunc('day', now() AT TIME ZONE 'UTC');
    this_month CONSTANT timestamp := date_trunc('month', today);
    daily boolean := by_day;
    parent text;
    moment timestamp;
    until timestamp;
    covered_to timestamp;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('recruiting.ensure_audit_partitions'));
    IF daily IS NULL THEN
        daily := coalesce((SELECT ends_at - starts_at < interval '2 days' FROM recruiting.audit_partitions('audit_log')
                            ORDER BY starts_at DESC LIMIT 1), false);
    ELSIF daily THEN
        PERFORM recruiting.drop_empty_audit_months();
    END IF;
    FOREACH parent IN ARRAY ARRAY['audit_log', 'audit_seals'] LOOP
        moment := CASE WHEN daily THEN today - interval '1 day' ELSE this_month - interval '1 month' END;
        until := CASE WHEN daily THEN today + interval '32 days' ELSE this_month + interval '4 months' END;
        WHILE moment < until LOOP
            SELECT max(p.ends_at) AT TIME ZONE 'UTC' INTO covered_to FROM recruiting.audit_partitions(parent) p
             WHERE p.starts_at <= moment AT TIME ZONE 'UTC' AND p.ends_at > moment AT TIME ZONE 'UTC';
            IF covered_to IS NOT NULL THEN
                moment := covered_to;
            ELSIF daily OR EXISTS (SELECT FROM recruiting.audit_partitions(parent) p
                                    WHERE p.ends_at > date_trunc('month', moment) AT TIME ZONE 'UTC'
                                      AND p.starts_at < (date_trunc('month', moment) + interval '1 month')
                                                        AT TIME ZONE 'UTC') THEN
                PERFORM recruiting.add_audit_partition(parent, moment, interval '1 day');
                moment := moment + interval '1 day';
            ELSE
                PERFORM recruiting.add_audit_partition(parent, moment, interval '1 month');
                moment := moment + interval '1 month';
            END IF;
        END LOOP;
    END LOOP;
END $$;
