"""A callback that was verified."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Event = TypeVar("Event")
Body = TypeVar("Body")


@dataclass(frozen=True)
class Callback(Generic[Event, Body]):
    id: str
    """The same in every attempt: do not act on it twice."""
    event: Event
    """`settlement.executed`, `withdrawal.failed` …"""
    body: Body
