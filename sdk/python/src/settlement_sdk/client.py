"""The service, as a partner's program speaks with it."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any, Callable, Iterator, List, Mapping, Optional, cast

from . import generated as api
from .errors import SettlementError
from .transport import Answer, Call, Options, Transport, stable, step
from .waiting import FIRST_LOOK, instant_of, never_deployed, safe_of, status_of, until

_SETTLEMENTS = "/api/v1/settlements"
_MEMBERS = "/partners/members"
_WITHDRAWALS = "/partners/transactions/withdraw-fiat"
_TOPUPS = "/partners/transactions/topup-fiat"
_TRANSACTIONS = "/partners/transactions"
_MOST_PER_PAGE = 100
_UNSAID = object()


class _Sender:
    def __init__(self, options: Options) -> None:
        self._transport = Transport(options)

    def get(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        return self._transport.send(Call(_surface_of(path), "GET", path, query=query))

    def post(self, path: str, body: Optional[object], intent: str) -> Any:
        if intent == "":
            raise ValueError("an intent says something")
        key = "sdk-" + hashlib.sha256(f"{path}\n{intent}".encode("utf-8")).hexdigest()
        return self._transport.send(Call(_surface_of(path), "POST", path, body=body, idempotency_key=key))

    def repeatable(self, path: str, body: Optional[object]) -> Any:
        """What the service itself knows again, by the reference in it. All attempts of this call share a key; a later call has one of its
        own, so that a refusal that was kept (`approval_pending`, say) is not its answer for a day."""
        return self.post(path, body, f"{uuid.uuid4()} {stable(body).decode('utf-8')}")

    def walk(self, path: str, query: Mapping[str, Any], read: Callable[[Answer], "tuple[List[Any], Any]"]) -> Iterator[Any]:
        """Page after page by cursor: what is added meanwhile neither repeats an item nor leaves one out. `read`: a page's items and the
        cursor of the next, None or empty after the last. Raises SettlementError where a full page does not say whether there is a next."""
        cursor: Optional[str] = None
        while True:
            asked = {"limit": _MOST_PER_PAGE, **query, "cursor": cursor}
            items, following = read(self._transport.answer(Call(_surface_of(path), "GET", path, query=asked)))
            yield from items
            if following is _UNSAID and len(items) >= int(asked["limit"]):
                raise SettlementError(f"{path} has more than one page and answers no cursor: the service is older than this SDK")
            if following is _UNSAID or not following:
                return
            cursor = str(following)

    def now(self) -> float:
        return self._transport.now()

    def open(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        return self._transport.send(Call("open", "GET", path, query=query))

    def ask(self, path: str, body: object) -> Any:
        return self._transport.send(Call("open", "POST", path, body=body))


class Settlements:
    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def create(self, body: api.SettlementCreate, *, intent: str) -> api.Settlement:
        """A quote. Two for the same order are two settlements: name the order as `intent`, and the same call, made again after a crash, is
        the same call to the service. Another body under the same intent is refused."""
        return cast(api.Settlement, self._sender.post(_SETTLEMENTS, body, intent))

    def confirm(self, tx_id: str, *, external_tx_id: str, **more: Any) -> api.Settlement:
        """Promises the payment. Confirming again with the same `external_tx_id` confirms nothing more. `more`: `callback_url`,
        `expected_destination_amount`."""
        return cast(api.Settlement, self._sender.repeatable(f"{_SETTLEMENTS}/{step(tx_id)}/confirm", {"external_tx_id": external_tx_id, **more}))

    def cancel(self, tx_id: str) -> api.Settlement:
        return cast(api.Settlement, self._sender.repeatable(f"{_SETTLEMENTS}/{step(tx_id)}/cancel", {}))

    def get(self, tx_id: str) -> api.Settlement:
        return cast(api.Settlement, self._sender.get(f"{_SETTLEMENTS}/{step(tx_id)}"))

    def proof(self, tx_id: str) -> Any:
        """The quote, and once executed the receipt, signed for third parties: `verify_proof` checks them."""
        return self._sender.get(f"/api/v1/settlements/{step(tx_id)}/proof")

    def list(self, **query: Any) -> Iterator[api.Settlement]:
        """All that fit, newest first, read page by page as you go on."""
        return self._sender.walk(_SETTLEMENTS, query, lambda page: (page.body["data"], page.body.get("next_cursor", _UNSAID)))

    def callbacks(self, tx_id: str) -> List[api.Callback]:
        return cast("List[api.Callback]", self._sender.get(f"{_SETTLEMENTS}/{step(tx_id)}/callbacks")["data"])

    def resend_callback(self, tx_id: str, callback_id: str) -> api.Callback:
        return cast(api.Callback, self._sender.repeatable(f"{_SETTLEMENTS}/{step(tx_id)}/callbacks/{step(callback_id)}/resend", None))

    def wait_for_terminal(self, tx_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.Settlement:
        """How it ended: executed, failed or cancelled. Raises NotTerminal where it did not, in the time given or at all."""
        return until(lambda: self.get(tx_id), status_of, ("executed", "failed", "cancelled"), timeout, every, self._lapsed)


    def _lapsed(self, thing: Any) -> Optional[str]:
        """A quote that has run out, by the service's clock, stays as it is. One that waits for approval may get another price."""
        end = instant_of(thing["expires_at"]) if thing["status"] == "quoted" and thing["approval_state"] != "pending" else None
        if end is None or end >= self._sender.now():
            return None
        return "the quote has expired" if end < float(self._sender.open("/time")["epoch_seconds"]) else None


class Prices:
    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def pairs(self) -> List[api.Pair]:
        return cast("List[api.Pair]", self._sender.get("/api/v1/pairs")["data"])

    def preview(self, **query: Any) -> api.RatePreview:
        return cast(api.RatePreview, self._sender.get("/api/v1/rates/preview", query))

    def rates(self) -> List[api.ExchangeRate]:
        return cast("List[api.ExchangeRate]", self._sender.get("/exchange-rates"))


class Members:
    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def create(self, body: api.MemberCreate) -> api.Member:
        return cast(api.Member, self._sender.repeatable(_MEMBERS, body))

    def get(self, external_user_id: str) -> api.Member:
        return cast(api.Member, self._sender.get(f"{_MEMBERS}/{step(external_user_id)}"))

    def safe(self, external_user_id: str) -> api.SafeInfo:
        return cast(api.SafeInfo, self._sender.get(f"{_MEMBERS}/{step(external_user_id)}/safe"))

    def wait_for_safe(self, external_user_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.Member:
        """The member once its `wallet_address` can be paid to: at once, where it brought its own. Raises NotTerminal where its Safe cannot
        be deployed, or is not yet."""
        return until(lambda: self.get(external_user_id), safe_of, ("deployed", "its own"), timeout, every, never_deployed)

    def list(self, *, search: Optional[str] = None) -> Iterator[api.Member]:
        return self._sender.walk(_MEMBERS, {"search": search}, lambda page: (page.body, page.headers.get("x-next-cursor", _UNSAID)))


class Withdrawals:
    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def create(self, body: api.WithdrawCreate) -> api.WithdrawRequestResponse:
        """Out of the partner's own Safe. Asked for again with the same `external_id`, after a crash say, it is the same withdrawal."""
        return cast(api.WithdrawRequestResponse, self._sender.repeatable(_WITHDRAWALS, body))

    def create_for_member(self, body: api.WithdrawPartnerCreate) -> api.WithdrawPartnerResponse:
        """Out of a member's."""
        return cast(api.WithdrawPartnerResponse, self._sender.repeatable(f"{_WITHDRAWALS}/member", body))

    def get(self, withdrawal_id: str) -> api.WithdrawRequestResponse:
        return cast(api.WithdrawRequestResponse, self._sender.get(f"{_WITHDRAWALS}/{step(withdrawal_id)}"))

    def pools(self) -> List[api.WithdrawFiatPool]:
        return cast("List[api.WithdrawFiatPool]", self._sender.get(f"{_WITHDRAWALS}/pool"))

    def wait_for_terminal(self, withdrawal_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.WithdrawRequestResponse:
        return until(lambda: self.get(withdrawal_id), status_of, ("completed", "failed"), timeout, every)


class Topups:
    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def create(self, body: api.TopupRequestCreate) -> api.TopupRequestResponse:
        """Into a member's wallet. Asked for again with the same `external_id`, after a crash say, it is the same top-up."""
        return cast(api.TopupRequestResponse, self._sender.repeatable(_TOPUPS, body))

    def get(self, topup_id: str) -> api.TopupRequestResponse:
        return cast(api.TopupRequestResponse, self._sender.get(f"{_TOPUPS}/{step(topup_id)}"))

    def wait_for_terminal(self, topup_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.TopupRequestResponse:
        return until(lambda: self.get(topup_id), status_of, ("completed", "failed"), timeout, every)


class SettlementClient:
    """One is enough for a process: it remembers how far its clock is off, and threads may share it."""

    def __init__(self, base_url: str, api_key: str, api_secret: str, **more: Any) -> None:
        """`more`: what else `Options` has."""
        self._sender = _Sender(Options(base_url, api_key, api_secret, **more))
        self.settlements = Settlements(self._sender)
        self.prices = Prices(self._sender)
        self.members = Members(self._sender)
        self.withdrawals = Withdrawals(self._sender)
        self.topups = Topups(self._sender)

    def transactions(self, **query: Any) -> Iterator[api.Transaction]:
        """Settlements, withdrawals and top-ups that fit (`type`, `status`, `external_id`, `created_from`, `created_to`), newest first, read
        page by page as you go on."""
        return self._sender.walk(_TRANSACTIONS, query, lambda page: (page.body["items"], page.body.get("next_cursor", _UNSAID)))

    def partner(self) -> api.Partner:
        """You yourself: `wallet_address` is your own Safe, `charge_fee_percentage` your fee on withdrawals and top-ups."""
        return cast(api.Partner, self._sender.get("/partners/current"))

    def time(self) -> Any:
        """The service's clock, unsigned."""
        return self._sender.open("/time")

    def public_keys(self, partner_id: Optional[str] = None) -> Any:
        """The public keys that proofs are checked with, unsigned; with your partner id (`id` of `GET /partners/current`) those of your
        callbacks as well. Take it from your settings: another partner's keys hold for another partner's callbacks."""
        return self._sender.open("/.well-known/jwks.json", {"partner": partner_id})

    def proof_status(self, proof: str) -> Any:
        """Whether a proof still holds, for whoever has it, unsigned: of a quote and of a receipt alike."""
        return self._sender.ask("/proofs/status", {"proof": proof})

    def echo(self, body: Optional[object] = None) -> Any:
        """Whether key, clock and signature are right: what the service read of a signed request."""
        return self._sender.repeatable("/api/v1/echo", {} if body is None else body)


def _surface_of(path: str) -> str:
    return "settlement" if path.startswith("/api/v1/") else "partner"
