"""Runs plans with the standard library: a thread waits for each call."""

from __future__ import annotations

import http.client
import time
from typing import Any, Iterator, Mapping, Optional, cast
from urllib.parse import urlsplit

from . import generated as api
from .core import Answer, Lost, Options, Outcome, Pause, Plan, Request, Result
from .plans import Plans, ReadPage


class Transport:
    """Threads may share it: each attempt has its own connection."""

    def __init__(self, options: Options) -> None:
        self.plans = Plans(options)
        self._base = urlsplit(options.base_url)
        self._timeout = options.timeout

    def run(self, plan: Plan[Result]) -> Result:
        outcome: Outcome = None
        while True:
            try:
                wanted = plan.send(outcome)
            except StopIteration as end:
                return cast(Result, end.value)
            if isinstance(wanted, Pause):
                time.sleep(wanted.seconds)
                outcome = None
            else:
                outcome = self._attempt(wanted)

    def walk(self, operation: api.OperationId, query: Mapping[str, Any], read: ReadPage) -> Iterator[Any]:
        """Page after page, each read when its first item is requested."""
        cursor: Optional[str] = None
        while True:
            items, cursor = self.run(self.plans.page(operation, query, cursor, read))
            yield from items
            if cursor is None:
                return

    def _attempt(self, request: Request) -> Outcome:
        """One request. `http.client` sends the target unchanged, so the signed target is the sent one."""
        kind = http.client.HTTPSConnection if self._base.scheme == "https" else http.client.HTTPConnection
        connection = kind(str(self._base.hostname), self._base.port, timeout=self._timeout)
        try:
            connection.request(request.method, request.target, body=request.body, headers=request.headers)
            response = connection.getresponse()
            return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
        except http.client.InvalidURL:
            raise
        except (OSError, http.client.HTTPException) as error:
            return Lost(error)
        finally:
            connection.close()
