"""A PostgreSQL with many organizations, generated in it (records.sql, audit_rows.sql)."""
import math
import os
import sys
import threading
import time

from cpu import Meter

HERE = os.path.dirname(os.path.abspath(__file__))
AT_ONCE = 100_000  # rows per transaction
CANDIDATES_A_JOB = 500


def sql_of(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


class Organizations:
    def __init__(self, cluster, organizations, candidates, audit_rows):
        self.cluster, self.organizations = cluster, organizations
        self.candidates, self.audit_rows = candidates, audit_rows
        self.sealing = None  # rows per second and CPU µs of PostgreSQL per row

    def fill(self, auth_api):
        began = time.monotonic()
        auth_api.load(200, 2_000, "template")
        largest = round(self.candidates / CANDIDATES_A_JOB / math.log(self.organizations))
        self._sql(f"SET bench.largest_jobs = {largest};" + sql_of("records.sql"))
        self._tell(began, "organizations with their members, keys and jobs")
        for first, last in parts(self.candidates):
            self._sql(f"CALL bench.add_candidates({first}, {last}, {self.candidates})")
        self._tell(began, f"{self.candidates:,} candidates")
        self._sql(sql_of("audit_rows.sql"))
        self._seal_all()
        self._tell(began, f"{self.audit_rows:,} audit rows")

    def _seal_all(self):
        seconds, nanoseconds = 0, 0
        for first, last in parts(self.audit_rows):
            self._sql(f"CALL bench.add_audit_rows({first}, {last}, {self.audit_rows})")
            meter, began = Meter(postgres=self.cluster.postmaster), time.monotonic()
            session = threading.Thread(target=self.cluster.sql, args=("CALL bench.seal(2000)",))
            session.start()
            while session.is_alive():
                meter.observe()  # its process is gone afterwards
                session.join(0.02)
            seconds, nanoseconds = seconds + time.monotonic() - began, nanoseconds + meter.read()["postgres"]
        self.sealing = {"rate": self.audit_rows / seconds, "cpu": nanoseconds / 1000 / self.audit_rows}

    def _sql(self, text):
        self.cluster.sql(f"SET bench.organizations = {self.organizations}; SET jit = off;" + text)

    def _tell(self, began, what):
        print(f"{self.organizations:,}: {what} after {time.monotonic() - began:.0f} s", file=sys.stderr)


def parts(count):
    return [(first, min(first + AT_ONCE - 1, count)) for first in range(1, count + 1, AT_ONCE)]
