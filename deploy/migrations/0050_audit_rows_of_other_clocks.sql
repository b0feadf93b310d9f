-- The clock of PostgreSQL may be wrong for a while. As in 0038, but what the audit log can take, or what was written at about
-- its own time by the clock of the moment (added_at, which no service can set), is never set aside: it gets a partition.
CREATE OR REPLACE FUNCTION recruiting.mend_audit_intake() RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    day timestamp;
    month timestamp;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('recruiting.ensure_audit_partitions'));
    WITH refused AS (
        DELETE FROM recruiting.audit_intake i
         WHERE EXISTS (SELECT FROM unnest(i.events) AS e
                        WHERE (e.id IS NOT NULL AND e.organization_id IS NOT NULL AND e.action IS NOT NULL
                               AND e.success IS NOT NULL AND e.actor_type IN ('api_key', 'member', 'agent', 'system')
                               AND (e.occurred_at BETWEEN i.added_at - interval '1 day' AND i.added_at + interval '1 day'
                                    OR e.occurred_at < now() + interval '1 day'
                                       AND e.occurred_at >= (SELECT coalesce(min(p.starts_at), '-infinity')
                                                              FROM recruiting.audit_partitions('audit_log') p)
                                    OR EXISTS (SELECT FROM recruiting.audit_partitions('audit_log') p
                                                WHERE p.starts_at <= e.occurred_at AND p.ends_at > e.occurred_at))
                              ) IS NOT TRUE)
        RETURNING i.id, i.added_at, i.events
    )
    INSERT INTO recruiting.audit_set_aside SELECT * FROM refused;
    FOR day IN SELECT DISTINCT date_trunc('day', e.occurred_at AT TIME ZONE 'UTC')
                 FROM recruiting.audit_intake i CROSS JOIN LATERAL unnest(i.events) AS e ORDER BY 1 LOOP
        month := date_trunc('month', day);
        IF NOT EXISTS (SELECT FROM recruiting.audit_partitions('audit_log') p
                        WHERE p.ends_at > month AT TIME ZONE 'UTC'
                          AND p.starts_at < (month + interval '1 month') AT TIME ZONE 'UTC') THEN
            PERFORM recruiting.add_audit_partition('audit_log', month, interval '1 month');
        ELSIF NOT EXISTS (SELECT FROM recruiting.audit_partitions('audit_log') p
                           WHERE p.starts_at <= day AT TIME ZONE 'UTC' AND p.ends_at > day AT TIME ZONE 'UTC') THEN
            PERFORM recruiting.add_audit_partition('audit_log', day, interval '1 day');
        END IF;
    END LOOP;
END $$;
