-- recruitctl: statement by statement
-- The other indexes of these columns leave rows out, so that each deleted candidate or slot had the whole table read for rows that
-- refer to it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS applications_of_candidate ON recruiting.applications (candidate_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS bookings_of_slot ON recruiting.bookings (slot_id) WHERE slot_id IS NOT NULL;
