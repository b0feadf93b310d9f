"""scripts/up and scripts/down with stand-ins for the programs and real PostgreSQL and Redis, in a folder whose name
has a space and a quote."""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import ROOT

# Answers 200 to everything on both of its addresses, and says at its start which settings it was given.
PROGRAM = """#!/usr/bin/env python3
import http.server, os, sys, threading
name = os.path.basename(sys.argv[0]).removeprefix("recruiting-").replace("-", "_").upper()
print(" ".join(sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("RECRUITING_"))), flush=True)
class answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_):
        pass
def serve(setting):
    host, port = os.environ[f"RECRUITING_{name}_{setting}"].rsplit(":", 1)
    http.server.ThreadingHTTPServer((host, int(port)), answer).serve_forever()
if os.path.exists(sys.argv[0] + ".takes"): # once, the port that scripts/up has chosen for the gateway
    os.remove(sys.argv[0] + ".takes")
    os.environ[f"RECRUITING_{name}_TAKEN"] = os.environ["RECRUITING_PUBLIC_URL"].rpartition("/")[2]
    threading.Thread(target=serve, args=("TAKEN",), daemon=True).start()
threading.Thread(target=serve, args=("ADMIN_LISTEN",), daemon=True).start()
serve("LISTEN")
"""
RECRUITCTL = """#!/usr/bin/env bash
case "$*" in
migrate) psql -X -A -t "$RECRUITING_DATABASE_URL" -c "select 'applied as ' || current_user" ;;
demo*) echo '{"organization":"acme","adminEmail":"admin@acme.example"}' ;;
key*) echo '{"secret":"sp_test_made"}' ;;
esac
"""
NINJA = "rule none\n  command = true\n" + "".join(
    f"build {name}: none\n" for name in ("recruiting-gateway", "recruiting-auth-api", "recruiting-public-api", "recruitctl")
)
PROGRAMS = ("gateway", "auth-api", "public-api", "redis", "postgres")
SERVERS = shutil.which("redis-server") and list(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def executable(path, text):
    path.write_text(text)
    path.chmod(0o755)


def ended(pid):
    """No such process, or one that waits for its parent to notice."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@unittest.skipUnless(SERVERS and shutil.which("jq"), "needs PostgreSQL, Redis and jq")
class Up(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="up it's ")
        cls.root = Path(cls.folder)
        shutil.copytree(ROOT / "scripts", cls.root / "scripts")
        (cls.root / "deploy/migrations").mkdir(parents=True)
        shutil.copytree(ROOT / "deploy/postgresql", cls.root / "deploy/postgresql")
        bin_folder = cls.root / "build/fake/bin"
        bin_folder.mkdir(parents=True)
        (cls.root / "build/fake/build.ninja").write_text(NINJA)
        for name in ("gateway", "auth-api", "public-api"):
            executable(bin_folder / f"recruiting-{name}", PROGRAM)
        executable(bin_folder / "recruitctl", RECRUITCTL)
        cls.run_dir = cls.root / ".run"
        cls.environment = {k: v for k, v in os.environ.items() if not k.startswith(("RECRUITING_", "_RECRUITING_"))}
        cls.environment |= {"RECRUITING_UP_PRESET": "fake", "RECRUITING_UP_PACKAGES": "skip", "RECRUITING_UP_PORT_OFFSET": "12000"}
        cls.script(cls, "up")

    @classmethod
    def tearDownClass(cls):
        cls.script(cls, "down", "--erase")
        shutil.rmtree(cls.folder)

    def script(self, name, *arguments, status=0, **settings):
        done = subprocess.run([self.root / "scripts" / name, *arguments], env=self.environment | settings,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        if done.returncode != status:
            raise AssertionError(f"scripts/{name} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def pids(self):
        return {name: int((self.run_dir / f"{name}.pid").read_text()) for name in PROGRAMS}

    def sourced(self):
        """What a plain POSIX shell has after sourcing the run directory's env."""
        text = subprocess.run(["sh", "-c", '. "$1" && env -0', "sh", self.run_dir / "env"], env={"PATH": os.environ["PATH"]},
                              check=True, capture_output=True, text=True).stdout
        return dict(pair.split("=", 1) for pair in text.split("\0") if pair)

    def started_with(self, name):
        return (self.run_dir / "log" / f"{name}.log").read_text().splitlines()[-1]

    def restarted(self, before):
        after = self.pids()
        return {name for name in PROGRAMS if after[name] != before[name]}

    def setUp(self):
        self.script("up")

    def test_env_can_be_sourced_by_any_shell(self):
        values = self.sourced()
        self.assertEqual(values["RECRUITING_DEMO_KEY"], "sp_test_made")
        self.assertEqual(shutil.which("recruitctl", path=values["PATH"]), str(self.root / "build/fake/bin/recruitctl"))
        self.assertTrue(Path(values["RECRUITING_KEY_PEPPER_FILE"]).is_file())
        owner = subprocess.run(["psql", "-XAtc", "select current_user", values["RECRUITING_DATABASE_URL"]],
                               check=True, capture_output=True, text=True).stdout
        self.assertEqual(owner, "recruiting_owner\n")

    def test_secrets_are_for_this_user_alone(self):
        for path in [self.run_dir / "env", self.run_dir / "authorization", *(self.run_dir / "secrets").iterdir()]:
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)

    def test_again_leaves_everything_alone(self):
        before = self.pids()
        self.script("up")
        self.assertEqual(self.restarted(before), set())

    def test_a_sourced_env_changes_nothing(self):
        before = self.pids()
        self.script("up", **self.sourced())
        self.assertEqual(self.restarted(before), set())

    def test_only_starts_a_killed_program_again_in_its_place(self):
        for name in PROGRAMS:
            with self.subTest(name):
                before, url = self.pids(), self.sourced()["RECRUITING_GATEWAY_URL"]
                os.kill(before[name], signal.SIGKILL)
                self.script("up", "--only", name)
                self.assertEqual(self.restarted(before), {name})
                self.assertEqual(self.sourced()["RECRUITING_GATEWAY_URL"], url)

    def test_a_changed_binary_is_restarted(self):
        before = self.pids()
        binary = self.root / "build/fake/bin/recruiting-auth-api"
        executable(binary.with_suffix(".new"), binary.read_text() + "# changed\n")
        binary.with_suffix(".new").rename(binary)
        self.script("up")
        self.assertEqual(self.restarted(before), {"auth-api"})

    def test_settings_reach_the_programs_they_concern(self):
        before = self.pids()
        self.script("up", RECRUITING_GATEWAY_RATE_LIMIT="7")
        self.assertEqual(self.restarted(before), {"gateway"})
        self.assertIn("RECRUITING_GATEWAY_RATE_LIMIT=7", self.started_with("gateway"))
        self.script("up", RECRUITING_REDIS_URL="redis://127.0.0.1:1")
        for name in ("gateway", "auth-api", "public-api"):
            self.assertIn("RECRUITING_REDIS_URL=redis://127.0.0.1:1", self.started_with(name))

    def test_tls_is_remembered_until_no_tls(self):
        before = self.pids()
        output = self.script("up", "--tls")
        self.assertEqual(self.restarted(before), {"gateway"})
        certificate, key = self.run_dir / "tls/localhost.pem", self.run_dir / "tls/localhost.key"
        self.assertEqual(key.stat().st_mode & 0o077, 0)
        names = subprocess.run(["openssl", "x509", "-in", certificate, "-noout", "-ext", "subjectAltName"],
                               check=True, capture_output=True, text=True).stdout
        for name in ("DNS:localhost", "IP Address:127.0.0.1", "IP Address:0:0:0:0:0:0:0:1"):
            self.assertIn(name, names)
        address = (self.run_dir / "state/listen.gateway-tls").read_text().strip()
        for text in (f"RECRUITING_GATEWAY_TLS_LISTEN={address}", "TLS_CERTIFICATES=tls/localhost.pem:tls/localhost.key"):
            self.assertIn(text, self.started_with("gateway"))
        self.assertIn(f"https://{address}/api/v1/me", output)
        before, made = self.pids(), certificate.read_bytes()
        self.assertIn(f"https://{address}/api/v1/me", self.script("up"))
        self.assertEqual(self.restarted(before), set())
        self.assertEqual(certificate.read_bytes(), made)
        os.kill(before["gateway"], signal.SIGKILL)
        self.script("up", "--only", "gateway")
        self.assertIn(f"RECRUITING_GATEWAY_TLS_LISTEN={address}", self.started_with("gateway"))
        self.assertNotIn("https://", self.script("up", "--no-tls"))
        self.assertNotIn("TLS_LISTEN", self.started_with("gateway"))

    def test_the_owner_s_database_password_stays_out_of_the_programs(self):
        for name in ("gateway", "auth-api", "public-api"):
            self.assertNotIn("recruiting_owner", self.started_with(name))
            self.assertNotIn("sp_test_made", self.started_with(name))

    def test_a_taken_port_is_avoided_and_the_new_one_kept(self):
        self.script("down")
        former = (self.run_dir / "state/listen.auth-api").read_text().strip()
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            other.bind(("127.0.0.1", int(former.split(":")[1])))
            other.listen()
            self.script("up")
        chosen = (self.run_dir / "state/listen.auth-api").read_text().strip()
        self.assertNotEqual(chosen, former)
        admin = (self.run_dir / "state/listen.auth-api-admin").read_text().strip()
        self.assertIn(f"RECRUITING_GATEWAY_AUTH_API={chosen}", self.started_with("gateway"))
        self.assertIn(f"RECRUITING_GATEWAY_AUTH_API_HEALTH=:{admin.rpartition(':')[2]}", self.started_with("gateway"))
        self.script("down")
        self.script("up")
        self.assertEqual((self.run_dir / "state/listen.auth-api").read_text().strip(), chosen)

    def test_a_port_that_is_taken_after_it_was_chosen_is_replaced_everywhere(self):
        self.script("down")
        former = (self.run_dir / "state/listen.gateway").read_text().strip()
        (self.root / "build/fake/bin/recruiting-auth-api.takes").touch()
        output = self.script("up")
        chosen = (self.run_dir / "state/listen.gateway").read_text().strip()
        self.assertNotEqual(chosen, former)
        self.assertIn(f"http://{chosen}/api/v1/me", output)
        self.assertEqual(self.sourced()["RECRUITING_GATEWAY_URL"], f"http://{chosen}")
        self.assertIn(f"RECRUITING_GATEWAY_LISTEN={chosen} ", self.started_with("gateway"))
        for name in ("auth-api", "public-api"):
            self.assertIn(f"RECRUITING_PUBLIC_URL=http://{chosen} ", self.started_with(name) + " ")

    def test_the_key_is_in_a_file_and_in_no_printed_command(self):
        self.assertEqual((self.run_dir / "authorization").read_text(), "Authorization: Bearer sp_test_made\n")
        output = self.script("up")
        self.assertIn("/authorization' http", output)
        self.assertNotIn("Bearer", output)

    def test_a_taken_port_that_was_asked_for_is_an_error_with_a_remedy(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            address = f"127.0.0.1:{other.getsockname()[1]}"
            output = self.script("up", status=1, RECRUITING_GATEWAY_LISTEN=address)
        self.assertIn("RECRUITING_GATEWAY_LISTEN", output)
        self.script("down")
        (self.run_dir / "state/listen.gateway").unlink()

    def test_a_program_that_ends_at_once_shows_its_log(self):
        binary = self.root / "build/fake/bin/recruiting-public-api"
        good = binary.read_text()
        executable(binary.with_suffix(".new"), "#!/bin/sh\necho RECRUITING_X is unknown\nexit 2\n")
        binary.with_suffix(".new").rename(binary)
        output = self.script("up", status=1)
        executable(binary, good)
        self.assertIn("FAILED (public-api)", output)
        self.assertIn("| RECRUITING_X is unknown", output)

    def test_what_migrate_refuses_is_said_first(self):
        recruitctl = self.root / "build/fake/bin/recruitctl"
        executable(recruitctl, "#!/bin/sh\necho waiting\necho 'recruitctl migrate: make it again' >&2\nexit 1\n")
        try:
            said = self.script("up", status=1)
        finally:
            executable(recruitctl, RECRUITCTL)
        self.assertIn("FAILED (Migrations): recruitctl migrate: make it again\n  Remedy: scripts/down --erase", said)

    def test_down_stops_all_of_it_and_nothing_else(self):
        before = self.pids()
        with subprocess.Popen(["sleep", "60"]) as foreign:
            # As after a reboot: the number in the file now belongs to another process.
            (self.run_dir / "gateway.pid").write_text(f"{foreign.pid}\n")
            output = self.script("down")
            self.assertIsNone(foreign.poll())
            foreign.kill()
        os.kill(before["gateway"], signal.SIGKILL)
        self.assertIn("gateway      was not running", output)
        for name in PROGRAMS[1:]:
            self.assertTrue(ended(before[name]), name)

    def test_a_process_runs_until_its_last_thread_has_ended(self):
        """Its first thread may end before the others: until then its sockets are open and its port is taken."""
        program = ("import ctypes, sys, threading; threading.Thread(target=sys.stdin.read).start();"
                   "print('first thread ends', flush=True); ctypes.CDLL(None).pthread_exit(None)")
        look = '. "$1/scripts/lib/process.sh"; process_start "$2"'
        with subprocess.Popen(["python3", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            while not ended(process.pid):
                self.assertIsNone(process.poll())
            shell = ["bash", "-c", look, "bash", self.root, str(process.pid)]
            self.assertEqual(subprocess.run(shell).returncode, 0)
            process.stdin.close()
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            self.assertNotEqual(subprocess.run(shell).returncode, 0)

    def test_unknown_arguments_are_refused(self):
        self.assertIn('"--onyl"', self.script("up", "--onyl", status=1))
        self.assertIn('"nginx"', self.script("up", "--only", "nginx", status=1))


if __name__ == "__main__":
    unittest.main()
