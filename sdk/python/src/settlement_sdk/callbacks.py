"""Callbacks: whether one is really the service's, and what it says."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Iterable, List, Mapping, Optional, Protocol, Sequence, Tuple, Union, cast

from . import ed25519
from .errors import CallbackRefused
from .generated import AnyCallback, Event
from .proofs import from_base64url
from .received import Callback
from .signing import sign_request


_MOST_PUBLIC = 8
"""The most signatures under public keys that are checked: anyone without a secret can still send a header full of them.
"""


class Headers(Protocol):
    """A dictionary, or the headers of web servers: `http.server`'s message, or those of WSGI and ASGI frameworks."""

    def items(self) -> Iterable[Tuple[str, str]]: ...


def verify_callback(
    headers: Headers,
    body: Union[bytes, str],
    callback_secret: Union[str, Sequence[str], None] = (),
    *,
    public_keys: Union[str, Sequence[str], Mapping[str, Any]] = (),
    tolerance: float = 300,
    now: Optional[float] = None,
) -> AnyCallback:
    """Reads a callback of the service. Raises CallbackRefused if it is not genuine or is an event, and ValueError or TypeError if it
    cannot be checked at all: a missing or malformed secret or key, or a parsed body. Answer CallbackRefused with
    400, and those with 500: the callback comes again.

    `body`: the raw bytes, or their text; a body that was parsed and written again differs. `callback_secret`:
    `whsec_…`, several during a rotation. `public_keys`, instead of it or in addition: the keys that the service
    publishes for you at `/.well-known/jwks.json?partner=…`, or keys of it in the form `whpk_…`. One valid signature
    is enough.
    """
    return _read(_verified(headers, body, callback_secret, public_keys, tolerance, now), _raw(body))


def verify_event(
    headers: Headers,
    body: Union[bytes, str],
    callback_secret: Union[str, Sequence[str], None] = (),
    *,
    public_keys: Union[str, Sequence[str], Mapping[str, Any]] = (),
    tolerance: float = 300,
    now: Optional[float] = None,
) -> Event:
    """Reads an event that an event destination was sent. `callback_secret` is the destination's own secret. Raises as
    `verify_callback` does, and CallbackRefused for a callback. An event can come again under the same `id`: do not
    act on it twice.
    """
    event_id = _verified(headers, body, callback_secret, public_keys, tolerance, now)
    event = json.loads(_raw(body))
    if not _is_event(event) or event["id"] != event_id:
        raise CallbackRefused("it is a callback, and not an event")
    return cast(Event, event)


def _verified(
    headers: Headers,
    body: Union[bytes, str],
    callback_secret: Union[str, Sequence[str], None],
    public_keys: Union[str, Sequence[str], Mapping[str, Any]],
    tolerance: float,
    now: Optional[float],
) -> str:
    """The id of what was sent."""
    secrets = [_key(one) for one in ([callback_secret] if isinstance(callback_secret, str) else callback_secret or ())]
    keys, raw = _public_keys(public_keys), _raw(body)
    if not secrets and not keys:
        raise ValueError("there is neither a callback_secret nor a public key to check it with")
    callback_id, timestamp = _header(headers, "webhook-id"), _header(headers, "webhook-timestamp")
    _refuse_old(timestamp, tolerance, now)
    signed = f"{callback_id}.{timestamp}.".encode("utf-8") + raw
    signatures = _header(headers, "webhook-signature").split(" ")
    given = [one[3:] for one in signatures if one.startswith("v1,")]
    for secret in secrets:
        wanted = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode("ascii")
        if any(hmac.compare_digest(wanted.encode(), one.encode()) for one in given):
            return callback_id
    public = [one[4:] for one in signatures if one.startswith("v1a,")][:_MOST_PUBLIC]
    for key in keys:
        if any(ed25519.verify(key, _bytes(one), signed) for one in public):
            return callback_id
    raise CallbackRefused("no signature fits")


def verify_mirrored(
    headers: Headers,
    body: Union[bytes, str],
    api_secret: str,
    *,
    method: str,
    target: str,
    brand: str = "Service",
    tolerance: float = 300,
    now: Optional[float] = None,
) -> AnyCallback:
    """The other signature, in the manner of requests, for those who already check requests so. Raises as `verify_callback` does."""
    if not isinstance(api_secret, str) or not api_secret:
        raise ValueError("api_secret is missing")
    raw = _raw(body)
    timestamp = _header(headers, f"x-{brand}-timestamp")
    _refuse_old(timestamp, tolerance, now)
    path, _, query = target.partition("?")
    wanted = sign_request(api_secret, timestamp=timestamp, method=method, path=path, query=query, body=raw)
    if not hmac.compare_digest(wanted.encode(), _header(headers, f"x-{brand}-signature").lower().encode()):
        raise CallbackRefused("the signature does not fit")
    return _read(_header(headers, "webhook-id"), raw)


def _raw(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8")
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("the body was parsed: give the raw bytes, as they came")
    return bytes(body)


def _read(callback_id: str, body: bytes) -> AnyCallback:
    """Callbacks are checked against the very documents that the types are made of: by the service's tests, not here."""
    parsed = json.loads(body)
    if _is_event(parsed):
        raise CallbackRefused("it is an event: verify_event reads it")
    # The end of a settlement names no event: its status does.
    return cast(AnyCallback, Callback(callback_id, parsed.get("event") or f"settlement.{parsed['status']}", parsed))


def _is_event(parsed: Mapping[str, Any]) -> bool:
    """Callbacks have no type."""
    return str(parsed.get("id", "")).startswith("ev_") and isinstance(parsed.get("type"), str)


def _public_keys(given: Union[str, Sequence[str], Mapping[str, Any]]) -> List[bytes]:
    """Only the published keys for callbacks: a key that signs proofs signs no callback."""
    if isinstance(given, Mapping):
        keys = [from_base64url(str(one.get("x"))) for one in given["keys"] if one.get("purpose") == "callbacks"]
    else:
        named = [given] if isinstance(given, str) else list(given)
        keys = [_bytes(one[len("whpk_") :] if one.startswith("whpk_") else one) for one in named]
    found = [key for key in keys if key is not None and len(key) == 32]
    if len(found) != len(keys):
        raise ValueError("a public key is whpk_ and base64 of 32 bytes")
    return found


def _bytes(text: str) -> bytes:
    """Empty if it is not base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _key(secret: object) -> bytes:
    if not isinstance(secret, str):
        raise ValueError("callback_secret is missing")
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("callback_secret is missing, or is not whsec_ and base64")
    return key


def _refuse_old(timestamp: str, tolerance: float, now: Optional[float]) -> None:
    is_number = len(timestamp) <= 15 and timestamp.isascii() and timestamp.isdigit()
    if not is_number or abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise CallbackRefused("it is too old, or of a wrong time")


def _header(headers: Headers, name: str) -> str:
    found = next((value for each, value in headers.items() if each.lower() == name.lower()), "")
    if not found:
        raise CallbackRefused(f"there is no header {name}")
    return found
