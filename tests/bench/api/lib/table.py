"""Results as the rows of a markdown table."""

HEADER = ("| read | by | connections | requests/s | p50 ms | p99 ms | CPU ms per 1000: service | PostgreSQL | together |\n"
          "|---|---|---:|---:|---:|---:|---:|---:|---:|")


def row(read, runner, connections, result):
    service, postgres = result["cpu"].get("service"), result["cpu"]["postgres"]
    return (f"| {read} | {runner} | {connections} | {result['rate']:,.0f} | {result['p50']:.2f} | {result['p99']:.2f} "
            f"| {f'{service:.0f}' if service is not None else ''} | {postgres:.0f} | {postgres + (service or 0):.0f} |")
