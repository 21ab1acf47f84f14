"""Waiting until a thing has come to an end."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any, Callable, Optional, TypeVar

from .errors import NotTerminal

FIRST_LOOK = 0.5
_LONGEST_LOOK = 10.0

Thing = TypeVar("Thing")


def until(
    look: Callable[[], Thing],
    stands_at: Callable[[Any], str],
    ends: "tuple[str, ...]",
    timeout: float,
    every: float,
    hopeless: Callable[[Any], Optional[str]] = lambda _: None,
) -> Thing:
    """Looks until it stands at one of `ends`; raises NotTerminal where the time is over, or `hopeless` says why it never will."""
    given_up_at = time.monotonic() + timeout
    pause = every
    while True:
        found = look()
        if stands_at(found) in ends:
            return found
        why = hopeless(found)
        if why is not None:
            raise NotTerminal(why, found)
        if time.monotonic() + pause > given_up_at:
            raise NotTerminal(f"it is {stands_at(found)} after {timeout} s", found)
        time.sleep(pause)
        pause = min(pause * 1.5, max(every, _LONGEST_LOOK))


def instant_of(text: str) -> float:
    """Seconds since 1970 of an instant as answers write it."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def status_of(thing: Any) -> str:
    return str(thing["status"])


def safe_of(member: Any) -> str:
    return "without an address" if member["wallet_address"] is None else str(member["safe_status"] or "its own")


def never_deployed(member: Any) -> Optional[str]:
    return "the member's Safe could not be deployed" if member["safe_status"] == "failed" else None
