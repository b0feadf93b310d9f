"""One run of wrk against a running auth-api: requests a second, latencies, CPU a request."""
from wrk import run_wrk


def run_load(service, paths, connections, seconds):
    charged = {"service": service.process.pid, "postgres": service.cluster.postmaster}
    result = run_wrk(f"http://127.0.0.1:{service.port}/", paths, connections, seconds, charged, key=service.key)
    if result["refused"]:
        raise SystemExit(f"{result['refused']} of {result['requests']} requests were refused")
    return result
