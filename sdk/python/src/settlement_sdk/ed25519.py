"""Ed25519 signatures (RFC 8032), **verification only**: the standard library has none.

Nothing here touches a secret, so nothing has to run in constant time. It must never be made to sign: a signer in
plain Python would leak its key through timing. One signature takes some milliseconds.
"""

from __future__ import annotations

import hashlib
from typing import Optional, Tuple

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)

_Point = Tuple[int, int, int, int]
"""In extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, x*y = T/Z."""


def verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the owner of the public key, 32 bytes, signed the message: [S]B = R + [k]A, and no second way to write S or R."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    point = _decode(public_key)
    s = int.from_bytes(signature[32:], "little")
    if point is None or s >= _ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % _ORDER
    x, y, z, t = _multiply(k, point)
    return _encode(_add(_multiply(s, _BASE), (-x % _P, y, z, -t % _P))) == signature[:32]


def _add(one: _Point, other: _Point) -> _Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _multiply(times: int, point: _Point) -> _Point:
    total: _Point = (0, 1, 1, 0)
    while times > 0:
        if times & 1:
            total = _add(total, point)
        point = _add(point, point)
        times >>= 1
    return total


def _x_of(y: int, is_odd: int) -> Optional[int]:
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    if square == 0:
        return None if is_odd else 0
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P != 0:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if (x * x - square) % _P != 0:
        return None
    return _P - x if x & 1 != is_odd else x


def _decode(written: bytes) -> Optional[_Point]:
    number = int.from_bytes(written, "little")
    y = number & ((1 << 255) - 1)
    x = _x_of(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % _P)


def _encode(point: _Point) -> bytes:
    inverse = pow(point[2], -1, _P)
    x, y = point[0] * inverse % _P, point[1] * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


_BASE_Y = 4 * pow(5, -1, _P) % _P
_BASE: _Point = (_x_of(_BASE_Y, 0) or 0, _BASE_Y, 1, (_x_of(_BASE_Y, 0) or 0) * _BASE_Y % _P)
