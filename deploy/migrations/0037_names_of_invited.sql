-- What an organization calls a person it has invited. Until they sign in, it sees this name and not the one by which other
-- organizations know them: an address would otherwise tell a stranger whose it is.
ALTER TABLE recruiting.memberships ADD COLUMN invited_name text;
GRANT INSERT (invited_name), UPDATE (invited_name) ON recruiting.memberships TO recruiting_auth;
