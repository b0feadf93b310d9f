-- A mail is dead when it was tried for long enough. The time since the first attempt decides: attempts come sooner than
-- planned when PostgreSQL's clock was set back, or when an operator brings them forward. NULL: not tried, or last tried by
-- the version before.
ALTER TABLE recruiting.mail_outbox ADD COLUMN first_attempt_at timestamptz;
GRANT UPDATE (first_attempt_at) ON recruiting.mail_outbox TO recruiting_auth;
