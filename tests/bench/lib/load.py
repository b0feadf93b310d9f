"""One run of wrk against a running auth-api or its peer: requests a second, latencies, CPU a request."""
from wrk import run_wrk


def run_load(service, paths, connections, seconds, field=""):
    result = run_wrk(service.url, paths, connections, seconds, service.charged, key=service.key, field=field, settle=service.settle)
    if result["refused"]:
        raise SystemExit(f"{result['refused']} of {result['requests']} requests were refused")
    return result
