"""The peer that auth-api is measured beside: Fastify and pg from npm (peer/server.mjs) on a PostgreSQL of its own."""
import os
import random
import shutil
import subprocess
import time

from cluster import Cluster
from ports import free_port
from program import Program, is_open

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../peer")
ORGANIZATIONS, JOBS, CANDIDATES = 20, 2_000, 100_000  # as schema.sql makes them


def require_peer():
    if not shutil.which("npm"):
        raise SystemExit("npm, which installs the peer, is not installed: apt-get install nodejs npm")
    if not os.path.isdir(FILES + "/node_modules"):
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=FILES, check=True, stdout=subprocess.DEVNULL)


class Peer:
    def __init__(self):
        self.cluster, self.port, self.program = Cluster(), free_port(), None
        self.key = "key-1"

    def start(self):
        self.cluster.start()
        self.cluster.sql("CREATE DATABASE peer", database="postgres")
        with open(FILES + "/schema.sql", encoding="utf-8") as schema:
            self.cluster.sql(schema.read(), database="peer")
        self.cluster.settle("peer")
        environment = os.environ | {"PORT": str(self.port), "PGHOST": self.cluster.directory, "NODE_ENV": "production"}
        self.program = Program("the peer", ["node", FILES + "/server.mjs"], self.cluster.directory + "/peer.log", environment)
        self.program.wait_for(lambda: is_open(self.port))

    def stop(self):
        if self.program:
            self.program.stop()
        self.cluster.stop()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    @property
    def charged(self):
        return {"service": self.program.pid, "postgres": self.cluster.postmaster}

    def settle(self):
        pass  # it leaves nothing for later

    def job_paths(self, key=1):
        return [f"/v1/jobs/{job}" for job in range(1, JOBS + 1) if (job - key) % ORGANIZATIONS == 0]

    def page_paths(self, count=100):
        """Pages of 50 at random depths."""
        now = int(time.time())
        return [f"/v1/candidates?at={now - random.randrange(CANDIDATES * 9 // 10)}&id=0" for _ in range(count)]
