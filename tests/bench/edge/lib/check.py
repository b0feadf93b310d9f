"""Before anything is measured: all sides give the same answer to the same request, with the same cipher."""
import http.client
import ssl
from urllib.parse import urlsplit


def check(work):
    seen = {side.name: ask(work, side) for side in work.sides}
    cipher = seen[work.sides[0].name][2]
    for name, answer in seen.items():
        if answer[0] != (429 if work.refused else 200):
            raise SystemExit(f"{work.name}: {name} answers {answer[0]}")
        if not work.refused and answer[1] != seen[work.sides[0].name][1]:
            raise SystemExit(f"{work.name}: {name} answers something else than the gateway")
        if answer[2] != cipher:
            raise SystemExit(f"{work.name}: {name} speaks {answer[2]}, the gateway {cipher}")


def ask(work, side):
    """Status, body and cipher of the second answer: a rate limit of one lets the first pass."""
    where = urlsplit(side.url)
    if where.scheme == "https":
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(where.hostname, where.port, timeout=10, context=context)
    else:
        connection = http.client.HTTPConnection(where.hostname, where.port, timeout=10)
    try:
        connection.connect()
        cipher = connection.sock.cipher()[:2] if where.scheme == "https" else None
        for _ in range(2):
            connection.request("POST" if work.body else "GET", work.path, body=b"x" * work.body or None)
            answer = connection.getresponse()
            body = answer.read()
        return answer.status, body, cipher
    finally:
        connection.close()
