"""Buffers of PostgreSQL that statements touch, in the cache or not, as pg_stat_statements counts them: only while asked, for
counting costs CPU."""
SETTINGS = "shared_preload_libraries = 'pg_stat_statements'\npg_stat_statements.track = none\n"
SUM = "SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0) FROM pg_stat_statements"


class Buffers:
    def __init__(self, cluster):
        self.cluster = cluster
        cluster.sql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")

    def touched_by(self, act):
        self._track("top")
        try:
            self.cluster.sql("SELECT pg_stat_statements_reset()")
            act()
            return int(self.cluster.sql(SUM))
        finally:
            self._track("none")

    def _track(self, what):
        self.cluster.sql(f"ALTER SYSTEM SET pg_stat_statements.track = {what}")
        self.cluster.sql("SELECT pg_reload_conf(), pg_sleep(0.3)")
