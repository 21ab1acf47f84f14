"""Proofs: signed quotes and receipts, verified offline."""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional

from . import ed25519
from .errors import ProofRefused

_TYPES = {"settlement-quote+jws": "quote", "settlement-receipt+jws": "receipt"}


@dataclass(frozen=True)
class Proof:
    type: str
    """`quote`, or `receipt` of what was paid."""
    kid: str
    """The key that signed."""
    claims: Dict[str, Any]
    """Texts, whole numbers and None. Amounts are texts in base units, so that nothing rounds them."""


def verify_proof(proof: str, keys: Mapping[str, Any], *, issuer: Optional[str] = None) -> Proof:
    """The content of a proof, if one of these keys signed it; raises ProofRefused otherwise.

    `keys`: as the service publishes them at `/.well-known/jwks.json`, or a stored copy. `issuer`: the expected
    issuer, which is the service's address.
    """
    parts = proof.strip().split(".")
    header, claims, signature = (_members(parts[0]), _members(parts[1]), from_base64url(parts[2])) if len(parts) == 3 else (None, None, None)
    if header is None or claims is None or signature is None:
        raise ProofRefused("it is no proof: three parts of base64url with points between")
    type_of = _TYPES.get(_text(header, "typ"))
    if header.get("alg") != "EdDSA" or type_of is None:
        raise ProofRefused("it is a signed text of another kind")
    kid = _text(header, "kid")
    named = [one for one in keys["keys"] if one.get("kid") == kid and one.get("purpose") != "callbacks"]
    public_key = from_base64url(str(named[0].get("x"))) if named and named[0].get("crv") == "Ed25519" else None
    if public_key is None:
        raise ProofRefused(f"no key of this issuer is called {kid}")
    if not ed25519.verify(public_key, signature, f"{parts[0]}.{parts[1]}".encode("ascii")):
        raise ProofRefused("the signature is not of these words: something was changed, or another key signed")
    if issuer is not None and claims.get("iss") != issuer:
        raise ProofRefused(f"it is of another issuer: {claims.get('iss')}")
    return Proof(type_of, kid, claims)


def from_base64url(text: str) -> Optional[bytes]:
    """None: it is not base64url, or not in its canonical form."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        return None
    try:
        read = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return None
    return read if base64.urlsafe_b64encode(read).rstrip(b"=").decode("ascii") == text else None


def _text(header: Mapping[str, Any], name: str) -> str:
    """Empty if it is not text."""
    value = header.get(name)
    return value if isinstance(value, str) else ""


def _members(part: str) -> Optional[Dict[str, Any]]:
    read = from_base64url(part)
    try:
        parsed = None if read is None else json.loads(read.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None
