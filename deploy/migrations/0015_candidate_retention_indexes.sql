-- recruitctl: statement by statement
-- What retention of candidates looks for: organizations that have set one, and deleted candidates whose data is still there.
CREATE INDEX CONCURRENTLY IF NOT EXISTS organizations_with_candidate_retention
    ON recruiting.organizations (candidate_retention_acts_from) WHERE candidate_retention_days IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS candidates_to_erase
    ON recruiting.candidates (organization_id, updated_at, id) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
