"""One run of wrk against a running auth-api: requests a second, latencies, CPU a request."""
import json
import os
import shutil
import subprocess
import tempfile

from cpu import Meter

HERE = os.path.dirname(os.path.abspath(__file__))


def require_wrk():
    if not shutil.which("wrk"):
        raise SystemExit("wrk, the load generator, is not installed: apt-get install wrk")


def run_load(service, paths, connections, seconds):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        file.write("\n".join(paths) + "\n")
        file.flush()
        environment = dict(os.environ, BENCH_PATHS=file.name, BENCH_KEY=service.key)
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", HERE + "/load.lua",
                   f"http://127.0.0.1:{service.port}/"]
        meter = Meter(service=service.process.pid, postgres=service.cluster.postmaster)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        spent = meter.read()
    line = [text for text in done.stdout.splitlines() if text.startswith("RESULT ")]
    if not line:
        raise SystemExit("wrk failed: " + done.stdout + done.stderr)
    result = json.loads(line[0].removeprefix("RESULT "))
    if result["failed"] or not result["requests"]:
        raise SystemExit(f"{result['failed']} of {result['requests']} requests failed")
    return summary(result["requests"], result["seconds"], result["p50"] / 1000, result["p99"] / 1000, spent)


def summary(requests, seconds, p50_ms, p99_ms, spent_ns):
    return {"rate": requests / seconds, "p50": p50_ms, "p99": p99_ms,
            "cpu": {name: time / 1e6 / requests * 1000 for name, time in spent_ns.items()}}
