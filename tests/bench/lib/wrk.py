"""One run of wrk: requests a second, latencies, and the CPU a request costs the processes it is charged to."""
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


def with_keys(paths_of_key):
    """key → its paths, as one list that wrk draws from."""
    return [f"{path}\t{key}" for key, paths in paths_of_key.items() for path in paths]


def run_wrk(url, paths, connections, seconds, charged, key=None, body=0, field="", settle=None):
    """paths: each may have a key of its own behind a tab, and behind another the body of a POST. charged: a name and process
    id each; their children count. body: bytes of a POST's; 0: GET. field: "Name: value", one a line. settle: what is awaited, and charged, after the last answer."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        file.write("\n".join(paths) + "\n")
        file.flush()
        environment = dict(os.environ, BENCH_PATHS=file.name, BENCH_BODY=str(body), BENCH_FIELD=field)
        if key:
            environment["BENCH_KEY"] = key
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", HERE + "/wrk.lua", url]
        meter = Meter(**charged)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if settle:
            settle()
        spent = meter.read()
    line = [text for text in done.stdout.splitlines() if text.startswith("RESULT ")]
    if not line:
        raise SystemExit("wrk failed: " + done.stdout + done.stderr)
    told = json.loads(line[0].removeprefix("RESULT "))
    if told["failed"] or not told["requests"]:
        raise SystemExit(f"{told['failed']} of {told['requests']} requests failed")
    result = summary(told["requests"], told["seconds"], told["p50"] / 1000, told["p99"] / 1000, spent)
    return result | {"requests": told["requests"], "refused": told["refused"]}


def summary(requests, seconds, p50_ms, p99_ms, spent_ns):
    """cpu: milliseconds per 1000 requests, by name."""
    return {"rate": requests / seconds, "p50": p50_ms, "p99": p99_ms,
            "cpu": {name: time / 1e6 / requests * 1000 for name, time in spent_ns.items()}}


def median(results):
    """The run in the middle by CPU: one run's figures together, not a mixture."""
    ordered = sorted(results, key=lambda result: sum(result["cpu"].values()))
    return ordered[len(ordered) // 2]
