"""What a system with many organizations costs while nobody asks, and what its operators' commands take."""
import time

from cpu import Meter

IDLE_SECONDS = 20


def seconds_of(act):
    began = time.monotonic()
    act()
    return time.monotonic() - began


def server_ms(cluster, statement, first="SELECT 1"):
    """By PostgreSQL's own clock, without the time that a session takes to begin, and that what comes first takes in it."""
    now = "SELECT extract(epoch FROM clock_timestamp()) * 1000"
    lines = cluster.sql(f"{first}; {now}; {statement}; {now}").splitlines()[1:]
    return float(lines[-1]) - float(lines[0])


def workers(auth_api, buffers):
    """The first seconds, in which the hourly tasks come first, and then the rest: per second."""
    began = Meter(postgres=auth_api.cluster.postmaster)
    auth_api.start()
    time.sleep(5)
    first = began.read()["postgres"] / 1e6
    meter = Meter(**auth_api.charged)
    time.sleep(IDLE_SECONDS)
    idle = {name: spent / 1e6 / IDLE_SECONDS for name, spent in meter.read().items()}
    touched = buffers.touched_by(lambda: time.sleep(IDLE_SECONDS)) / IDLE_SECONDS
    auth_api.stop()
    return {
        "workers' first rounds, ms of PostgreSQL": f"{first:.0f}",
        "idle workers, ms of CPU per second: service + PostgreSQL": f"{idle['service']:.1f} + {idle['postgres']:.1f}",
        "idle workers, buffers per second": f"{touched:.0f}",
    }


WEBHOOKS = """
INSERT INTO recruiting.webhooks (id, organization_id, url, resources)
SELECT gen_random_uuid(), id, 'https://receiver.example/', '{jobs,candidates}' FROM recruiting.organizations;
INSERT INTO recruiting.webhook_positions (webhook_id, resource, organization_id, seen_xid)
SELECT w.id, resource, w.organization_id, recruiting.transaction_horizon() FROM recruiting.webhooks w, unnest(w.resources) AS resource;
VACUUM ANALYZE recruiting.webhooks, recruiting.webhook_positions
"""
CHANGED = 20  # organizations


def webhooks(cluster, buffers):
    """With one of each organization: a round after which there is nothing to say, and one after some of them have changed."""
    for statement in WEBHOOKS.split(";"):
        cluster.sql(statement)
    a_round = "SELECT recruiting.write_webhook_messages(100)"
    idle = min(server_ms(cluster, a_round, first=a_round) for _ in range(3))  # planned once, as workers do
    touched = buffers.touched_by(lambda: cluster.sql(a_round))
    cluster.sql(f"""UPDATE recruiting.candidates SET current_title = 'Director' WHERE id IN (
        SELECT DISTINCT ON (organization_id) id FROM recruiting.candidates ORDER BY organization_id, id LIMIT {CHANGED})""")
    changed = buffers.touched_by(lambda: cluster.sql(a_round))
    messages = int(cluster.sql("SELECT count(*) FROM recruiting.webhook_messages"))
    if messages != CHANGED:
        raise SystemExit(f"{messages} messages for {CHANGED} changes")
    return {
        "webhooks, a round without a change, ms (buffers)": f"{idle:.0f} ({touched:,})",
        f"webhooks, a round after {CHANGED} organizations changed, buffers": f"{changed:,}",
    }


def audit_log(cluster, auth_api, data):
    verified = seconds_of(lambda: auth_api.recruitctl("audit", "verify"))
    boundary = cluster.sql("SELECT min(ends_at) FROM recruiting.audit_partitions()")
    rows = int(cluster.sql(f"SELECT count(*) FROM recruiting.audit_log WHERE occurred_at < '{boundary}'"))
    keeping = server_ms(cluster, f"SELECT recruiting.keep_audit_chain_starts('{boundary}')")
    dropping = server_ms(cluster, f"SELECT recruiting.drop_audit_months(now() - '{boundary}'::timestamptz)")
    auth_api.recruitctl("audit", "verify")
    return {
        "sealing, rows per second": f"{data.sealing['rate']:,.0f}",
        "sealing, CPU µs of PostgreSQL per row": f"{data.sealing['cpu']:.1f}",
        "verification, rows per second": f"{data.audit_rows / verified:,.0f}",
        "the oldest partition's rows": f"{rows:,}",
        "new starts of chains before it is dropped, ms": f"{keeping:.0f}",
        "its drop, ms": f"{dropping:.0f}",
    }


def vacuum(cluster):
    """After one row in a hundred has changed; of the audit log, a day that nothing has vacuumed yet."""
    cluster.sql("UPDATE recruiting.candidates SET current_title = 'Lead ' || current_title WHERE hashtext(id::text) % 100 = 0")
    largest = cluster.sql("SELECT partition FROM recruiting.audit_partitions() ORDER BY starts_at LIMIT 1")
    out = {}
    for table, name in (("candidates", "candidates"), ("candidate_terms", "search terms"), ("applications", "applications"),
                        (largest, "a day of the audit log")):
        size = cluster.sql(f"SELECT pg_size_pretty(pg_total_relation_size('recruiting.{table}'))")
        out[f"VACUUM of {name}, s"] = f"{seconds_of(lambda t=table: cluster.sql(f'VACUUM recruiting.{t}')):.1f} ({size})"
    return out


def commands(auth_api):
    return {
        "recruitctl organization list, s": f"{seconds_of(lambda: auth_api.recruitctl('organization', 'list')):.2f}",
        "recruitctl audit head, s": f"{seconds_of(lambda: auth_api.recruitctl('audit', 'head')):.2f}",
    }
