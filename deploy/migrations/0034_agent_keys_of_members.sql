-- recruitctl: statement by statement
-- In the console an Idempotency-Key belongs to the member, whichever of their browsers sends it.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS agent_runs_by_member_key
    ON recruiting.agent_runs (organization_id, membership_id, idempotency_key)
    WHERE credential_id IS NULL AND idempotency_key IS NOT NULL;
