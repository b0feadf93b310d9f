-- Audit rows as requests leave them, in the intake: batches of `most` from the requests of forty days, of all organizations.
-- The days have a partition each, as with RECRUITING_AUTH_API_AUDIT_PARTITIONS=day.
SET ROLE recruiting_owner;
DO $$
DECLARE
    month text;
BEGIN
    FOR month IN SELECT partition FROM recruiting.audit_partitions() LOOP
        EXECUTE format('DROP TABLE recruiting.%I', month);
    END LOOP;
    PERFORM recruiting.add_audit_partition(day, interval '1 day')
       FROM generate_series(date_trunc('day', now() AT TIME ZONE 'UTC') - interval '40 days',
                            date_trunc('day', now() AT TIME ZONE 'UTC') + interval '3 days', interval '1 day') AS day;
END $$;
RESET ROLE;

CREATE PROCEDURE bench.add_audit_rows(first bigint, last bigint, all_of_them bigint) LANGUAGE sql AS $$
    INSERT INTO recruiting.audit_intake (event_count, events)
    SELECT count(*), array_agg(ROW(
               bench.id_at(r.at), r.at, k.organization_id, k.id, 'warehouse sync ' || k.m, 'api_key', k.membership_id,
               'member' || k.m || '@bench-' || k.n || '.example', 'admin', 'api.request', 'GET', '/api/v1/jobs/{id}',
               '/api/v1/jobs/' || md5(r.i::text), NULL, NULL, 200, true, NULL, 'jobs:read', '192.0.2.1',
               'warehouse-sync/1.2', bench.id_at(r.at)::text, NULL, NULL, 3, NULL)::recruiting.audit_event ORDER BY r.i)
      FROM (SELECT i, bench.any_organization() AS n, now() - interval '40 days' + i * interval '40 days' / all_of_them AS at
              FROM generate_series(first, last) AS i) r
      JOIN bench.api_keys k ON k.n = r.n AND k.m = 1 + r.i % 2
     GROUP BY r.i / 32;
$$;

-- A transaction per round, as the sealer's; returns when the intake is empty.
CREATE PROCEDURE bench.seal(batch integer) LANGUAGE plpgsql AS $$
BEGIN
    WHILE recruiting.seal_audit_rows(batch) > 0 LOOP
        COMMIT;
    END LOOP;
END $$;
