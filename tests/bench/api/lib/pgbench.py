"""pgbench running the SQL of auth-api's requests: what PostgreSQL alone costs, without HTTP, JSON and checks.

A client sends each request's statements as auth-api does (prepared, one pipeline with one Sync), and after `batch`
requests one audit INSERT with that many rows, as group commit does under load.
"""
import os
import re
import subprocess
import tempfile
import time

from cpu import Meter
from wrk import summary

# As auth-api connects (services/auth_api/http/read.hpp).
OPTIONS = ("-c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off -c enable_bitmapscan=off "
           "-c enable_hashjoin=off -c enable_mergejoin=off -c max_parallel_workers_per_gather=0")
MOST_CLIENTS = 4  # auth-api has few connections too


def run_pgbench(service, requests, connections, seconds):
    """requests: the captured statements of several GETs of one kind."""
    clients = min(connections, MOST_CLIENTS)
    batch = connections // clients
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        script, variables = os.path.join(directory, "script.sql"), Variables()
        with open(script, "w", encoding="utf-8") as file:
            file.write(make_script(requests, batch, variables))
        command = [service.cluster.programs + "/pgbench", "-n", "-M", "prepared", "-c", str(clients), "-T", str(seconds),
                   "-l", "--log-prefix=" + directory + "/log", "-f", script, *variables.arguments(),
                   service.cluster.url("recruiting_auth")]
        environment = dict(os.environ, PGOPTIONS=OPTIONS)
        meter = Meter(postgres=service.cluster.postmaster)
        with open(directory + "/output", "w+", encoding="utf-8") as output:
            process = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
            while process.poll() is None:  # its backends end with it
                meter.observe()
                time.sleep(0.05)
            output.seek(0)
            told = output.read()
        spent = meter.read()
        done = re.search(r"number of transactions actually processed: (\d+)", told)
        if process.returncode != 0 or not done:
            raise SystemExit("pgbench failed: " + told)
        latencies = sorted(latency for name in os.listdir(directory) if name.startswith("log")
                           for latency in read_latencies(os.path.join(directory, name)))
    # A transaction is `batch` requests after each other and their commit: a request waits for all of it.
    return summary(int(done[1]) * batch, seconds, quantile(latencies, 0.5), quantile(latencies, 0.99), spent)


def read_latencies(path):
    with open(path, encoding="utf-8") as file:
        return [int(line.split()[2]) / 1000 for line in file]


def quantile(values, part):
    return values[min(len(values) - 1, int(len(values) * part))]


def make_script(requests, batch, variables):
    lines = []
    for index in range(batch):
        statements = requests[index % len(requests)]
        lines.append("\\startpipeline")
        lines += [variables.bind(one.sql, one.values) + ";" for one in statements if not one.is_audit]
        lines.append("\\endpipeline")
    audit = next(one for one in requests[0] if one.is_audit)
    lines.append(variables.bind(*many_rows(audit, batch)) + ";")
    return "\n".join(lines) + "\n"


def many_rows(audit, count):
    """The INSERT of one captured row as an INSERT of count rows with ids of their own."""
    values = ["{" + ",".join([value[1:-1]] * count) + "}" for value in audit.values]
    fresh_ids = f"(SELECT array_agg(gen_random_uuid()) FROM generate_series(1, {count}))"
    return re.sub(r"\$1::uuid\[\]", fresh_ids, audit.sql, count=1), values


class Variables:
    """The values of all statements as variables of pgbench, which its prepared mode sends as parameters."""

    def __init__(self):
        self.given = []

    def bind(self, sql, values):
        first = len(self.given)
        self.given += values
        return re.sub(r"\$(\d+)", lambda match: f":v{first + int(match[1]) - 1}", sql)

    def arguments(self):
        return [f"--define=v{index}={value}" for index, value in enumerate(self.given)]
