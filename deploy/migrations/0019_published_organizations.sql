-- An organization is public only once it has published a job: before that, its name and address are nobody's business.
-- It stays public while any published job is left, closed ones included, so that a careers page does not vanish between
-- two openings. Triggers of 0009 tell public-api of each change of a published job, the last one's withdrawal included.
CREATE OR REPLACE VIEW recruiting.published_organizations WITH (security_barrier) AS
SELECT o.id, o.slug, o.name, o.website_url, o.logo_url, o.time_zone, o.careers_page_url,
       (SELECT count(*) FROM recruiting.jobs j
        WHERE j.organization_id = o.id AND j.published AND j.status = 'open' AND j.deleted_at IS NULL
          AND (j.closes_at IS NULL OR j.closes_at > now())) AS open_job_count
FROM recruiting.organizations o
WHERE EXISTS (SELECT FROM recruiting.jobs j
              WHERE j.organization_id = o.id AND j.published AND j.status <> 'draft' AND j.deleted_at IS NULL);

CREATE INDEX jobs_ever_published ON recruiting.jobs (organization_id)
    WHERE published AND status <> 'draft' AND deleted_at IS NULL;
