"""The async client by the very tests of the sync one, and what only it promises. It needs httpx."""

from __future__ import annotations

import asyncio
import inspect
import threading
import unittest
from http.server import BaseHTTPRequestHandler
from typing import Any, AsyncIterator, Callable, Iterator

import test_sdk
import test_surface
from test_sdk import WithServer, answer

from settlement_sdk import aio, client
from settlement_sdk.aio import AsyncSettlementClient


class Blocking:
    """An async client whose calls are waited for, so that it reads like the sync one."""

    def __init__(self, inner: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._inner = inner
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return self._called(found) if callable(found) else Blocking(found, self._loop)

    def _called(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **options: Any) -> Any:
            got = method(*given, **options)
            return self._each(got) if isinstance(got, AsyncIterator) else self._loop.run_until_complete(got)

        return call

    def _each(self, items: Any) -> Iterator[Any]:
        while True:
            try:
                yield self._loop.run_until_complete(items.__anext__())
            except StopAsyncIteration:
                return


class Async(WithServer):
    def setUp(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.addCleanup(self.loop.close)

    def make(self, *given: Any, **options: Any) -> Any:
        made = AsyncSettlementClient(*given, **options)
        self.addCleanup(lambda: self.loop.run_until_complete(made.aclose()))
        return Blocking(made, self.loop)


class AsyncCalls(Async, test_sdk.Calls):
    pass


class AsyncFiat(Async, test_sdk.Fiat):
    pass


class AsyncOperations(Async, test_surface.Operations):
    pass


class OfItsOwn(WithServer, unittest.IsolatedAsyncioTestCase):
    def make(self, *given: Any, **options: Any) -> Any:
        return AsyncSettlementClient(*given, **options)

    async def test_calls_wait_for_their_answers_together(self) -> None:
        all_here = threading.Barrier(8, timeout=60)

        def step(handler: BaseHTTPRequestHandler) -> None:
            all_here.wait()
            answer(200, {"tx_id": handler.path.rsplit("/", 1)[1]})(handler)

        async with self.serve(step) as made:
            found = await asyncio.gather(*(made.settlements.get(f"tx_{at}") for at in range(8)))
        self.assertEqual([one["tx_id"] for one in found], [f"tx_{at}" for at in range(8)])
        self.assertEqual(len({one.headers["x-service-nonce"] for one in self.got}), 8)

    async def test_a_call_that_is_cancelled_sends_no_more(self) -> None:
        arrived, done = threading.Event(), threading.Event()
        self.addCleanup(done.set)

        def step(handler: BaseHTTPRequestHandler) -> None:
            arrived.set()
            done.wait(60)
            handler.connection.close()

        async with self.serve(step) as made:
            task = asyncio.ensure_future(made.settlements.confirm("tx_1", external_tx_id="order-1"))
            self.assertTrue(await asyncio.get_running_loop().run_in_executor(None, arrived.wait, 60))
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            done.set()
        self.assertEqual(len(self.got), 1)

    async def test_pages_are_read_as_they_are_asked_for(self) -> None:
        async with self.serve(answer(200, {"data": [1, 2], "next_cursor": "next"}), answer(200, {"data": [3], "next_cursor": None})) as made:
            items = made.settlements.list()
            self.assertEqual([await items.__anext__(), len(self.got)], [1, 1])
            self.assertEqual([one async for one in items], [2, 3])
        self.assertEqual(len(self.got), 2)

    async def test_what_is_closed_sends_nothing(self) -> None:
        made = self.serve(answer(200, {}))
        async with made:
            await made.time()
        with self.assertRaises(RuntimeError):
            await made.time()
        self.assertEqual(len(self.got), 1)


class Surface(unittest.TestCase):
    def test_both_clients_offer_the_same(self) -> None:
        for name in ("Settlements", "Prices", "Members", "Withdrawals", "Topups", "Keys", "SettlementClient"):
            sync, other = getattr(client, name), getattr(aio, name if name != "SettlementClient" else "AsyncSettlementClient")
            public = [method for method in vars(sync) if not method.startswith("_")]
            self.assertEqual(public, [method for method in vars(other) if not method.startswith("_")])
            for method in public:
                with self.subTest(f"{name}.{method}"):
                    one, two = inspect.signature(getattr(sync, method)), inspect.signature(getattr(other, method))
                    self.assertEqual(str(one).replace("-> 'Iterator", "-> 'AsyncIterator"), str(two))
                    is_list = "Iterator" in str(one.return_annotation)
                    self.assertEqual(inspect.iscoroutinefunction(getattr(other, method)), not is_list)


if __name__ == "__main__":
    unittest.main()
