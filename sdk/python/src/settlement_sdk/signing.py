"""Request signatures: HMAC-SHA256 of timestamp, method, path, query and body, joined by newlines."""

from __future__ import annotations

import hashlib
import hmac
from typing import Union


def signing_bytes(*, timestamp: str, method: str, path: str, query: str, body: Union[str, bytes]) -> bytes:
    """The signed bytes. `query` is without its question mark; a text is encoded as UTF-8."""
    payload = body.encode("utf-8") if isinstance(body, str) else body
    return f"{timestamp}\n{method}\n{path}\n{query}\n".encode("utf-8") + payload


def sign_request(secret: str, *, timestamp: str, method: str, path: str, query: str, body: Union[str, bytes]) -> str:
    """The lower-case hex HMAC-SHA256 of a request, or of a callback's mirrored signature."""
    signed = signing_bytes(timestamp=timestamp, method=method, path=path, query=query, body=body)
    return hmac.new(secret.encode("utf-8"), signed, hashlib.sha256).hexdigest()
