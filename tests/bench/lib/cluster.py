"""A private PostgreSQL, durable as in production, reached by a unix socket; erased when it is stopped."""
import glob
import os
import pwd
import shutil
import subprocess
import tempfile

SETTINGS = """
listen_addresses = ''
max_connections = 100
shared_buffers = 512MB
max_wal_size = 8GB
checkpoint_timeout = 30min
fsync = on
synchronous_commit = on
jit = off
# Segments of the log that are new are filled with zeros, and every commit waits for that, some 40 ms each; a server that
# has been up for a while takes old ones instead.
wal_init_zero = off
"""
ROLES = ("recruiting_owner", "recruiting_auth", "recruiting_public")


def newest_programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))
    if not found:
        raise SystemExit("PostgreSQL's server is not installed: apt-get install postgresql")
    return found[-1]


class Cluster:
    def __init__(self, settings=""):
        self.settings = SETTINGS + settings
        self.programs = newest_programs()
        self.directory = tempfile.mkdtemp(prefix="recruiting-bench.", dir="/var/tmp")
        self.data = self.directory + "/data"
        self.user = None
        if os.getuid() == 0:  # which PostgreSQL refuses to run as
            account = pwd.getpwnam("postgres")
            self.user = "postgres"
            os.chown(self.directory, account.pw_uid, account.pw_gid)

    def start(self):
        self._run("initdb", "-D", self.data, "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8")
        with open(self.data + "/postgresql.conf", "a", encoding="utf-8") as conf:
            conf.write(self.settings + f"unix_socket_directories = '{self.directory}'\n")
        self._run("pg_ctl", "-D", self.data, "-l", self.directory + "/start.log", "-w", "start")
        for role in ROLES:
            self.sql(f"CREATE ROLE {role} LOGIN", database="postgres")
        self.sql("CREATE DATABASE recruiting OWNER recruiting_owner", database="postgres")

    def follow(self, primary):
        """Starts as a standby of another cluster."""
        self._run("pg_basebackup", "-D", self.data, "-h", primary.directory, "-U", "postgres", "-R", "-X", "stream", "-c", "fast")
        with open(self.data + "/postgresql.conf", "a", encoding="utf-8") as conf:
            conf.write(f"unix_socket_directories = '{self.directory}'\nhot_standby_feedback = on\n")
        self._run("pg_ctl", "-D", self.data, "-l", self.directory + "/start.log", "-w", "start")

    def stop(self):
        if os.path.exists(self.data + "/postmaster.pid"):
            self._run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.directory, ignore_errors=True)

    def url(self, role):
        return f"postgresql://{role}@/recruiting?host={self.directory}"

    def sql(self, text, database="recruiting"):
        command = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.directory, "-U", "postgres",
                   "-d", database, "-c", text]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"psql failed: {done.stderr}")
        return done.stdout.strip()

    @property
    def postmaster(self):
        with open(self.data + "/postmaster.pid", encoding="utf-8") as file:
            return int(file.readline())

    def settle(self, database="recruiting"):
        """Statistics and visibility maps as they are on a server that has been up for a while."""
        self.sql("VACUUM ANALYZE", database)
        self.sql("CHECKPOINT", database)

    def _run(self, program, *arguments):
        command = [self.programs + "/" + program, *arguments]
        if self.user:
            command = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--init-groups", *command]
        done = subprocess.run(command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{program} failed: {done.stderr}")
