"""The Python client behind the command line of recruiting.sh; waits are written down and pass on a clock of their own."""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, os.environ["CLIENTS_DIR"])
sys.dont_write_bytecode = True
import recruiting  # noqa: E402

elapsed = 0.0


def sleep(seconds: float) -> None:
    global elapsed
    elapsed += seconds
    with open(os.environ["WAITS_FILE"], "a", encoding="utf-8") as file:
        file.write(f"{seconds}\n")


def print_records(records) -> None:
    for record in records:
        print(json.dumps(record, ensure_ascii=False))


def sync(client: recruiting.Client, path: str, state: Path) -> None:
    for records, token in client.sync(path, state.read_text() if state.exists() else ""):
        print_records(records)
        state.write_text(token)


def verify(*fields: str) -> None:
    headers = dict(zip(("Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"), fields))
    message = recruiting.verify_webhook(headers, sys.stdin.buffer.read(), *os.environ["WEBHOOK_SECRETS"].split())
    print(json.dumps(message, ensure_ascii=False))


def run(command: str, *given: str) -> None:
    client = recruiting.Client(
        os.environ["RECRUITING_GATEWAY_URL"], os.environ["API_KEY"], sleep=sleep, clock=lambda: elapsed,
        patience=float(os.environ.get("RECRUITING_PATIENCE", "600")),
        read_timeout=float(os.environ.get("RECRUITING_READ_TIMEOUT", "30")),
        run_timeout=float(os.environ.get("RECRUITING_RUN_TIMEOUT", "180")))
    {
        "get": lambda path: print(json.dumps(client.get(path))),
        "list": lambda path: print_records(client.list_all(path)),
        "sync": lambda path, state: sync(client, path, Path(state)),
        "invoke": lambda key, prompt: print(client.invoke(key, prompt)),
        "resume": lambda session, prompt: print(client.resume(session, prompt)),
        "slots": lambda job, stage: print_records(client.slots(job, stage)),
        "book": client.book,
        "verify": verify,
    }[command](*given)


exits = {recruiting.RunFailed: 1, recruiting.Refused: 2, recruiting.GaveUp: 3, recruiting.OutcomeUnknown: 4,
         recruiting.StartOver: 5}
try:
    run(*sys.argv[1:])
except (*exits, recruiting.NotVerified, RuntimeError, ValueError) as error:
    print(error, file=sys.stderr)
    sys.exit(exits.get(type(error), 2))
