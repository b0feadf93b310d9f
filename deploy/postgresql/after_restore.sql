-- For a database restored from a logical dump (pg_dump): the new server's transaction numbers begin anew, and syncToken
-- reads by them (proto-docs/decisions/0078). Stamps every record with a number of this server, or a copy would miss those
-- with numbers still to come. Tokens name their server, so those of before are rejected and copies start again.
-- Run once as recruiting_owner, while the services are stopped:
--     psql -d recruiting -U recruiting_owner -v ON_ERROR_STOP=1 -1 -f after_restore.sql
-- Not needed after a physical restore (pg_basebackup, archived log), which keeps the numbers.
DO $$
DECLARE changed text;
BEGIN
    FOREACH changed IN ARRAY ARRAY['jobs', 'job_counts', 'candidates', 'job_candidates', 'memberships',
                                 'reach_changes'] LOOP
        -- Without the triggers, so that updated_at stays.
        EXECUTE format('ALTER TABLE recruiting.%I DISABLE TRIGGER USER', changed);
        EXECUTE format('UPDATE recruiting.%I SET changed_xid = pg_current_xact_id()', changed);
        EXECUTE format('ALTER TABLE recruiting.%I ENABLE TRIGGER USER', changed);
    END LOOP;
END $$;
-- A dump of one database does not bring the database's own rights (migration 0001).
DO $$
BEGIN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END $$;
