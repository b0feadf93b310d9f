-- DROP OWNED BY a role, which the role itself may run, drops the policies that name it: a taken-over auth-api could have
-- left recruiting_auth without one, so that it reads nothing from then on. PostgreSQL refuses the whole command when the role
-- has a right on a column of some table and none on that table as a whole, as recruiting_public has on booking_requests.
-- The number of the newest migration is what recruiting.schema_version() gives anyway.
GRANT SELECT (number) ON recruiting.schema_migrations TO recruiting_auth;
