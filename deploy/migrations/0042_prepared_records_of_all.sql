-- recruitctl: statement by statement
-- The rows from before 0041 get their record. The programs of this version read no other.

-- locks: the rows of some pages at a time, and none that others hold
CALL recruiting.write_missing_records('candidates');
-- locks: the rows of some pages at a time, as above
CALL recruiting.write_missing_records('jobs');
ALTER TABLE recruiting.candidates VALIDATE CONSTRAINT candidates_record_is_written;
ALTER TABLE recruiting.jobs VALIDATE CONSTRAINT jobs_record_is_written;
