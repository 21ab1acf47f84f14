"""`python3 -m unittest discover -s sdk/python/tests`: the vectors, and calls to a real server with configurable
answers.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sys
import threading
import time
import unittest
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, get_args, get_type_hints
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))

from settlement_sdk import (  # noqa: E402
    AnyCallback,
    CallbackRefused,
    NotTerminal,
    ProofRefused,
    Refused,
    SettlementClient,
    SettlementError,
    Unanswered,
    ed25519,
    expected_total,
    sign_request,
    verify_callback,
    verify_event,
    verify_mirrored,
    verify_proof,
)
from settlement_sdk.signing import signing_bytes  # noqa: E402


class Got(NamedTuple):
    method: str
    target: str
    headers: Dict[str, str]
    body: bytes


Step = Callable[[BaseHTTPRequestHandler], None]


def answer(status: int, body: object, **headers: str) -> Step:
    def step(handler: BaseHTTPRequestHandler) -> None:
        text = json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(text)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(text)

    return step


def problem(status: int, code: str, members: Optional[Dict[str, Any]] = None, **headers: str) -> Step:
    return answer(status, {"status": status, "code": code, "detail": f"It is {code}.", **(members or {})}, **headers)


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.close()


def growing() -> Step:
    """Both lists as the service has them: 250 at the first request, newest first, and seven more after each page."""
    grown: Dict[str, int] = {}

    def step(handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        limit = int(asked["limit"])
        newest = grown[parts.path] = grown.get(parts.path, 243) + 7
        start = int(asked["cursor"]) if "cursor" in asked else newest - int(asked.get("skip", 0))
        page = [{"id": str(start - 1 - place)} for place in range(min(limit, start))]
        following = str(start - limit) if start > limit else None
        body: object = page if parts.path == "/partners/members" else {"items": page, "next_cursor": following}
        answer(200, body, X_Next_Cursor=following or "")(handler)

    return step


class WithServer(unittest.TestCase):
    def make(self, *given: Any, **options: Any) -> Any:
        """The client that is tried; `test_aio.py` has the other."""
        return SettlementClient(*given, **options)

    def serve(self, *steps: Step, **options: Any) -> Any:
        self.got: List[Got] = []
        got = self.got

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                got.append(Got(self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                steps[min(len(got), len(steps)) - 1](self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return self.make(f"http://127.0.0.1:{server.server_address[1]}/", "key_1", "sec_1", **options)


ORDER: Any = {
    "source_amount": 1_000_000,
    "source_currency": "KES",
    "destination_currency": "USDT",
    "external_merchant_id": "Käthe’s 店",
    "chain": "eip155:31337",
    "wallet_address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
}


class Signing(unittest.TestCase):
    def test_the_published_vectors(self) -> None:
        vectors = json.loads((HERE.parents[2] / "docs" / "signing-vectors.json").read_text("utf-8"))["vectors"]
        self.assertGreaterEqual(len(vectors), 20)
        for vector in vectors:
            with self.subTest(vector["name"]):
                parts = {name: vector[name] for name in ("timestamp", "method", "path", "query", "body")}
                self.assertEqual(signing_bytes(**parts).decode("utf-8"), vector["signing_string"])
                self.assertEqual(sign_request(vector["secret"], **parts), vector["signature"])


class Calls(WithServer):
    def test_adds_the_totals_of_pairs_with_the_same_destination_currency_exactly(self) -> None:
        totals = [("USDT", 0.1), ("USDC", 1070.623717), ("USDT", 0.2), ("USDT", 5), ("DAI", 1e-7), ("DAI", 123456789.12345)]
        found = expected_total([{"destination_currency": currency, "destination_amount": amount} for currency, amount in totals])
        self.assertEqual(found, {"USDT": 5.3, "USDC": 1070.623717, "DAI": 123456789.1234501})

    def test_signs_what_goes_out(self) -> None:
        client = self.serve(answer(200, {"data": [], "next_cursor": None}))
        list(client.settlements.list(external_merchant_id="o'clock & 店"))
        client.settlements.create(ORDER, intent="order-1")
        for one in self.got:
            path, _, query = one.target.partition("?")
            timestamp = one.headers["x-service-timestamp"]
            wanted = sign_request("sec_1", timestamp=timestamp, method=one.method, path=path, query=query, body=one.body)
            self.assertEqual([one.headers["x-service-signature"], one.headers["authorization"]], [wanted, "key_1"])

    def test_asks_for_public_keys_of_proofs_and_of_one_partner_s_callbacks(self) -> None:
        client = self.serve(answer(200, {"keys": []}))
        client.public_keys()
        client.public_keys("b97f1128-e711-44ce-96c8-c0275c3f774b")
        wanted = ["/.well-known/jwks.json", "/.well-known/jwks.json?partner=b97f1128-e711-44ce-96c8-c0275c3f774b"]
        self.assertEqual([one.target for one in self.got], wanted)
        self.assertTrue(all("authorization" not in one.headers for one in self.got))

    def test_is_sent_again_with_the_same_key_and_bytes(self) -> None:
        client = self.serve(
            hang_up,
            problem(503, "temporarily_unavailable", Retry_After="0"),
            problem(429, "rate_limited", Retry_After="0"),
            answer(201, {"tx_id": "tx_1"}),
        )
        self.assertEqual(client.settlements.create(ORDER, intent="order-1"), {"tx_id": "tx_1"})
        keys, bodies, nonces = ({one.headers[name] for one in self.got} for name in ("idempotency-key", "content-length", "x-service-nonce"))
        self.assertEqual([len(self.got), len(keys), len(bodies), len(nonces)], [4, 1, 1, 4])

    def test_derives_the_key_from_the_intent(self) -> None:
        client = self.serve(answer(201, {}))
        client.settlements.create(ORDER, intent="order-1")
        client.settlements.create(dict(reversed(list(ORDER.items()))), intent="order-1")  # type: ignore[arg-type]
        client.settlements.create(ORDER, intent="order-2")
        keys = [one.headers["idempotency-key"] for one in self.got]
        self.assertEqual([keys[0] == keys[1], keys[0] == keys[2], self.got[0].body == self.got[1].body], [True, False, True])
        with self.assertRaises(ValueError):
            client.settlements.create(ORDER, intent="")

    def test_a_later_call_is_not_answered_by_a_kept_refusal(self) -> None:
        client = self.serve(problem(409, "approval_pending"), answer(200, {}))
        with self.assertRaises(Refused):
            client.settlements.confirm("tx_1", external_tx_id="order-1")
        client.settlements.confirm("tx_1", external_tx_id="order-1")
        self.assertNotEqual(self.got[0].headers["idempotency-key"], self.got[1].headers["idempotency-key"])

    def test_sets_its_clock_by_the_service(self) -> None:
        ahead = datetime.fromtimestamp(time.time() + 3_600, timezone.utc).isoformat().replace("+00:00", "Z")
        client = self.serve(problem(401, "stale_timestamp", {"server_time": ahead}), answer(200, {}))
        client.settlements.get("tx_1")
        client.settlements.get("tx_1")
        off = [round((int(one.headers["x-service-timestamp"]) - time.time()) / 60) for one in self.got]
        self.assertEqual(off, [0, 60, 60])

    def test_asks_for_the_time_where_the_refusal_does_not_say(self) -> None:
        client = self.serve(problem(401, "stale_timestamp"), answer(200, {"now": "2026-11-22T10:00:00.000Z"}), problem(401, "stale_timestamp"))
        with self.assertRaises(Refused) as raised:
            client.settlements.get("tx_1")
        self.assertEqual(raised.exception.code, "stale_timestamp")
        self.assertEqual([one.target for one in self.got], ["/api/v1/settlements/tx_1", "/time", "/api/v1/settlements/tx_1"])
        self.assertNotIn("authorization", self.got[1].headers)

    def test_tells_a_refusal_of_both_surfaces(self) -> None:
        fault = {"pointer": "/source_amount", "code": "too_small", "message": "must be at least 1"}
        client = self.serve(problem(422, "validation_failed", {"errors": [fault]}, X_Request_Id="req_1"))
        with self.assertRaises(Refused) as raised:
            client.settlements.create(ORDER, intent="x")
        refused = raised.exception
        self.assertEqual([refused.status, refused.code, refused.request_id, refused.faults[0]["at"]], [422, "validation_failed", "req_1", "/source_amount"])
        self.assertEqual(str(refused), "422 validation_failed: It is validation_failed. (/source_amount: must be at least 1)")
        self.assertEqual(len(self.got), 1)
        client = self.serve(answer(422, {"detail": [{"loc": ["body", "phone"], "msg": "must be a number", "type": "invalid"}]}))
        with self.assertRaises(Refused) as raised:
            client.members.get("m")
        self.assertEqual([raised.exception.code, raised.exception.faults[0]["at"]], ["validation_failed", "body.phone"])
        self.assertEqual(str(raised.exception), "422 validation_failed: must be a number (body.phone)")

    def test_waits_no_longer_than_it_may_and_says_when_nobody_answers(self) -> None:
        client = self.serve(problem(503, "liquidity_unavailable", Retry_After="60"))
        with self.assertRaises(Refused) as raised:
            client.settlements.get("tx_1")
        self.assertEqual([raised.exception.retry_after, len(self.got)], [60.0, 1])
        client = self.serve(lambda _: time.sleep(0.5), timeout=0.05, attempts=2)
        # Counted where attempts begin, each with its own signature: on a busy machine not every one reaches the receiver.
        with patch("settlement_sdk.core.sign_request", wraps=sign_request) as signed, self.assertRaises(Unanswered):
            client.settlements.get("tx_1")
        self.assertEqual(signed.call_count, 2)

    def test_follows_no_redirect_and_takes_no_id_that_leaves_its_path(self) -> None:
        client = self.serve(answer(302, {}, Location="https://elsewhere.example"))
        with self.assertRaises(Refused):
            client.settlements.get("a/b?c")
        self.assertEqual(self.got[0].target, "/api/v1/settlements/a%2Fb%3Fc")
        for an_id in ("", ".", ".."):
            with self.assertRaises(ValueError):
                client.settlements.get(an_id)

    def test_refuses_options_that_cannot_be_right_before_anything_is_sent(self) -> None:
        good: Dict[str, Any] = {"base_url": "https://api.example.com", "api_key": "k", "api_secret": "s"}
        self.make(**good)
        for name, value in (("base_url", ""), ("base_url", "nonsense"), ("api_secret", ""), ("api_key", None), ("timeout", 0), ("attempts", 0)):
            with self.assertRaisesRegex(ValueError, name):
                self.make(**{**good, name: value})
        with self.assertRaisesRegex(ValueError, "before /api/v1"):
            self.make(**{**good, "base_url": "https://api.example.com/api/v1/"})

    def test_signs_reads_of_the_other_surface_too(self) -> None:
        client = self.serve(answer(200, {}))
        client.members.get("m-1")
        client.members.create({"external_user_id": "m-1", "phone": "+254700000000", "name": "Wanjiru"})
        self.assertEqual([(one.headers["apikey"], "x-service-signature" in one.headers) for one in self.got], [("key_1", True), ("key_1", True)])

    def test_reads_page_after_page(self) -> None:
        client = self.serve(answer(200, {"data": [1, 2], "next_cursor": "next"}), answer(200, {"data": [3], "next_cursor": None}))
        self.assertEqual(list(client.settlements.list(status="executed")), [1, 2, 3])
        self.assertEqual([one.target.split("?")[1] for one in self.got], ["limit=100&status=executed", "limit=100&status=executed&cursor=next"])

    def test_waits_for_an_end(self) -> None:
        def at(status: str, expires_at: str = "2999-01-01T00:00:00.000Z") -> Step:
            return answer(200, {"status": status, "approval_state": None, "expires_at": expires_at})

        client = self.serve(at("processing"), at("processing"), at("executed"))
        self.assertEqual(client.settlements.wait_for_terminal("tx_1", every=0.001)["status"], "executed")
        client = self.serve(at("processing"))
        with self.assertRaises(NotTerminal):
            client.settlements.wait_for_terminal("tx_1", every=0.005, timeout=0.02)
        client = self.serve(at("quoted", "1970-01-01T00:00:00.000Z"), answer(200, {"epoch_seconds": int(time.time())}))
        with self.assertRaises(NotTerminal) as raised:
            client.settlements.wait_for_terminal("tx_1")
        self.assertEqual([raised.exception.last["status"], len(self.got)], ["quoted", 2])
        hour_ago = time.time() - 3_600
        fresh = at("quoted", datetime.fromtimestamp(hour_ago + 60, timezone.utc).isoformat())
        client = self.serve(fresh, answer(200, {"epoch_seconds": int(hour_ago)}), at("executed"))
        self.assertEqual(client.settlements.wait_for_terminal("tx_1", every=0.001)["status"], "executed", "by the service's clock")

    def test_gives_each_transaction_and_member_once_whatever_is_made_between_the_pages(self) -> None:
        client = self.serve(growing())
        every = [str(249 - place) for place in range(250)]
        self.assertEqual([one["id"] for one in client.transactions(type="withdrawal", external_id="payout-1")], every)
        self.assertEqual([one["id"] for one in client.members.list(search="m")], every)
        asked = ["/partners/transactions?limit=100&type=withdrawal&external_id=payout-1", "/partners/members?limit=100&search=m"]
        wanted = [f"{one}{cursor}" for one in asked for cursor in ("", "&cursor=150", "&cursor=50")]
        self.assertEqual([one.target for one in self.got], wanted)

    def test_says_so_where_the_service_is_too_old_to_walk_a_list_by_cursor(self) -> None:
        items = [{"id": str(place)} for place in range(100)]
        with self.assertRaisesRegex(SettlementError, "older than this SDK"):
            list(self.serve(answer(200, {"items": items}), answer(200, {"items": []})).transactions())
        with self.assertRaisesRegex(SettlementError, "older than this SDK"):
            list(self.serve(answer(200, items), answer(200, [])).members.list())
        self.assertEqual(len(list(self.serve(answer(200, {"items": items[1:]})).transactions())), 99)


WITHDRAWAL: Any = {
    "external_id": "payout-1",
    "amount": 123_400,
    "currency": "KES",
    "source_currency": "USDT",
    "chain": "eip155:31337",
    "destination": {"type": "mobile_money", "account": "+254712345678", "name": "Wanjiru Kamau"},
}


class Fiat(WithServer):
    def test_asks_again_under_the_same_key_and_after_a_crash_with_the_same_bytes(self) -> None:
        client = self.serve(hang_up, answer(201, {"id": "wd_1"}), answer(200, {"id": "wd_1"}))
        client.withdrawals.create(WITHDRAWAL)
        client.withdrawals.create(dict(reversed(list(WITHDRAWAL.items()))))  # type: ignore[arg-type]
        keys = [one.headers["idempotency-key"] for one in self.got]
        self.assertEqual([len({one.body for one in self.got}), keys[0] == keys[1], keys[1] == keys[2]], [1, True, False])

    def test_goes_to_its_own_paths(self) -> None:
        client = self.serve(answer(200, {}))
        client.withdrawals.create(WITHDRAWAL)
        client.withdrawals.create_for_member({**WITHDRAWAL, "external_user_id": "m-1"})
        client.topups.create(WITHDRAWAL)
        client.partner()
        wanted = [
            "POST /partners/transactions/withdraw-fiat",
            "POST /partners/transactions/withdraw-fiat/member",
            "POST /partners/transactions/topup-fiat",
            "GET /partners/current",
        ]
        self.assertEqual([f"{one.method} {one.target}" for one in self.got], wanted)

    def test_waits_for_the_end_of_each(self) -> None:
        client = self.serve(*(answer(200, {"status": status}) for status in ("pending", "processing", "failed")))
        self.assertEqual(client.withdrawals.wait_for_terminal("wd_1", every=0.001)["status"], "failed")
        client = self.serve(answer(200, {"status": "pending"}), answer(200, {"status": "completed"}))
        self.assertEqual(client.topups.wait_for_terminal("tu_1", every=0.001)["status"], "completed")
        client = self.serve(answer(200, {"status": "processing"}))
        with self.assertRaisesRegex(NotTerminal, "it is processing"):
            client.topups.wait_for_terminal("tu_1", every=0.005, timeout=0.02)

    def test_waits_for_a_member_s_safe(self) -> None:
        def member(safe_status: Optional[str], wallet_address: Optional[str]) -> Step:
            return answer(200, {"safe_status": safe_status, "wallet_address": wallet_address})

        client = self.serve(member("deploying", None), member("deploying", "0xabc"), member("deployed", "0xabc"))
        self.assertEqual(client.members.wait_for_safe("m-1", every=0.001)["wallet_address"], "0xabc")
        self.assertEqual(len(self.got), 3)
        client = self.serve(member(None, "0xdef"))
        self.assertEqual(client.members.wait_for_safe("m-1")["wallet_address"], "0xdef")
        client = self.serve(member("failed", "0xabc"))
        with self.assertRaisesRegex(NotTerminal, "could not be deployed"):
            client.members.wait_for_safe("m-1")


SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()


def signed(body: bytes) -> Tuple[Dict[str, str], bytes, str]:
    seconds = str(int(time.time()))
    signature = hmac.new(b"k" * 24, f"cb_1.{seconds}.".encode() + body, hashlib.sha256).digest()
    headers = {"webhook-id": "cb_1", "webhook-timestamp": seconds, "webhook-signature": "v1," + base64.b64encode(signature).decode()}
    return headers, body, SECRET


class Callbacks(unittest.TestCase):
    body = b'{"tx_id":"tx_1","status":"executed","destination_amount":76.318904}'
    secret = SECRET

    def headers(self, at: Optional[float] = None) -> Dict[str, str]:
        seconds = str(int(time.time() if at is None else at))
        signature = hmac.new(b"k" * 24, f"cb_1.{seconds}.".encode() + self.body, hashlib.sha256).digest()
        return {"Webhook-Id": "cb_1", "webhook-timestamp": seconds, "webhook-signature": "v1,AAAA v1," + base64.b64encode(signature).decode()}

    def test_reads_an_event_and_refuses_a_callback_as_one(self) -> None:
        body = b'{"id":"ev_1","type":"settlement.executed","object_id":"tx_1","version":4,"data":{"tx_id":"tx_1"}}'
        seconds = str(int(time.time()))

        def headers(event_id: str) -> Dict[str, str]:
            signature = hmac.new(b"k" * 24, f"{event_id}.{seconds}.".encode() + body, hashlib.sha256).digest()
            return {"webhook-id": event_id, "webhook-timestamp": seconds, "webhook-signature": "v1," + base64.b64encode(signature).decode()}

        self.assertEqual(verify_event(headers("ev_1"), body, self.secret), json.loads(body))
        with self.assertRaisesRegex(CallbackRefused, "verify_event reads it"):
            verify_callback(headers("ev_1"), body, self.secret)
        for event_id, text in (("ev_2", body), ("ev_1", body + b" ")):
            with self.assertRaises(CallbackRefused):
                verify_event(headers(event_id), text, self.secret)
        with self.assertRaisesRegex(CallbackRefused, "it is a callback"):
            verify_event(self.headers(), self.body, self.secret)

    def test_reads_what_is_really_the_service_s(self) -> None:
        callback = verify_callback(self.headers(), self.body, ["whsec_" + base64.b64encode(b"other").decode(), self.secret])
        self.assertEqual([callback.id, callback.event, callback.body["tx_id"]], ["cb_1", "settlement.executed", "tx_1"])

    def test_every_event_has_the_type_of_what_is_really_sent(self) -> None:
        recorded = json.loads((HERE.parents[2] / "contract" / "openapi-examples.json").read_text("utf-8"))
        sent = {**recorded["settlement"]["webhooks"], **recorded["partner"]["webhooks"]}
        typed = {get_args(event)[0]: body for event, body in map(get_args, get_args(AnyCallback))}
        self.assertEqual(set(typed), set(sent))
        for event, payload in sent.items():
            callback = verify_callback(*signed(json.dumps(payload).encode()))
            self.assertEqual([callback.event, callback.body], [event, payload])
            self.assertEqual(set(payload), set(get_type_hints(typed[event])), event)

    def test_refuses_anything_else(self) -> None:
        good = self.headers()
        refused = [
            (good, self.body.replace(b"76", b"77"), self.secret),
            ({**good, "Webhook-Id": "cb_2"}, self.body, self.secret),
            ({**good, "webhook-signature": "v1,AAAA"}, self.body, self.secret),
            ({**good, "webhook-signature": good["webhook-signature"].replace("v1,", "v2,")}, self.body, self.secret),
            ({**good, "webhook-signature": "v1,é"}, self.body, self.secret),
            (self.headers(time.time() - 302), self.body, self.secret),
            ({}, self.body, self.secret),
        ]
        for headers, body, secret in refused:
            with self.assertRaises(CallbackRefused):
                verify_callback(headers, body, secret)

    def test_tells_a_mistake_of_its_own_from_a_callback_that_is_not_the_service_s(self) -> None:
        for secret in ("", "whsec_", "whsec_%", None, [""]):
            with self.assertRaisesRegex(ValueError, "callback_secret"):
                verify_callback({}, self.body, secret)
        with self.assertRaisesRegex(ValueError, "api_secret"):
            verify_mirrored({}, self.body, "", method="POST", target="/")
        parsed: Any = json.loads(self.body)
        with self.assertRaisesRegex(TypeError, "raw bytes"):
            verify_callback(self.headers(), parsed, self.secret)
        self.assertEqual(verify_callback(self.headers(), self.body.decode(), self.secret).id, "cb_1")

    def test_the_published_vectors_of_public_keys(self) -> None:
        vectors = json.loads((HERE.parents[2] / "docs" / "proof-vectors.json").read_text("utf-8"))
        own = [key["whpk"] for key in vectors["jwks"]["keys"] if key["purpose"] == "callbacks"]
        for vector in vectors["callbacks"]:
            headers = {name: vector[name] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")}
            for keys in (vectors["jwks"], own[0], own):
                with self.subTest(vector["name"]):
                    if vector["valid"]:
                        self.assertEqual(verify_callback(headers, vector["body"].encode(), public_keys=keys, now=1_763_800_000).id, "cb_01")
                    else:
                        with self.assertRaises(CallbackRefused):
                            verify_callback(headers, vector["body"].encode(), public_keys=keys, now=1_763_800_000)
        for keys in ((), "whpk_AQ==", {"keys": vectors["jwks"]["keys"][:2]}):
            with self.assertRaises(ValueError):
                verify_callback(headers, b"{}", public_keys=keys, now=1_763_800_000)

    def test_looks_at_the_first_eight_signatures_of_public_keys(self) -> None:
        vectors = json.loads((HERE.parents[2] / "docs" / "proof-vectors.json").read_text("utf-8"))
        vector = vectors["callbacks"][0]

        def behind(count: int) -> Any:
            others = ["v1a," + base64.b64encode(bytes([at]) * 64).decode() for at in range(count)]
            signature = " ".join(["v2,AA", *others, vector["webhook-signature"]])
            headers = {**{name: vector[name] for name in ("webhook-id", "webhook-timestamp")}, "webhook-signature": signature}
            return verify_callback(headers, vector["body"].encode(), public_keys=vectors["jwks"], now=1_763_800_000)

        self.assertEqual(behind(7).id, "cb_01")
        with self.assertRaises(CallbackRefused):
            behind(8)

    def test_a_time_that_cannot_be_one_is_refused(self) -> None:
        for length in (16, 400, 5_000):
            headers = {**self.headers(), "webhook-timestamp": "9" * length, "x-service-timestamp": "9" * length}
            with self.assertRaises(CallbackRefused):
                verify_callback(headers, self.body, self.secret)
            with self.assertRaises(CallbackRefused):
                verify_mirrored(headers, self.body, "sec_1", method="POST", target="/")

    def test_checks_the_mirrored_signature(self) -> None:
        timestamp = str(int(time.time()))
        signature = sign_request("sec_1", timestamp=timestamp, method="POST", path="/hook", query="a=1&&b=?", body=self.body)
        headers = {"webhook-id": "cb_1", "x-service-timestamp": timestamp, "X-Service-Signature": signature}
        callback = verify_mirrored(headers, self.body, "sec_1", method="POST", target="/hook?a=1&&b=?")
        self.assertEqual(callback.event, "settlement.executed")
        with self.assertRaises(CallbackRefused):
            verify_mirrored(headers, self.body, "sec_1", method="POST", target="/hook?a=2")


class Proofs(unittest.TestCase):
    vectors: Dict[str, Any] = json.loads((HERE.parents[2] / "docs" / "proof-vectors.json").read_text("utf-8"))

    def test_the_published_vectors(self) -> None:
        self.assertGreaterEqual(len(self.vectors["proofs"]), 15)
        for vector in self.vectors["proofs"]:
            with self.subTest(vector["name"]):
                if vector["valid"]:
                    proof = verify_proof(vector["proof"], self.vectors["jwks"], issuer=self.vectors["issuer"])
                    self.assertEqual([proof.type, proof.kid, proof.claims], [vector["type"], vector["kid"], vector["claims"]])
                else:
                    with self.assertRaises(ProofRefused):
                        verify_proof(vector["proof"], self.vectors["jwks"])
        with self.assertRaises(ProofRefused):
            verify_proof(self.vectors["proofs"][0]["proof"], self.vectors["jwks"], issuer="https://pay.example.evil")

    def test_a_head_that_is_nested_deep_is_refused(self) -> None:
        rest = self.vectors["proofs"][0]["proof"].split(".")[1:]
        heads = ["[" * 200_000]
        for depth in (400, 900, 5_000, 100_000):
            deep = "[" * depth + "]" * depth
            heads += [f'{{"alg":"EdDSA","typ":{deep}}}', f'{{"alg":"EdDSA","typ":"settlement-quote+jws","kid":{deep}}}']
        for head in heads:
            proof = ".".join([base64.urlsafe_b64encode(head.encode()).rstrip(b"=").decode(), *rest])
            with self.assertRaises(ProofRefused):
                verify_proof(proof, self.vectors["jwks"])

    def test_any_changed_character_is_refused(self) -> None:
        proof = self.vectors["proofs"][1]["proof"]
        for at in range(0, len(proof), 7):
            with self.assertRaises(ProofRefused):
                verify_proof(proof[:at] + ("B" if proof[at] == "A" else "A") + proof[at + 1 :], self.vectors["jwks"])


class Ed25519(unittest.TestCase):
    """RFC 8032, 7.1: test 1, 2, 3 and SHA(abc)."""

    vectors = [
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            b"",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            b"\x72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            b"\xaf\x82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
        (
            "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            hashlib.sha512(b"abc").digest(),
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
        ),
    ]

    def test_the_vectors_of_the_rfc(self) -> None:
        for key, message, signature in self.vectors:
            self.assertTrue(ed25519.verify(bytes.fromhex(key), bytes.fromhex(signature), message))
            self.assertFalse(ed25519.verify(bytes.fromhex(key), bytes.fromhex(signature), message + b"!"))
            for at in (0, 31, 32, 63):
                changed = bytearray(bytes.fromhex(signature))
                changed[at] ^= 1
                self.assertFalse(ed25519.verify(bytes.fromhex(key), bytes(changed), message))

    def test_nothing_is_written_in_a_second_way(self) -> None:
        key, message, signature = bytes.fromhex(self.vectors[1][0]), self.vectors[1][1], bytes.fromhex(self.vectors[1][2])
        order = 2**252 + 27742317777372353535851937790883648493
        again = signature[:32] + (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
        self.assertFalse(ed25519.verify(key, again, message))
        self.assertFalse(ed25519.verify(key, signature[:63], message))
        self.assertFalse(ed25519.verify(key[:31], signature, message))
        self.assertFalse(ed25519.verify((2**255 - 18).to_bytes(32, "little"), signature, message))  # y above the field: 1, written so
        self.assertFalse(ed25519.verify((2).to_bytes(32, "little"), signature, message))  # no point has this y


if __name__ == "__main__":
    unittest.main()
