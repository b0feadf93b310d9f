"""Results as the rows of a markdown table."""
import statistics

from wrk import median

HEADER = ("| work | connections | by | requests/s | p50 ms | p99 ms | CPU µs a request: program | Redis "
          "| gateway to it: CPU | p50 | aim | reached |\n"
          "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---|---|")


def cpu(result):
    return sum(result["cpu"].values())


def p50(result):
    return result["p50"]


def ratio(ours, theirs, of):
    """Each run against the one beside it in time; the median of that."""
    return statistics.median(of(one) / of(other) for one, other in zip(ours, theirs))


def rows(work, connections, results):
    """results: by the name of a side, one a run; the first side is the gateway."""
    ours = results[work.sides[0].name]
    for side in work.sides:
        some = results[side.name]
        shown = median(some)
        cells = [work.name, str(connections), side.name, f"{shown['rate']:,.0f}", f"{shown['p50']:.3f}",
                 f"{shown['p99']:.2f}", f"{shown['cpu']['program']:.1f}",
                 f"{shown['cpu']['redis']:.1f}" if "redis" in shown["cpu"] else ""]
        cells += compared(ours, some, work.aims.get((side.name, connections))) if some is not ours else [""] * 4
        yield "| " + " | ".join(cells) + " |"


def compared(ours, theirs, aim):
    found = {"cpu": ratio(ours, theirs, cpu), "p50": ratio(ours, theirs, p50)}
    cells = [f"{found['cpu']:.2f}", f"{found['p50']:.2f}"]
    if not aim:
        return cells + ["", ""]
    what, most = aim
    name = {"cpu": "CPU", "p50": "p50"}[what]
    return cells + [f"{name} ≤ {most:.2f}", "yes" if found[what] <= most else "**no**"]
