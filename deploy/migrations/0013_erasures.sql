-- What was erased, so that it is erased again after a restore: candidates (recruitctl candidate erase) and whole organizations
-- (recruitctl organization delete). Ids alone: nothing here says who it was.
CREATE TABLE recruiting.erasures (
    subject_id uuid PRIMARY KEY, -- the candidate, or the organization itself
    organization_id uuid NOT NULL, -- references nothing: an organization that is deleted stays in this list
    erased_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    kept_sessions uuid[] NOT NULL DEFAULT '{}' -- the agent's, which name another person of that name
);
ALTER TABLE recruiting.erasures OWNER TO recruiting_owner, ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON recruiting.erasures TO recruiting_owner USING (true) WITH CHECK (true);
CREATE INDEX erasures_by_organization ON recruiting.erasures (organization_id);
