"""The service, as a partner's program speaks with it."""

from __future__ import annotations

import hashlib
import time
import uuid
from datetime import datetime
from typing import Any, Callable, Iterator, List, Mapping, Optional, TypeVar, cast

from . import generated as api
from .errors import NotTerminal
from .transport import Call, Options, Transport, stable, step

_SETTLEMENTS = "/api/v1/settlements"
_MEMBERS = "/partners/members"
_WITHDRAWALS = "/partners/transactions/withdraw-fiat"
_TOPUPS = "/partners/transactions/topup-fiat"
_TRANSACTIONS = "/partners/transactions"
_FIRST_LOOK = 0.5
_LONGEST_LOOK = 10.0

Thing = TypeVar("Thing")


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

    def open(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        return self._transport.send(Call("open", "GET", path, query=query))


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
        cursor: Optional[str] = None
        while True:
            page = self._sender.get(_SETTLEMENTS, {"limit": 100, **query, "cursor": cursor})
            yield from page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def callbacks(self, tx_id: str) -> List[api.Callback]:
        return cast("List[api.Callback]", self._sender.get(f"{_SETTLEMENTS}/{step(tx_id)}/callbacks")["data"])

    def resend_callback(self, tx_id: str, callback_id: str) -> api.Callback:
        return cast(api.Callback, self._sender.repeatable(f"{_SETTLEMENTS}/{step(tx_id)}/callbacks/{step(callback_id)}/resend", None))

    def wait_for_terminal(self, tx_id: str, *, timeout: float = 600.0, every: float = _FIRST_LOOK) -> api.Settlement:
        """How it ended: executed, failed or cancelled. Raises NotTerminal where it did not, in the time given or at all."""
        return _until(lambda: self.get(tx_id), _status, ("executed", "failed", "cancelled"), timeout, every, _lapsed)


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

    def wait_for_safe(self, external_user_id: str, *, timeout: float = 600.0, every: float = _FIRST_LOOK) -> api.Member:
        """The member once its `wallet_address` can be paid to: at once, where it brought its own. Raises NotTerminal where its Safe cannot
        be deployed, or is not yet."""
        return _until(lambda: self.get(external_user_id), _safe, ("deployed", "its own"), timeout, every, _never_deployed)

    def list(self, *, search: Optional[str] = None) -> Iterator[api.Member]:
        return _skipping(lambda page: self._sender.get(_MEMBERS, {"search": search, **page}))


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

    def wait_for_terminal(self, withdrawal_id: str, *, timeout: float = 600.0, every: float = _FIRST_LOOK) -> api.WithdrawRequestResponse:
        return _until(lambda: self.get(withdrawal_id), _status, ("completed", "failed"), timeout, every)


class Topups:
    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def create(self, body: api.TopupRequestCreate) -> api.TopupRequestResponse:
        """Into a member's wallet. Asked for again with the same `external_id`, after a crash say, it is the same top-up."""
        return cast(api.TopupRequestResponse, self._sender.repeatable(_TOPUPS, body))

    def get(self, topup_id: str) -> api.TopupRequestResponse:
        return cast(api.TopupRequestResponse, self._sender.get(f"{_TOPUPS}/{step(topup_id)}"))

    def wait_for_terminal(self, topup_id: str, *, timeout: float = 600.0, every: float = _FIRST_LOOK) -> api.TopupRequestResponse:
        return _until(lambda: self.get(topup_id), _status, ("completed", "failed"), timeout, every)


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
        return _skipping(lambda page: self._sender.get(_TRANSACTIONS, {**query, **page})["items"])

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

    def echo(self, body: Optional[object] = None) -> Any:
        """Whether key, clock and signature are right: what the service read of a signed request."""
        return self._sender.repeatable("/api/v1/echo", {} if body is None else body)


def _surface_of(path: str) -> str:
    return "settlement" if path.startswith("/api/v1/") else "partner"


def _lapsed(thing: Any) -> Optional[str]:
    """A quote that nobody can confirm any more stays as it is. One that waits for approval may be priced anew."""
    if thing["status"] != "quoted" or thing["approval_state"] == "pending":
        return None
    expires_at = datetime.fromisoformat(thing["expires_at"].replace("Z", "+00:00")).timestamp()
    return "the quote has expired" if expires_at < time.time() else None


def _status(thing: Any) -> str:
    return str(thing["status"])


def _safe(member: Any) -> str:
    return "without an address" if member["wallet_address"] is None else str(member["safe_status"] or "its own")


def _never_deployed(member: Any) -> Optional[str]:
    return "the member's Safe could not be deployed" if member["safe_status"] == "failed" else None


def _skipping(read: Callable[[Mapping[str, int]], List[Any]]) -> Iterator[Any]:
    """Page after page of what is counted, as long as they are full."""
    limit, skip = 100, 0
    while True:
        page = read({"skip": skip, "limit": limit})
        yield from page
        if len(page) < limit:
            return
        skip += limit


def _until(
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
