"""Runs the same plans on asyncio's event loop, with httpx."""

from __future__ import annotations

import asyncio
import ssl
from types import TracebackType
from typing import Any, AsyncIterator, Mapping, Optional, Type, TypeVar, cast
from urllib.parse import urlsplit

try:
    import httpx
except ImportError as error:
    raise ImportError('settlement_sdk.aio needs httpx: install "settlement-sdk[async]"') from error

from . import generated as api
from .core import Answer, Lost, Options, Outcome, Pause, Plan, Request, Result
from .errors import SettlementError
from .plans import Plans, ReadPage

Self = TypeVar("Self", bound="Closable")


class AsyncTransport:
    """Tasks of one event loop may share it. Connections are kept for the next call."""

    def __init__(self, options: Options) -> None:
        self.plans = Plans(options)
        base = urlsplit(options.base_url)
        self._origin = f"{base.scheme}://{base.netloc}"
        # Like the other transport: the machine's authorities, no proxy out of the environment, no redirects.
        trusted = ssl.create_default_context() if base.scheme == "https" else False
        self._http = httpx.AsyncClient(timeout=options.timeout, verify=trusted, trust_env=False, follow_redirects=False)

    async def run(self, plan: Plan[Result]) -> Result:
        outcome: Outcome = None
        while True:
            try:
                wanted = plan.send(outcome)
            except StopIteration as end:
                return cast(Result, end.value)
            if isinstance(wanted, Pause):
                await asyncio.sleep(wanted.seconds)
                outcome = None
            else:
                outcome = await self._attempt(wanted)

    async def walk(self, operation: api.OperationId, query: Mapping[str, Any], read: ReadPage) -> AsyncIterator[Any]:
        """Page after page, each read when its first item is requested."""
        cursor: Optional[str] = None
        while True:
            items, cursor = await self.run(self.plans.page(operation, query, cursor, read))
            for item in items:
                yield item
            if cursor is None:
                return

    async def close(self) -> None:
        await self._http.aclose()

    async def _attempt(self, wanted: Request) -> Outcome:
        request = self._http.build_request(wanted.method, self._origin + wanted.target, headers=wanted.headers, content=wanted.body)
        if request.url.raw_path != wanted.target.encode("ascii"):
            raise SettlementError(f"httpx would send {request.url.raw_path!r} and not the target that is signed, {wanted.target}")
        try:
            response = await self._http.send(request)
        except httpx.LocalProtocolError:
            raise
        except httpx.RequestError as error:
            return Lost(error)
        return Answer(response.status_code, {name.lower(): value for name, value in response.headers.items()}, response.content)


class Closable:
    """`async with` closes the kept connections, and so does `aclose`."""

    _transport: AsyncTransport

    async def aclose(self) -> None:
        await self._transport.close()

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.aclose()
