-- Tells public-api which organization's published data has changed, so that what it serves from memory follows within
-- a second. One notification a transaction and organization: PostgreSQL drops repeated ones.
CREATE FUNCTION recruiting.notify_published(organization uuid) RETURNS void LANGUAGE sql VOLATILE
    RETURN pg_notify('recruiting_published', replace(organization::text, '-', ''));

CREATE FUNCTION recruiting.notify_published_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- One branch an operation: transition tables exist only where the trigger names them.
    IF TG_OP = 'INSERT' THEN
        PERFORM recruiting.notify_published(organization_id)
        FROM (SELECT DISTINCT organization_id FROM added WHERE published) AS touched;
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM recruiting.notify_published(organization_id)
        FROM (SELECT DISTINCT organization_id FROM removed WHERE published) AS touched;
    ELSE
        PERFORM recruiting.notify_published(organization_id)
        FROM (SELECT organization_id FROM added WHERE published
              UNION SELECT organization_id FROM removed WHERE published) AS touched;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER notify_added AFTER INSERT ON recruiting.jobs
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION recruiting.notify_published_jobs();
CREATE TRIGGER notify_changed AFTER UPDATE ON recruiting.jobs
    REFERENCING NEW TABLE AS added OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION recruiting.notify_published_jobs();
CREATE TRIGGER notify_removed AFTER DELETE ON recruiting.jobs
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION recruiting.notify_published_jobs();

-- A change of a job's stages changes its row too (copy_stages): only organizations have to tell by themselves.
CREATE FUNCTION recruiting.notify_published_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM recruiting.notify_published(coalesce(NEW.id, OLD.id));
    RETURN NULL;
END $$;
CREATE TRIGGER notify_published AFTER INSERT OR UPDATE OR DELETE ON recruiting.organizations
    FOR EACH ROW EXECUTE FUNCTION recruiting.notify_published_organization();
