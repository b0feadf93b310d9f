-- recruitctl: statement by statement
-- The rows that were sealed before 0038 get their sequence and hash, a month or day after the other. Beside it requests
-- append to the intake and read the log.

-- locks: the rows of some pages at a time, which nothing else writes
SELECT format('CALL recruiting.merge_audit_seals(%L)', l.partition)
  FROM recruiting.audit_partitions('audit_log') AS l
 WHERE EXISTS (SELECT FROM recruiting.audit_partitions('audit_seals')) ORDER BY l.starts_at;

-- locks: CONCURRENTLY waits for nobody's rows
SELECT format('CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS %I ON recruiting.%I (organization_id, sequence, occurred_at)',
              l.partition || '_by_sequence', l.partition)
  FROM recruiting.audit_partitions('audit_log') AS l ORDER BY l.starts_at;
-- locks: takes the partitions' indexes over, without building any
CREATE UNIQUE INDEX IF NOT EXISTS audit_log_by_sequence ON recruiting.audit_log (organization_id, sequence, occurred_at);

-- locks: drops empty tables' space; only programs of the version before read them
SELECT format('DROP TABLE IF EXISTS recruiting.%I', s.partition) FROM recruiting.audit_partitions('audit_seals') AS s
 ORDER BY s.starts_at;
