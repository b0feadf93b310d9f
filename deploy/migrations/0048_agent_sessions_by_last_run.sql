-- recruitctl: statement by statement
-- In this order retention reads them (0049).
CREATE INDEX CONCURRENTLY IF NOT EXISTS agent_sessions_by_last_run ON recruiting.agent_sessions (last_run_at);
