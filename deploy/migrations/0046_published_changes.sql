-- Which organization's published data changed in which transaction, for a day. public-api reads what changed since it read
-- last, whatever notifications it missed (decision 0101). Services learn the ids and nothing else, as by the notifications.
CREATE TABLE recruiting.published_changes (
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    organization_id uuid NOT NULL, -- references nothing: an organization that is deleted has changed
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (changed_xid, organization_id) -- of a transaction's own number: no two wait for each other
);
CREATE INDEX published_changes_by_time ON recruiting.published_changes (changed_at);
ALTER TABLE recruiting.published_changes OWNER TO recruiting_owner;
ALTER TABLE recruiting.published_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE recruiting.published_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.published_changes TO recruiting_owner USING (true) WITH CHECK (true);
CREATE POLICY known ON recruiting.published_changes FOR SELECT TO recruiting_public USING (true);
GRANT SELECT ON recruiting.published_changes TO recruiting_public;

-- Called by the triggers of 0009. Each call also deletes up to two rows that are older than a day, so that the table needs
-- no other care; rows that another transaction deletes are left to it.
CREATE OR REPLACE FUNCTION recruiting.notify_published(organization uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO recruiting.published_changes (organization_id) VALUES (organization) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        DELETE FROM recruiting.published_changes
         WHERE (changed_xid, organization_id) IN (
            SELECT p.changed_xid, p.organization_id FROM recruiting.published_changes p
             WHERE p.changed_at < now() - interval '1 day' ORDER BY p.changed_at LIMIT 2 FOR UPDATE SKIP LOCKED);
    END IF;
    PERFORM pg_notify('recruiting_published', replace(organization::text, '-', ''));
END $$;
