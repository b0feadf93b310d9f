"""public-api with the published jobs of many organizations: its start, its memory, and what it costs to follow changes."""
import statistics
import time

import program
from cpu import Meter
from public_api import PublicApi, fetch

program.DEADLINE = 300  # a start on a busy machine
CHANGES = 10


def start(root, build, cluster, **settings):
    """A running service, and how long it took until it was ready."""
    began = time.monotonic()
    service = PublicApi(root, build, cluster, False, **settings)
    return service, time.monotonic() - began


def follow(service, cluster):
    """One change after the other; seconds until each is served, and CPU of both in ms per change."""
    job = cluster.sql("SELECT id FROM recruiting.published_jobs LIMIT 1")
    meter, waits = Meter(**service.charged), []
    for number in range(CHANGES):
        began = time.monotonic()
        cluster.sql(f"UPDATE recruiting.jobs SET title = 'Change {number}' WHERE id = '{job}'")
        while f"Change {number}".encode() not in fetch(service.port, f"/api/public/v1/jobs/{job.replace('-', '')}")[2]:
            time.sleep(0.01)
        waits.append(time.monotonic() - began)
    return statistics.median(waits), {name: spent / 1e6 / CHANGES for name, spent in meter.read().items()}


def compare(root, build, cluster):
    """CPU of both in ms for one comparison of everything, in which nothing has changed."""
    service, _ = start(root, build, cluster, CATALOGUE_REFRESH="2s", CATALOGUE_COMPARISON="2s")
    try:
        name = 'recruiting_public_api_catalogue_reloads_total{kind="all"}'
        before, meter = service.metric(name), Meter(**service.charged)
        while service.metric(name) < before + 3:
            time.sleep(0.2)
        return {of: spent / 1e6 / 3 for of, spent in meter.read().items()}
    finally:
        service.stop()


def measure(service, started, root, build, cluster):
    resident, peak = service.memory()
    jobs = int(service.metric("recruiting_public_api_catalogue_jobs"))
    wait, each = follow(service, cluster)
    whole = compare(root, build, cluster)
    return {
        "published jobs": f"{jobs:,}",
        "public-api: start until ready, s": f"{started:.1f}",
        "resident memory, MB (peak)": f"{resident / 1e6:,.0f} ({peak / 1e6:,.0f})",
        "a changed job is served after, s": f"{wait:.2f}",
        "a changed job, CPU ms: public-api + PostgreSQL": f"{each['service']:.1f} + {each['postgres']:.1f}",
        "comparison of everything, CPU ms": f"{whole['service']:.0f} + {whole['postgres']:.0f}",
    }
