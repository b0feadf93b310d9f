-- recruitctl: statement by statement
-- The console lists bookings by when they are or, where no time was found, were wanted.
CREATE INDEX CONCURRENTLY IF NOT EXISTS bookings_without_time
    ON recruiting.bookings (organization_id, wanted_starts_at, id) WHERE starts_at IS NULL;
