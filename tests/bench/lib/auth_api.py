"""auth-api as it is shipped, on its own ports, with the bench's data: migrated, loaded and keyed by recruitctl."""
import http.client
import json
import os
import signal
import subprocess
import time

from ports import free_port
from program import answers, read_metric

ORGANIZATION = "bench"

# Rows as requests would have left them over the last days, by any key of the organization; their hashes are none.
AUDIT_ROWS = """
INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, credential_id, actor_type, actor_member_id, action,
                                  method, endpoint, path, status_code, success, required_scope, request_id, sequence,
                                  hash)
SELECT gen_random_uuid(), now() - n * interval '0.1 second', k.organization_id, k.id, 'api_key', k.membership_id,
       'api.request', 'GET', '/api/v1/jobs', '/api/v1/jobs', 200, true, 'jobs:read', 'bench-' || n, 1000000000 + n, sha256('')
FROM generate_series({first}, {last}) n, (SELECT * FROM recruiting.api_keys WHERE organization_id =
    (SELECT id FROM recruiting.organizations WHERE slug = '{slug}') LIMIT 1) k
"""


class AuthApi:
    def __init__(self, root, build, cluster, workers=False, threads=0):
        self.cluster, self.workers = cluster, workers
        self.programs = os.path.join(build, "bin")
        self.port, self.admin_port = free_port(), free_port()
        self.secrets = {name: os.path.join(cluster.directory, name) for name in ("pepper", "cursor")}
        for path in self.secrets.values():
            with open(path, "wb") as file:
                file.write(os.urandom(32).hex().encode())
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("RECRUITING_")}
        self.environment |= {
            "RECRUITING_ENVIRONMENT": "test",
            "RECRUITING_KEY_PEPPER_FILE": self.secrets["pepper"],
            "RECRUITING_CURSOR_SECRET_FILE": self.secrets["cursor"],
            "RECRUITING_DATABASE_URL": cluster.url("postgres"),
            "RECRUITING_MIGRATIONS_DIR": os.path.join(root, "deploy/migrations"),
            "RECRUITING_AUTH_API_DATABASE_URL": cluster.url("recruiting_auth"),
            "RECRUITING_AUTH_API_LISTEN": f"127.0.0.1:{self.port}",
            "RECRUITING_AUTH_API_ADMIN_LISTEN": f"127.0.0.1:{self.admin_port}",
            "RECRUITING_AUTH_API_WORKERS": "true" if workers else "false",
            "RECRUITING_AUTH_API_THREADS": str(threads),
        }
        self.process = None
        self.key = None

    def load(self, jobs, candidates, slug=ORGANIZATION):
        self.recruitctl("migrate")
        self._fill(slug, jobs, candidates)
        if self.key is None:
            self.key = self.make_key(slug)

    def add_organization(self, slug, jobs, candidates, keys=1):
        """Another organization; the secrets of keys of its admin."""
        self._fill(slug, jobs, candidates)
        return [self.make_key(slug, f"bench {number}") for number in range(keys)]

    def add_audit_rows(self, count, slug=ORGANIZATION):
        for first in range(1, count + 1, 1_000_000):
            self.cluster.sql(AUDIT_ROWS.format(first=first, last=min(count, first + 999_999), slug=slug))

    def _fill(self, slug, jobs, candidates):
        self.recruitctl("demo", "load", "--organization", slug, "--jobs", str(jobs), "--candidates", str(candidates))

    def make_key(self, slug, name="bench", owner="admin"):
        made = self.recruitctl("key", "create", "--organization", slug, "--owner", f"{owner}@{slug}.example",
                                "--name", name, "--scope", "*", "--expires-in", "90d", "--json")
        return json.loads(made)["secret"]

    def start(self):
        # The log goes where it goes in production: down a pipe or into a file; writing it is part of the cost.
        with open(os.path.join(self.cluster.directory, "auth-api.log"), "ab") as log:
            self.process = subprocess.Popen([os.path.join(self.programs, "recruiting-auth-api")],
                                            env=self.environment, stdout=log, stderr=log)
        for _ in range(200):
            if self.process.poll() is not None:
                raise SystemExit("auth-api did not start")
            if answers(self.admin_port, "/readyz"):
                return
            time.sleep(0.05)
        raise SystemExit("auth-api did not become ready")

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    @property
    def charged(self):
        return {"service": self.process.pid, "postgres": self.cluster.postmaster}

    def ask(self, path, key=None, body=None, fields=None):
        """GET, or POST of a body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            headers = {"Authorization": "Bearer " + (key or self.key)} | (fields or {})
            connection.request("GET" if body is None else "POST", path, body, headers)
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise SystemExit(f"{path} answered {answer.status}: {body[:400]!r}")
        return json.loads(body)

    def get(self, path, key=None):
        return self.ask(path, key)

    def job_paths(self, count=100, key=None):
        jobs = self.get(f"/api/v1/jobs?limit={min(count, 200)}", key)["data"]
        return ["/api/v1/jobs/" + job["id"] for job in jobs]

    def page_paths(self, count=100, key=None):
        """Pages of 50 at various depths: the cursors of a walk in larger steps."""
        paths, cursor = ["/api/v1/candidates"], None
        while len(paths) < count:
            page = self.get("/api/v1/candidates?limit=200" + (f"&cursor={cursor}" if cursor else ""), key)["page"]
            cursor = page["nextCursor"]
            if cursor is None:
                break
            paths.append("/api/v1/candidates?cursor=" + cursor)
        return paths

    def settle(self):
        """Waits until every audit row that this process wrote is sealed."""
        while self.workers and self.metric("recruiting_audit_rows_sealed_total") < self.metric("recruiting_audit_rows_written_total"):
            time.sleep(0.1)

    def metric(self, name):
        return read_metric(self.admin_port, name)

    def recruitctl(self, *arguments):
        command = [os.path.join(self.programs, "recruitctl"), *arguments]
        environment = self.environment if arguments[0] == "migrate" else \
            self.environment | {"RECRUITING_DATABASE_URL": self.cluster.url("recruiting_owner")}
        environment = {name: value for name, value in environment.items() if not name.startswith("RECRUITING_AUTH_API_")}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"recruitctl {' '.join(arguments[:2])} failed: {done.stderr}")
        return done.stdout
