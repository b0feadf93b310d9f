"""public-api as it is shipped, one thread, its catalogue loaded from a private PostgreSQL with one job of about 1 KB."""
import http.client
import os
import subprocess

from ports import free_port
from program import Program, answers, read_metric

ORGANIZATION, JOB = "0199c1a1c3d87f02b5a6e4d17c930f57", "0199c1a1c3d87f02b5a6e4d17c930f58"
ROWS = f"""
INSERT INTO recruiting.organizations (id, slug, name, time_zone) VALUES ('{ORGANIZATION}', 'bench', 'Bench', 'UTC');
INSERT INTO recruiting.jobs (id, organization_id, title, status, published, description_html, description_text)
VALUES ('{JOB}', '{ORGANIZATION}', 'Engineer', 'open', true, '<p>' || repeat('word ', 50) || 'end</p>',
        repeat('word ', 50) || 'end');
"""
PATH = f"/api/public/v1/jobs/{JOB}"


class PublicApi:
    def __init__(self, root, build, cluster, logged, **settings):
        """settings: of the program, without their prefix."""
        self.cluster = cluster
        self.port, self.admin_port = free_port(), free_port()
        secret = os.path.join(cluster.directory, "cursor")
        with open(secret, "wb") as file:
            file.write(os.urandom(32).hex().encode())
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RECRUITING_")}
        environment |= {
            "RECRUITING_PUBLIC_API_LISTEN": f"127.0.0.1:{self.port}",
            "RECRUITING_PUBLIC_API_ADMIN_LISTEN": f"127.0.0.1:{self.admin_port}",
            "RECRUITING_PUBLIC_API_DATABASE_URL": cluster.url("recruiting_public"),
            "RECRUITING_PUBLIC_API_THREADS": "1",
            "RECRUITING_CURSOR_SECRET_FILE": secret,
            "RECRUITING_LOG_LEVEL": "info" if logged else "warning",  # requests are logged as info
        }
        environment |= {"RECRUITING_PUBLIC_API_" + name: value for name, value in settings.items()}
        program = os.path.join(build, "bin/recruiting-public-api")
        self.program = Program("public-api", [program], f"{cluster.directory}/public-api.{logged}.log", environment)
        self.program.wait_for(lambda: answers(self.admin_port, "/readyz"))

    def stop(self):
        self.program.stop()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    @property
    def charged(self):
        return {"service": self.program.pid, "postgres": self.cluster.postmaster}

    def get(self, path, _=None):
        status, _, body = fetch(self.port, path)
        if status != 200:
            raise SystemExit(f"GET {path} answered {status}: {body[:400]!r}")

    def metric(self, name):
        return read_metric(self.admin_port, name)

    def memory(self):
        """Bytes: resident now, and at most so far."""
        with open(f"/proc/{self.program.pid}/status", encoding="utf-8") as file:
            fields = dict(line.split(":", 1) for line in file)
        return tuple(int(fields[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))


def migrate(root, build, cluster):
    environment = {"RECRUITING_DATABASE_URL": cluster.url("postgres"),
                   "RECRUITING_MIGRATIONS_DIR": os.path.join(root, "deploy/migrations")}
    subprocess.run([os.path.join(build, "bin/recruitctl"), "migrate"], env=environment, check=True, capture_output=True)


def fill(root, build, cluster):
    migrate(root, build, cluster)
    cluster.sql(ROWS)


def fetch(port, path, etag=None):
    """Status, validator and body: what both sides have to agree on before they are measured."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"If-None-Match": etag} if etag else {})
        answer = connection.getresponse()
        return answer.status, answer.getheader("ETag"), answer.read()
    finally:
        connection.close()
