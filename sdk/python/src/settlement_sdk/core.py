"""The logic of a call, without sending: each attempt is signed again, with the service's clock, until there is a final
answer.

A plan is a generator. It yields a `Request` or a `Pause`, and gets its result; its return value is the call's. The
sync and the async client run the same plans with different transports.
"""

from __future__ import annotations

import json
import random
import time
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, Generator, Mapping, NamedTuple, Optional, TypeVar, Union
from urllib.parse import quote, urlencode, urlsplit

from .errors import Refused, SettlementError, Unanswered
from .signing import sign_request
from .version import __version__

_USER_AGENT = f"settlement-sdk-python/{__version__}"
"""Names the SDK that calls."""
_FIRST_WAIT = 0.25
_REASONS_TO_REPEAT = (408, 429, 500, 502, 503, 504)


@dataclass(frozen=True)
class Options:
    base_url: str
    """The service's address: `https://api.example.com`."""
    api_key: str
    api_secret: str
    brand: str = "Service"
    """The word in the names of the signing headers."""
    timeout: float = 35.0
    """How long one attempt may take, in seconds. Longer than the service ever takes, so that it is the service that gives up first."""
    attempts: int = 4
    """The most attempts of a call."""
    longest_wait: float = 20.0
    """A refusal that asks for a longer wait than this is raised instead."""


@dataclass(frozen=True)
class Call:
    surface: str
    """`settlement`, `partner` or `open`."""
    method: str
    path: str
    query: Optional[Mapping[str, Any]] = None
    body: Optional[object] = None
    idempotency_key: Optional[str] = None
    """On every POST: the same for each attempt."""


class Answer:
    """`headers`: by their names in lower case."""

    def __init__(self, status: int, headers: Dict[str, str], text: bytes) -> None:
        self.status = status
        self.headers = headers
        try:
            self.body: Any = json.loads(text) if text else None
        except ValueError:
            self.body = None


class Request(NamedTuple):
    """One attempt, to be sent unchanged: the target is signed."""

    method: str
    target: str
    headers: Dict[str, str]
    body: Optional[bytes]


class Pause(NamedTuple):
    seconds: float


class Lost(NamedTuple):
    """An attempt got no answer: it is unknown whether it arrived."""

    error: Exception


Result = TypeVar("Result")
Outcome = Union[Answer, Lost, None]
Plan = Generator[Union[Request, Pause], Outcome, Result]


class Core:
    """Remembers how far the service's clock is ahead; nothing else is kept between calls."""

    def __init__(self, options: Options) -> None:
        _refuse_faulty(options)
        self._options = options
        self._path = urlsplit(options.base_url.rstrip("/")).path
        self._ahead = 0.0
        """Seconds that the service's clock is ahead of this machine's."""

    def answer(self, call: Call) -> Plan[Answer]:
        """The whole answer. Raises Refused, Unanswered."""
        if call.method == "POST" and call.surface != "open" and not call.idempotency_key:
            raise SettlementError("a POST needs an idempotency key")
        corrected = False
        attempt = 0
        while True:
            attempt += 1
            wait: Optional[float] = None
            trouble: Exception
            outcome = yield self._request(call)
            if isinstance(outcome, Answer):
                if outcome.status < 300:
                    return outcome
                refused = Refused(outcome.status, outcome.headers, outcome.body)
                if refused.code == "stale_timestamp" and not corrected:
                    corrected = True
                    yield from self._set_clock(refused)
                    attempt -= 1
                    continue
                if refused.status not in _REASONS_TO_REPEAT and refused.code != "idempotency_in_progress":
                    raise refused
                trouble, wait = refused, refused.retry_after
            elif outcome is not None:
                trouble = outcome.error
            pause = wait if wait is not None else _FIRST_WAIT * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)
            if attempt >= self._options.attempts or pause > self._options.longest_wait:
                break
            yield Pause(pause)
        if isinstance(trouble, Refused):
            raise trouble
        raise Unanswered(f"{call.method} {call.path}: no answer") from trouble

    def body(self, call: Call) -> Plan[Any]:
        """The answer's body. Raises Refused, Unanswered."""
        return (yield from self.answer(call)).body

    def now(self) -> float:
        """The service's clock, in seconds since 1970, according to its last refusal."""
        return time.time() + self._ahead

    def _request(self, call: Call) -> Request:
        path = f"{self._path}{call.path}"
        query = query_of(call.query)
        body = b"" if call.body is None else stable(call.body)
        headers = {"Content-Type": "application/json", "User-Agent": _USER_AGENT, **self._credentials(call, path, query, body)}
        return Request(call.method, f"{path}?{query}" if query else path, headers, body if body or call.method == "POST" else None)

    def _credentials(self, call: Call, path: str, query: str, body: bytes) -> Dict[str, str]:
        if call.surface == "open":
            return {}
        options = self._options
        headers = {"Authorization" if call.surface == "settlement" else "apiKey": options.api_key}
        if call.idempotency_key is not None:
            headers["Idempotency-Key"] = call.idempotency_key
        timestamp = str(int(time.time() + self._ahead))
        signature = sign_request(options.api_secret, timestamp=timestamp, method=call.method, path=path, query=query, body=body)
        headers[f"X-{options.brand}-Timestamp"] = timestamp
        headers[f"X-{options.brand}-Nonce"] = str(uuid.uuid4())
        headers[f"X-{options.brand}-Signature"] = signature
        return headers

    def _set_clock(self, refused: Refused) -> Plan[None]:
        """By the refusal's own word, else by `/time`."""
        server_time = refused.members.get("server_time") or ((yield from self.body(Call("open", "GET", "/time"))) or {}).get("now")
        if isinstance(server_time, str):
            self._ahead = datetime.fromisoformat(server_time.replace("Z", "+00:00")).timestamp() - time.time()


def _refuse_faulty(options: Options) -> None:
    """Raises ValueError for options that no call could be made with."""
    for name in ("base_url", "api_key", "api_secret", "brand"):
        value: object = getattr(options, name)
        if not isinstance(value, str) or not value:
            raise ValueError(f"{name} is missing: give it as a text")
    base = urlsplit(options.base_url)
    if base.scheme not in ("http", "https") or base.hostname is None or base.query or base.fragment:
        raise ValueError(f"base_url is the service's address, such as https://api.example.com, not {options.base_url!r}")
    if base.path.rstrip("/").endswith("/api/v1"):
        raise ValueError("base_url ends before /api/v1: the client adds each operation's path")
    for name, least in (("timeout", 0.001), ("attempts", 1), ("longest_wait", 0)):
        number: object = getattr(options, name)
        if not isinstance(number, (int, float)) or number < least:
            raise ValueError(f"{name} is a number of at least {least}")


def stable(value: object) -> bytes:
    """The same bytes for the same value, in whatever order its members were written: a repeat must not differ."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode("utf-8")


def query_of(query: Optional[Mapping[str, Any]]) -> str:
    return urlencode({name: value for name, value in (query or {}).items() if value is not None}, quote_via=quote, safe="")


def step(an_id: str) -> str:
    """An id as one step of a path, whatever is in it."""
    if an_id in ("", ".", ".."):
        raise ValueError(f"{an_id!r} is no id")
    return quote(an_id, safe="")
