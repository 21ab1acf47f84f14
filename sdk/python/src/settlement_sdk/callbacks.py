"""Callbacks: whether one is really the service's, and what it says."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Optional, Protocol, Sequence, Tuple, Union

from .errors import CallbackRefused
from .signing import sign_request


class Headers(Protocol):
    """A dictionary, or what web servers hand over: `http.server`'s message, WSGI's and ASGI's frameworks' headers."""

    def items(self) -> Iterable[Tuple[str, str]]: ...


@dataclass(frozen=True)
class Callback:
    id: str
    """The same in every attempt: what was seen is not acted on again."""
    event: str
    """`settlement.executed`, `withdrawal.failed` …"""
    body: Dict[str, Any]


def verify_callback(
    headers: Headers,
    body: bytes,
    callback_secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> Callback:
    """Reads a callback that is really the service's; raises CallbackRefused otherwise.

    `body` are the bytes as they came: a body that was parsed and written again is another one. `callback_secret` is `whsec_…`, several
    while one is being replaced.
    """
    callback_id, timestamp = _header(headers, "webhook-id"), _header(headers, "webhook-timestamp")
    _refuse_old(timestamp, tolerance, now)
    signed = f"{callback_id}.{timestamp}.".encode("utf-8") + body
    given = [one[3:] for one in _header(headers, "webhook-signature").split(" ") if one.startswith("v1,")]
    for secret in [callback_secret] if isinstance(callback_secret, str) else callback_secret:
        wanted = base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest()).decode("ascii")
        if any(hmac.compare_digest(wanted.encode(), one.encode()) for one in given):
            return _read(callback_id, body)
    raise CallbackRefused("no signature fits")


def verify_mirrored(
    headers: Headers,
    body: bytes,
    api_secret: str,
    *,
    method: str,
    target: str,
    brand: str = "Service",
    tolerance: float = 300,
    now: Optional[float] = None,
) -> Callback:
    """The other signature, in the manner of requests, for those who already check requests so."""
    timestamp = _header(headers, f"x-{brand}-timestamp")
    _refuse_old(timestamp, tolerance, now)
    path, _, query = target.partition("?")
    wanted = sign_request(api_secret, timestamp=timestamp, method=method, path=path, query=query, body=body)
    if not hmac.compare_digest(wanted.encode(), _header(headers, f"x-{brand}-signature").lower().encode()):
        raise CallbackRefused("the signature does not fit")
    return _read(_header(headers, "webhook-id"), body)


def _read(callback_id: str, body: bytes) -> Callback:
    told = json.loads(body)
    # The end of a settlement names no event: its status does.
    return Callback(callback_id, told.get("event") or f"settlement.{told['status']}", told)


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise CallbackRefused("the callback secret is not whsec_ and base64")
    return key


def _refuse_old(timestamp: str, tolerance: float, now: Optional[float]) -> None:
    is_number = timestamp.isascii() and timestamp.isdigit()
    if not is_number or abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise CallbackRefused("it is too old, or of a wrong time")


def _header(headers: Headers, name: str) -> str:
    found = next((value for each, value in headers.items() if each.lower() == name.lower()), "")
    if not found:
        raise CallbackRefused(f"there is no header {name}")
    return found
