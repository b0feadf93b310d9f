"""The SQL that auth-api sends, with its values, as PostgreSQL's own log tells it: nothing is written down twice."""
import json
import re
import time

EXECUTED = re.compile(r"^duration: .*? ms  (?:execute|statement)\b[^:]*: (.*)$", re.DOTALL)
PARAMETER = re.compile(r"\$(\d+) = (NULL|'(?:[^']|'')*')")


class Statement:
    def __init__(self, sql, values):
        self.sql = sql.strip()
        self.values = values  # texts or None, by position

    @property
    def is_audit(self):
        return self.sql.startswith("INSERT INTO recruiting.audit_log")


def capture(service, path):
    """The statements of one GET, in their order: authenticate, the endpoint's, the audit row's."""
    log = service.cluster.statement_log
    with open(log, "rb") as file:
        file.seek(0, 2)
        service.get(path)
        deadline = time.monotonic() + 5
        found = []
        while not any(statement.is_audit for statement in found):
            if time.monotonic() > deadline:
                raise SystemExit(f"PostgreSQL's log does not show the statements of {path}")
            time.sleep(0.02)
            found += [statement for statement in map(parse, file) if statement]
    return found


def parse(line):
    entry = json.loads(line)
    if entry.get("user") != "recruiting_auth":
        return None
    match = EXECUTED.match(entry.get("message", ""))
    if not match:
        return None
    values = {}
    for number, text in PARAMETER.findall(entry.get("detail", "")):
        values[int(number)] = None if text == "NULL" else text[1:-1].replace("''", "'")
    return Statement(match[1], [values[number] for number in sorted(values)])
