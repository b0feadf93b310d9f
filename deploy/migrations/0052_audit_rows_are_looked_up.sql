-- As 0049 for candidates: the audit rows of one request are looked up by the request's id, not among all rows of the
-- organization, which with many small organizations PostgreSQL took for a few.

-- As in 0029, with the planner's setting, which is a partition's own.
CREATE OR REPLACE FUNCTION recruiting.add_audit_partition(parent text, first_day timestamp, length interval) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    added CONSTANT text := format('%s_%s', parent, to_char(first_day, CASE WHEN length = interval '1 day'
                                                                           THEN 'YYYY_MM_DD' ELSE 'YYYY_MM' END));
BEGIN
    EXECUTE format('CREATE TABLE recruiting.%I (LIKE recruiting.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
                   added, parent);
    EXECUTE format('ALTER TABLE recruiting.%I ALTER COLUMN organization_id SET (n_distinct = 1)', added);
    EXECUTE format('ALTER TABLE recruiting.%I ENABLE ROW LEVEL SECURITY', added);
    EXECUTE format('ALTER TABLE recruiting.%I FORCE ROW LEVEL SECURITY', added);
    EXECUTE format('CREATE POLICY owner_all ON recruiting.%I TO recruiting_owner USING (true) WITH CHECK (true)', added);
    EXECUTE format('ALTER TABLE recruiting.%I ATTACH PARTITION recruiting.%I FOR VALUES FROM (%L) TO (%L)', parent, added,
                   first_day AT TIME ZONE 'UTC', (first_day + length) AT TIME ZONE 'UTC');
END $$;

-- locks: settings of the planner; they wait for VACUUM and nothing waits for them
DO $$
DECLARE
    existing text;
BEGIN
    FOR existing IN SELECT partition FROM recruiting.audit_partitions('audit_log') LOOP
        EXECUTE format('ALTER TABLE recruiting.%I ALTER COLUMN organization_id SET (n_distinct = 1)', existing);
        EXECUTE format('ANALYZE recruiting.%I', existing);
    END LOOP;
END $$;
