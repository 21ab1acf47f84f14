"""The client's methods, compared with the service's OpenAPI documents, and the target of each call."""

from __future__ import annotations

import ast
import inspect
import json
import unittest
from typing import Any, Dict, List, Tuple, Union, get_type_hints

from test_sdk import HERE, Got, WithServer, answer

from settlement_sdk import SettlementClient, __version__, client, generated
from settlement_sdk.core import Options


def keywords(method: Any) -> Dict[str, Any]:
    """The named parameters of a method with their types, without the None of optional ones."""
    named = [one.name for one in inspect.signature(method).parameters.values() if one.kind is one.KEYWORD_ONLY]
    hints = get_type_hints(method)
    return {name: without_none(hints[name]) for name in named}


def without_none(hint: Any) -> Any:
    return Union[tuple(one for one in hint.__args__ if one is not type(None))] if getattr(hint, "__origin__", None) is Union else hint


class Keywords(unittest.TestCase):
    def test_lists_and_prices_take_what_the_documents_say_and_nothing_else(self) -> None:
        cases: List[Tuple[Any, Any, Tuple[str, ...]]] = [
            (client.Settlements.list, generated.ListSettlementsQuery, ("cursor",)),
            (client.Prices.preview, generated.PreviewRateQuery, ()),
            (client.Members.list, generated.GetMembersQuery, ("cursor", "skip", "limit")),
            (client.Keys.list, generated.ListApiKeysQuery, ()),
            (client.SettlementClient.transactions, generated.GetAllTransactionsQuery, ("cursor", "skip", "limit", "partner_id")),
            (client.Settlements.confirm, generated.SettlementConfirm, ("tx_id",)),
        ]
        for method, documented, own in cases:
            with self.subTest(method.__qualname__):
                hints = {name: hint for name, hint in get_type_hints(documented).items() if name not in own}
                self.assertEqual(keywords(method), hints)

    def test_a_misspelt_option_or_guard_is_refused_before_anything_is_sent(self) -> None:
        made = SettlementClient("http://127.0.0.1:9", "key_1", "sec_1")
        wrong: Dict[str, Any] = {"expected_destination_amuont": 3}
        with self.assertRaises(TypeError):
            made.settlements.confirm("tx_1", external_tx_id="order-1", **wrong)
        options: Dict[str, Any] = {"timeot": 3}
        with self.assertRaises(TypeError):
            SettlementClient("http://127.0.0.1:9", "key_1", "sec_1", **options)
        usual = inspect.signature(SettlementClient).parameters
        self.assertEqual([usual[name].default for name in ("brand", "timeout", "attempts", "longest_wait")], ["Service", 35.0, 4, 20.0])
        self.assertEqual([*usual], [*inspect.signature(Options).parameters])


class Samples(unittest.TestCase):
    def test_whatever_a_partner_copies_says_its_types(self) -> None:
        samples = sorted((HERE.parents[2] / "app" / "docs" / "_samples").rglob("*.py"))
        self.assertGreaterEqual(len(samples), 4)
        for path in samples:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if not isinstance(node, ast.FunctionDef):
                    continue
                with self.subTest(f"{path.name}: {node.name}"):
                    self.assertIsNotNone(node.returns)
                    taken = [*node.args.args[1:], *node.args.kwonlyargs, *([node.args.vararg] if node.args.vararg else [])]
                    self.assertEqual([one.arg for one in taken if one.annotation is None], [])


class Operations(WithServer):
    def sent(self) -> List[Tuple[str, str, Any]]:
        return [(one.method, one.target, json.loads(one.body) if one.body else None) for one in self.got]

    def test_each_goes_to_its_place(self) -> None:
        made = self.serve(answer(200, {"id": "1"}))
        made.members.update("user 1", {"name": None})
        made.keys.list(limit=2)
        made.keys.rotate("k1", intent="rotation-1", overlap_seconds=60)
        made.keys.rotate("k1", intent="rotation-1", overlap_seconds=60)
        made.keys.revoke("k1")
        made.keys.rotate_callback_secret("p1", intent="secret-1", overlap_seconds=0)
        made.settlements.attempt_callback("tx_1", "cb_1")
        made.callbacks.get("cb_1")
        made.callbacks.resend("cb_1")
        made.callbacks.attempt("cb_1")
        made.withdrawals.preview(amount=1, currency="KES", source_currency="USDT", chain="eip155:1")
        made.topups.preview(amount=1, currency="KES", destination_currency="USDT", chain="eip155:1")
        made.event_destinations.create({"type": "webhook", "url": "https://a.example/in", "types": ["topup.*"]}, intent="place-1")
        made.event_destinations.update("de_1", {"status": "paused"})
        made.event_destinations.test("de_1")
        made.event_destinations.replay("de_1", since="2026-01-02T00:00:00Z")
        made.event_destinations.get("de_1")
        made.event_destinations.delete("de_1")
        made.prices.convert(source="KES", target="USDT", amount="100")
        made.call("GET", "/api/v1/pairs", query={"chain": "eip155:1"})
        made.call("POST", "/api/v1/echo", body={"a": 1}, intent="echo-1")
        made.call("POST", "/api/v1/echo", body={"a": 1}, intent="echo-1")
        made.call("POST", "/api/v1/echo", body={"a": 1})
        self.assertEqual(
            self.sent(),
            [
                ("PUT", "/partners/members/user%201", {"name": None}),
                ("GET", "/partners/api-keys?limit=2", None),
                *[("POST", "/partners/api-keys/k1/rotate", {"overlap_seconds": 60})] * 2,
                ("DELETE", "/partners/api-keys/k1", None),
                ("POST", "/partners/p1/callback-secret/rotate", {"overlap_seconds": 0}),
                ("POST", "/api/v1/settlements/tx_1/callbacks/cb_1/attempt", None),
                ("GET", "/api/v1/callbacks/cb_1", None),
                ("POST", "/api/v1/callbacks/cb_1/resend", None),
                ("POST", "/api/v1/callbacks/cb_1/attempt", None),
                ("GET", "/partners/transactions/withdraw-fiat/preview?amount=1&currency=KES&source_currency=USDT&chain=eip155%3A1", None),
                ("GET", "/partners/transactions/topup-fiat/preview?amount=1&currency=KES&destination_currency=USDT&chain=eip155%3A1", None),
                ("POST", "/api/v1/event-destinations", {"type": "webhook", "url": "https://a.example/in", "types": ["topup.*"]}),
                ("PATCH", "/api/v1/event-destinations/de_1", {"status": "paused"}),
                ("POST", "/api/v1/event-destinations/de_1/test", {}),
                ("POST", "/api/v1/event-destinations/de_1/replay", {"from": "2026-01-02T00:00:00Z"}),
                ("GET", "/api/v1/event-destinations/de_1", None),
                ("DELETE", "/api/v1/event-destinations/de_1", None),
                ("GET", "/exchange-rates/convert?from=KES&to=USDT&amount=100", None),
                ("GET", "/api/v1/pairs?chain=eip155%3A1", None),
                *[("POST", "/api/v1/echo", {"a": 1})] * 3,
            ],
        )

        def key(one: Got) -> str:
            return one.headers.get("idempotency-key", "")

        rotated, echoed = self.got[2:4], self.got[20:]
        self.assertEqual(key(rotated[0]), key(rotated[1]), "the same intent is the same call")
        self.assertEqual(key(echoed[0]), key(echoed[1]))
        self.assertNotEqual(key(echoed[0]), key(echoed[2]))
        for one in self.got:
            if one.method in ("POST", "PUT", "PATCH", "DELETE"):
                self.assertRegex(one.headers["x-service-signature"], r"^[0-9a-f]{64}$")

    def test_names_the_sdk_and_its_version(self) -> None:
        self.serve(answer(200, {})).time()
        self.assertEqual(self.got[0].headers["user-agent"], f"settlement-sdk-python/{__version__}")

