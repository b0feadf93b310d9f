"""A client of the recruiting API that follows its retry rules. Python 3.9 or later, nothing but the standard library.

    client = Client("https://jobs.example.com", api_key)
    for job in client.list_all("/jobs", status="open"):
        ...
"""

from __future__ import annotations

import base64
import gzip
import hmac
import http.client
import json
import random
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

Record = dict[str, Any]


class Answer(NamedTuple):
    status: int
    headers: Message
    body: bytes

    def json(self) -> Record:
        return json.loads(self.body)


class Refused(Exception):
    """The API said no. The same request gets the same answer: correct it, or report a 500 under its request id."""

    def __init__(self, answer: Answer) -> None:
        try:
            error = answer.json()["error"]
        except (ValueError, KeyError, TypeError):
            error = {}  # not from the API: a proxy's page
        self.status, self.code = answer.status, error.get("code")
        self.details, self.request_id = error.get("details", []), answer.headers["X-Request-Id"]
        super().__init__(f"{answer.status} {self.code}: {error.get('message')} (request {self.request_id}) {self.details}")


class StartOver(Exception):
    """The sync token can't be used any more. Begin with an empty one, and replace the copy with what it brings."""


class GaveUp(Exception):
    """429, 503 or no connection for longer than the client's patience. Asking again later is safe."""


class OutcomeUnknown(Exception):
    """The connection was lost after a request that must not be repeated blindly: look first whether it had its effect."""


class RunFailed(Exception):
    """The agent's run died, for ever under its key. It may have had effects: a new key is somebody's decision."""

    def __init__(self, run: Record) -> None:
        self.correlation_id = run.get("failedCorrelationId")
        super().__init__(f"{run.get('error')} {self.correlation_id}")


class NotVerified(Exception):
    """The request is not from a webhook of ours, or was changed, or recorded and sent again later: answer 400, do nothing."""


def verify_webhook(headers: Mapping[str, str], body: bytes, *secrets: str) -> Record:
    """The message in a request to a webhook's URL, if one of the secrets ("whsec_...") signed these bytes in the last five
    minutes; else NotVerified. A message that is sent again has the webhook-id it had before."""
    given = {name.lower(): value for name, value in headers.items()}
    message_id, sent_at, signatures = (given.get("webhook-" + name, "") for name in ("id", "timestamp", "signature"))
    if not (sent_at.isascii() and sent_at.isdigit() and len(sent_at) <= 12 and abs(time.time() - int(sent_at)) <= 300):
        raise NotVerified("no webhook-timestamp, or one that is more than five minutes off")
    signed = f"{message_id}.{sent_at}.".encode() + body
    for secret in secrets:
        key = base64.b64decode(secret[len("whsec_"):])
        if not secret.startswith("whsec_") or len(key) < 24:  # an empty one would verify what anybody signs
            raise ValueError("not the secret of a webhook")
        expected = b"v1," + base64.b64encode(hmac.new(key, signed, "sha256").digest())
        if any(hmac.compare_digest(expected, signature.encode()) for signature in signatures.split(" ")):
            return json.loads(body)
    raise NotVerified("no signature is by one of the secrets")


class Client:
    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        patience: float = 600.0,
        read_timeout: float = 30.0,
        run_timeout: float = 180.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """patience: seconds after which an operation is given up. The timeouts are those of one request; a run's is
        longer than the gateway's own (150 s)."""
        self._base, self._key = base_url.rstrip("/"), api_key
        self._patience, self._read_timeout, self._run_timeout = patience, read_timeout, run_timeout
        self._sleep, self._clock = sleep, clock
        # Every status is an answer here, and a redirect is none of ours: it would take the key elsewhere.
        self._opener = urllib.request.OpenerDirector()
        for handler in (urllib.request.ProxyHandler, urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
            self._opener.add_handler(handler())

    # --- the authenticated API ---

    def get(self, path: str, **query: str | int | None) -> Record:
        """One record or one page: get("/jobs", limit=10)."""
        return self._get(path, self._deadline(), query).json()

    def list_all(self, path: str, **query: str | int | None) -> Iterator[Record]:
        """Every record of a list, page by page."""
        cursor: str | None = None
        while True:
            page = self.get(path, **{"limit": 200, **query, "cursor": cursor})
            yield from page["data"]
            following = page["page"]["nextCursor"]
            if following is None:
                return
            if following == cursor:
                raise RuntimeError(f"{path}: the cursor does not move")
            cursor = following

    def sync(self, path: str, token: str = "", *, include: str | None = None) -> Iterator[tuple[list[Record], str]]:
        """What changed since token ("": everything), in parts: write each part's records by id, delete those with a
        deletedAt, of which there may be no more than the id, then keep its token. A token goes with its include.
        Raises StartOver when the token is of no more use."""
        while True:
            try:
                page = self.get(path, limit=200, include=include, syncToken=token)
            except Refused as refused:
                if any(detail.get("reason") in ("sync_token_expired", "bad_token") for detail in refused.details):
                    raise StartOver(str(refused)) from refused
                raise
            token = page["page"]["syncToken"]
            yield page["data"], token
            if not page["page"]["hasMore"]:
                return

    def invoke(self, key: str, prompt: str) -> str:
        """The agent's reply. It runs once, however often this is called with the same key, such as str(uuid.uuid4()): keep
        the key with the work it belongs to before you call, and a restarted program gets the same run."""
        deadline = self._deadline()
        headers = {"Idempotency-Key": key}
        answer = self._post("/api/v1/agent/invoke", {"prompt": prompt}, headers, self._run_timeout, deadline)
        if answer.headers["Idempotency-Mismatch"] == "true":
            raise ValueError("this key was used for another prompt")
        run = answer.json()
        session = "/agent/sessions/" + quote(run["sessionId"], safe="")
        own_run = {"correlationId": answer.headers["Correlation-Id"]}  # also when the session is resumed meanwhile
        while run["status"] == "in_progress":  # poll; never invoke again
            self._wait(answer, 2.0, deadline)
            answer = self._get(session, deadline, own_run)
            run = answer.json()["data"]
        return _reply(run)

    def resume(self, session_id: str, prompt: str) -> str:
        """Goes on in a session. It can't have a key, so it is not repeated when its answer is lost: look at the session.
        Refused with 409 session_busy: poll the session until its status is no longer in_progress, then call this again."""
        body = {"prompt": prompt, "sessionId": session_id}
        answer = self._post("/api/v1/agent/invoke", body, {}, self._run_timeout, self._deadline(), repeatable=False)
        return _reply(answer.json())

    # --- the public API: never with the key ---

    def slots(self, job_id: str, stage_id: str) -> list[Record]:
        slots: list[Record] = []
        query = ""
        while True:
            answer = self._repeat("GET", _scheduling(job_id, stage_id) + "/slots" + query, deadline=self._deadline()).json()
            slots += answer["data"]
            if answer["page"]["nextFrom"] is None:
                return slots
            query = "?from=" + answer["page"]["nextFrom"]

    def book(self, job_id: str, stage_id: str, email: str, slot_start: str, time_zone: str = "UTC") -> None:
        """Asks for an interview, as the widget does. The answer is the same for everybody; what becomes of it is mailed."""
        body = {"email": email, "slotStart": slot_start, "timeZone": time_zone}
        deadline = self._clock() + min(90.0, self._patience)  # somebody waits in front of a page
        path = _scheduling(job_id, stage_id) + "/bookings"
        self._post(path, body, {}, self._read_timeout, deadline, repeatable=False, attempts=5)

    # --- the rules ---

    def _deadline(self) -> float:
        return self._clock() + self._patience

    def _get(self, path: str, deadline: float, query: dict[str, str | int | None] | None = None) -> Answer:
        text = urlencode({name: value for name, value in (query or {}).items() if value is not None})
        return self._repeat("GET", "/api/v1" + path + ("?" + text if text else ""), deadline=deadline)

    def _post(self, path: str, body: Record, headers: dict[str, str], timeout: float, deadline: float, *,
              repeatable: bool = True, attempts: int = 1_000) -> Answer:
        headers = {**headers, "Content-Type": "application/json"}
        return self._repeat("POST", path, json.dumps(body).encode(), headers, timeout, deadline, repeatable, attempts)

    def _repeat(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None,
                timeout: float | None = None, deadline: float = 0.0, repeatable: bool = True, attempts: int = 1_000) -> Answer:
        """Sends until there is an answer that is final. repeatable: a lost answer may be asked for again."""
        pause = 1.0
        for attempt in range(1, attempts + 1):
            answer = self._send(method, path, body, headers or {}, timeout or self._read_timeout)
            if answer is not None and answer.status == 200:
                return answer
            if not repeatable and (answer is None or (answer.status >= 500 and answer.status != 503)):
                raise OutcomeUnknown(f"{method} {path}: {answer.status if answer else 'no answer'}")
            if answer is not None and answer.status not in (429, 503):
                raise Refused(answer)
            if attempt < attempts:
                self._wait(answer, pause, deadline)
                pause = min(pause * 2, 60.0)
        raise GaveUp(f"{method} {path}: {attempts} attempts")

    def _wait(self, answer: Answer | None, pause: float, deadline: float) -> None:
        """As long as the answer says, else `pause`; and up to a pause more, so that many clients don't return at once."""
        told = None if answer is None else _retry_after(answer.headers)
        wait = (pause if told is None else told) + random.random() * pause
        if self._clock() + wait > deadline:
            raise GaveUp(f"{answer.status if answer else 'no answer'}; it would take {wait:.0f} s more")
        self._sleep(wait)

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str], timeout: float) -> Answer | None:
        request = urllib.request.Request(self._base + path, body, {**headers, "Accept-Encoding": "gzip"}, method=method)
        if path.startswith("/api/v1/") and self._key:
            request.add_header("Authorization", f"Bearer {self._key}")
        try:
            with self._opener.open(request, timeout=timeout) as response:
                content = response.read()
                if response.headers["Content-Encoding"] == "gzip":
                    content = gzip.decompress(content)
                return Answer(response.status, response.headers, content)
        except (OSError, EOFError, http.client.HTTPException):  # no connection, a timeout, or half an answer
            return None


def _scheduling(job_id: str, stage_id: str) -> str:
    return f"/api/public/v1/scheduling/{quote(job_id, safe='')}/{quote(stage_id, safe='')}"


def _reply(run: Record) -> str:
    if run["status"] != "completed":
        raise RunFailed(run)
    return run["reply"]


def _retry_after(headers: Message) -> float | None:
    """Seconds or a date (RFC 9110 section 10.2.3). A date is compared with the server's own clock, not with ours."""
    value = headers["Retry-After"]
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        until = parsedate_to_datetime(value).timestamp()
        now = parsedate_to_datetime(headers["Date"]).timestamp() if headers["Date"] else time.time()
    except (TypeError, ValueError):
        return None
    return max(0.0, until - now)
