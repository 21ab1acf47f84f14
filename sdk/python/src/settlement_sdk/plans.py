"""The calls of the client as plans, and what is made of several: pages of a list, and waiting for an end."""

from __future__ import annotations

import hashlib
import time
import uuid
from dataclasses import replace
from datetime import datetime
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional

from . import generated as api
from .core import Answer, Call, Core, Pause, Plan, stable, step
from .errors import NotTerminal, SettlementError

FIRST_LOOK = 0.5
_LONGEST_LOOK = 10.0
_MOST_PER_PAGE = 100
_BREATH = 1.0
_UNSAID = object()


class Page(NamedTuple):
    items: List[Any]
    following: Optional[str]
    """The cursor of the next page; None after the last."""


ReadPage = Callable[[Answer], "tuple[List[Any], Any]"]


class Plans(Core):
    def call(
        self,
        operation: api.OperationId,
        params: Optional[Mapping[str, str]] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[object] = None,
    ) -> Plan[Any]:
        """A call that may be repeated, or that the service recognises by the reference in it. All attempts of this call
        share a key. A later call has another one, so that a stored refusal (`approval_pending`, for example) is not
        its answer for a day.
        """
        return self.send(self.call_of(operation, params, query, body))

    def call_as(self, intent: str, operation: api.OperationId, params: Optional[Mapping[str, str]] = None, *, body: object) -> Plan[Any]:
        """A call that the service recognises only by its intent."""
        if not intent:
            raise ValueError("an intent says something")
        return self.send(self.call_of(operation, params, None, body), intent)

    def send(self, call: Call, intent: Optional[str] = None) -> Plan[Any]:
        if intent == "":
            raise ValueError("an intent says something")
        if call.method != "POST" or call.surface == "open":
            return self.body(call)
        reason = f"{uuid.uuid4()} {stable(call.body).decode('utf-8')}" if intent is None else intent
        key = "sdk-" + hashlib.sha256(f"{call.path}\n{reason}".encode("utf-8")).hexdigest()
        return self.body(replace(call, idempotency_key=key))

    def call_of(
        self,
        operation: api.OperationId,
        params: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[object] = None,
    ) -> Call:
        surface, method, path = api.OPERATIONS[operation]
        return Call(surface, method, path.format(**{name: step(value) for name, value in (params or {}).items()}), query=query, body=body)

    def page(self, operation: api.OperationId, query: Mapping[str, Any], cursor: Optional[str], read: ReadPage) -> Plan[Page]:
        """A page by cursor: what is added meanwhile neither repeats an item nor leaves one out. `read`: a page's items and the cursor of
        the next, None or empty after the last. Raises SettlementError where a full page does not say whether there is a next."""
        asked = {"limit": _MOST_PER_PAGE, **query, "cursor": cursor}
        items, following = read((yield from self.answer(self.call_of(operation, None, asked))))
        if following is _UNSAID and len(items) >= int(asked["limit"]):
            raise SettlementError(f"{operation} has more than one page and answers no cursor: the service is older than this SDK")
        return Page(items, None if following is _UNSAID or not following else str(following))

    def until(
        self,
        look: Call,
        stands_at: Callable[[Any], str],
        ends: "tuple[str, ...]",
        timeout: float,
        every: float,
        hopeless: Callable[[Any], Optional[str]] = lambda _: None,
        lapses_at: Callable[[Any], Optional[float]] = lambda _: None,
    ) -> Plan[Any]:
        """Polls until its status is one of `ends`. Raises NotTerminal if the time is over, if `hopeless` says that it
        never will be, or if it has expired by the service's clock.
        """
        given_up_at = time.monotonic() + timeout
        pause = every
        while True:
            found = yield from self.body(look)
            if stands_at(found) in ends:
                return found
            why = hopeless(found) or (yield from self._lapsed(lapses_at(found)))
            if why is not None:
                raise NotTerminal(why, found)
            if time.monotonic() + pause > given_up_at:
                raise NotTerminal(f"it is {stands_at(found)} after {timeout} s", found)
            yield Pause(pause)
            pause = min(pause * 1.5, max(every, _LONGEST_LOOK))

    def _lapsed(self, end: Optional[float]) -> Plan[Optional[str]]:
        if end is None or end >= self.now():
            return None
        # This machine's clock may be wrong, and no refusal has said so yet.
        clock = yield from self.call("get_time")
        return "the quote has expired" if end < float(clock["epoch_seconds"]) else None

    def next_events(self, query: Mapping[str, Any]) -> Plan[Any]:
        """A page of events. An empty one that came at once (too many wait there, or it is about to stop) is followed by a pause."""
        began = time.monotonic()
        page = yield from self.call("list_events", query=query)
        if not page["data"] and time.monotonic() - began < _BREATH:
            yield Pause(_BREATH)
        return page


def of_data(page: Answer) -> "tuple[List[Any], Any]":
    return page.body["data"], page.body.get("next_cursor", _UNSAID)


def of_items(page: Answer) -> "tuple[List[Any], Any]":
    return page.body["items"], page.body.get("next_cursor", _UNSAID)


def of_header(page: Answer) -> "tuple[List[Any], Any]":
    return page.body, page.headers.get("x-next-cursor", _UNSAID)


def said(**members: Any) -> Dict[str, Any]:
    """The given arguments, without those that are None."""
    return {name: value for name, value in members.items() if value is not None}


def quote_end(settlement: Any) -> Optional[float]:
    """When a quote runs out, in seconds since 1970. One that waits for approval may get another price."""
    if settlement["status"] != "quoted" or settlement["approval_state"] == "pending":
        return None
    return datetime.fromisoformat(str(settlement["expires_at"]).replace("Z", "+00:00")).timestamp()


def status_of(thing: Any) -> str:
    return str(thing["status"])


def safe_of(member: Any) -> str:
    return "without an address" if member["wallet_address"] is None else str(member["safe_status"] or "its own")


def never_deployed(member: Any) -> Optional[str]:
    return "the member's Safe could not be deployed" if member["safe_status"] == "failed" else None
