"""The service, as a partner's program speaks with it."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import replace
from typing import Any, Callable, Dict, Iterator, List, Literal, Mapping, Optional, cast

from . import generated as api
from .errors import SettlementError
from .transport import Answer, Call, Options, Transport, stable, step
from .waiting import FIRST_LOOK, instant_of, never_deployed, safe_of, status_of, until

_MOST_PER_PAGE = 100
_UNSAID = object()


def said(**members: Any) -> Dict[str, Any]:
    """What was given: what is None is left out."""
    return {name: value for name, value in members.items() if value is not None}


class _Sender:
    def __init__(self, options: Options) -> None:
        self._transport = Transport(options)

    def call(
        self,
        operation: api.OperationId,
        params: Optional[Mapping[str, str]] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[object] = None,
    ) -> Any:
        """What may be repeated, or what the service itself knows again, by the reference in it. All attempts of this call share a key; a
        later call has one of its own, so that a refusal that was kept (`approval_pending`, say) is not its answer for a day."""
        return self.send(_call_of(operation, params, query, body))

    def call_as(self, intent: str, operation: api.OperationId, params: Optional[Mapping[str, str]] = None, *, body: object) -> Any:
        """What the service knows again by its intent alone."""
        if not intent:
            raise ValueError("an intent says something")
        return self.send(_call_of(operation, params, None, body), intent)

    def send(self, call: Call, intent: Optional[str] = None) -> Any:
        if intent == "":
            raise ValueError("an intent says something")
        if call.method != "POST" or call.surface == "open":
            return self._transport.send(call)
        reason = f"{uuid.uuid4()} {stable(call.body).decode('utf-8')}" if intent is None else intent
        key = "sdk-" + hashlib.sha256(f"{call.path}\n{reason}".encode("utf-8")).hexdigest()
        return self._transport.send(replace(call, idempotency_key=key))

    def walk(self, operation: api.OperationId, query: Mapping[str, Any], read: Callable[[Answer], "tuple[List[Any], Any]"]) -> Iterator[Any]:
        """Page after page by cursor: what is added meanwhile neither repeats an item nor leaves one out. `read`: a page's items and the
        cursor of the next, None or empty after the last. Raises SettlementError where a full page does not say whether there is a next."""
        cursor: Optional[str] = None
        while True:
            asked = {"limit": _MOST_PER_PAGE, **query, "cursor": cursor}
            items, following = read(self._transport.answer(_call_of(operation, None, asked, None)))
            yield from items
            if following is _UNSAID and len(items) >= int(asked["limit"]):
                raise SettlementError(f"{operation} has more than one page and answers no cursor: the service is older than this SDK")
            if following is _UNSAID or not following:
                return
            cursor = str(following)

    def now(self) -> float:
        return self._transport.now()


def _call_of(
    operation: api.OperationId, params: Optional[Mapping[str, str]], query: Optional[Mapping[str, Any]], body: Optional[object]
) -> Call:
    surface, method, path = api.OPERATIONS[operation]
    return Call(surface, method, path.format(**{name: step(value) for name, value in (params or {}).items()}), query=query, body=body)


class Settlements:
    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def create(self, body: api.SettlementCreate, *, intent: str) -> api.Settlement:
        """A quote. Two for the same order are two settlements: name the order as `intent`, and the same call, made again after a crash, is
        the same call to the service. Another body under the same intent is refused."""
        return cast(api.Settlement, self._sender.call_as(intent, "create_settlement", body=body))

    def confirm(
        self,
        tx_id: str,
        *,
        external_tx_id: str,
        callback_url: Optional[str] = None,
        expected_destination_amount: Optional[float] = None,
    ) -> api.Settlement:
        """Promises the payment. Confirming again with the same `external_tx_id` confirms nothing more. Refused with `quote_changed` where
        the quote offers another amount than `expected_destination_amount`."""
        body = said(external_tx_id=external_tx_id, callback_url=callback_url, expected_destination_amount=expected_destination_amount)
        return cast(api.Settlement, self._sender.call("confirm_one_settlement", {"tx_id": tx_id}, body=body))

    def cancel(self, tx_id: str) -> api.Settlement:
        return cast(api.Settlement, self._sender.call("cancel_one_settlement", {"tx_id": tx_id}, body={}))

    def get(self, tx_id: str) -> api.Settlement:
        return cast(api.Settlement, self._sender.call("get_settlement", {"tx_id": tx_id}))

    def proof(self, tx_id: str) -> Any:
        """The quote, and once executed the receipt, signed for third parties: `verify_proof` checks them."""
        return self._sender.call("prove_settlement", {"tx_id": tx_id})

    def list(
        self,
        *,
        status: Optional[Literal["quoted", "processing", "executed", "failed", "cancelled"]] = None,
        approval_state: Optional[Literal["pending", "approved", "rejected"]] = None,
        external_tx_id: Optional[str] = None,
        external_merchant_id: Optional[str] = None,
        chain: Optional[str] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[api.Settlement]:
        """All that fit, newest first, read page by page as you go on. `limit`: how many a page has."""
        query = said(
            status=status,
            approval_state=approval_state,
            external_tx_id=external_tx_id,
            external_merchant_id=external_merchant_id,
            chain=chain,
            created_from=created_from,
            created_to=created_to,
            limit=limit,
        )
        return self._sender.walk("list_settlements", query, lambda page: (page.body["data"], page.body.get("next_cursor", _UNSAID)))

    def callbacks(self, tx_id: str) -> List[api.Callback]:
        return cast("List[api.Callback]", self._sender.call("list_callbacks", {"tx_id": tx_id})["data"])

    def resend_callback(self, tx_id: str, callback_id: str) -> api.Callback:
        return cast(api.Callback, self._sender.call("resend_callback", {"tx_id": tx_id, "callback_id": callback_id}))

    def attempt_callback(self, tx_id: str, callback_id: str) -> api.Callback:
        """One attempt now, whatever the callback's state, with the same id and body."""
        return cast(api.Callback, self._sender.call("attempt_callback", {"tx_id": tx_id, "callback_id": callback_id}))

    def wait_for_terminal(self, tx_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.Settlement:
        """How it ended: executed, failed or cancelled. Raises NotTerminal where it did not, in the time given or at all."""
        return until(lambda: self.get(tx_id), status_of, ("executed", "failed", "cancelled"), timeout, every, self._lapsed)


    def _lapsed(self, thing: Any) -> Optional[str]:
        """A quote that has run out, by the service's clock, stays as it is. One that waits for approval may get another price."""
        end = instant_of(thing["expires_at"]) if thing["status"] == "quoted" and thing["approval_state"] != "pending" else None
        if end is None or end >= self._sender.now():
            return None
        return "the quote has expired" if end < float(self._sender.call("get_time")["epoch_seconds"]) else None


class Prices:
    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def pairs(self) -> List[api.Pair]:
        return cast("List[api.Pair]", self._sender.call("list_pairs")["data"])

    def preview(
        self, *, source_currency: str, destination_currency: str, chain: str, source_amount: Optional[int] = None
    ) -> api.RatePreview:
        """What a settlement would be quoted now. Nothing is promised. `source_amount`: in minor units of the source currency."""
        pair = said(source_currency=source_currency, destination_currency=destination_currency, chain=chain, source_amount=source_amount)
        return cast(api.RatePreview, self._sender.call("preview_rate", query=pair))

    def rates(self) -> List[api.ExchangeRate]:
        return cast("List[api.ExchangeRate]", self._sender.call("exchange_rates"))

    def convert(self, *, source: str, target: str, amount: str) -> api.Conversion:
        """What an amount of `source` is in `target` at the mid rate: one of them fiat, the other crypto. `amount`: fiat in minor units,
        crypto in units, written as a decimal."""
        return cast(api.Conversion, self._sender.call("convert_to_currency", query={"from": source, "to": target, "amount": amount}))


class Members:
    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def create(self, body: api.MemberCreate) -> api.Member:
        return cast(api.Member, self._sender.call("create_member", body=body))

    def get(self, external_user_id: str) -> api.Member:
        return cast(api.Member, self._sender.call("get_member", {"external_user_id": external_user_id}))

    def update(self, external_user_id: str, body: api.MemberUpdate) -> api.Member:
        """What is left out stays as it is; None takes a name or an e-mail address away."""
        return cast(api.Member, self._sender.call("update_member", {"external_user_id": external_user_id}, body=body))

    def safe(self, external_user_id: str) -> api.SafeInfo:
        return cast(api.SafeInfo, self._sender.call("get_member_safe_info", {"external_user_id": external_user_id}))

    def wait_for_safe(self, external_user_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.Member:
        """The member once its `wallet_address` can be paid to: at once, where it brought its own. Raises NotTerminal where its Safe cannot
        be deployed, or is not yet."""
        return until(lambda: self.get(external_user_id), safe_of, ("deployed", "its own"), timeout, every, never_deployed)

    def list(self, *, search: Optional[str] = None) -> Iterator[api.Member]:
        return self._sender.walk("get_members", {"search": search}, lambda page: (page.body, page.headers.get("x-next-cursor", _UNSAID)))


class Withdrawals:
    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def create(self, body: api.WithdrawCreate) -> api.WithdrawRequestResponse:
        """Out of the partner's own Safe. Asked for again with the same `external_id`, after a crash say, it is the same withdrawal."""
        return cast(api.WithdrawRequestResponse, self._sender.call("withdraw_fiat", body=body))

    def create_for_member(self, body: api.WithdrawPartnerCreate) -> api.WithdrawPartnerResponse:
        """Out of a member's."""
        return cast(api.WithdrawPartnerResponse, self._sender.call("withdraw_fiat_for_registered_member", body=body))

    def get(self, withdrawal_id: str) -> api.WithdrawRequestResponse:
        return cast(api.WithdrawRequestResponse, self._sender.call("withdraw_fiat_status", {"id": withdrawal_id}))

    def pools(self) -> List[api.WithdrawFiatPool]:
        return cast("List[api.WithdrawFiatPool]", self._sender.call("get_withdraw_fiat_pool_info"))

    def wait_for_terminal(self, withdrawal_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.WithdrawRequestResponse:
        return until(lambda: self.get(withdrawal_id), status_of, ("completed", "failed"), timeout, every)


class Topups:
    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def create(self, body: api.TopupRequestCreate) -> api.TopupRequestResponse:
        """Into a member's wallet. Asked for again with the same `external_id`, after a crash say, it is the same top-up."""
        return cast(api.TopupRequestResponse, self._sender.call("topup_fiat", body=body))

    def get(self, topup_id: str) -> api.TopupRequestResponse:
        return cast(api.TopupRequestResponse, self._sender.call("topup_fiat_status", {"id": topup_id}))

    def wait_for_terminal(self, topup_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.TopupRequestResponse:
        return until(lambda: self.get(topup_id), status_of, ("completed", "failed"), timeout, every)


class Keys:
    """Your API keys, and the secret that your callbacks are signed with."""

    def __init__(self, sender: _Sender) -> None:
        self._sender = sender

    def list(
        self, *, skip: Optional[int] = None, limit: Optional[int] = None, search: Optional[str] = None
    ) -> List[api.ApiKeyView]:
        return cast("List[api.ApiKeyView]", self._sender.call("list_api_keys", query=said(skip=skip, limit=limit, search=search)))

    def rotate(self, key_id: str, *, intent: str, overlap_seconds: int) -> api.ApiKeyView:
        """A successor with the same rights. The answer shows its secret; the same `intent` shows it again, for a day."""
        body = {"overlap_seconds": overlap_seconds}
        return cast(api.ApiKeyView, self._sender.call_as(intent, "rotate_api_key", {"id": key_id}, body=body))

    def revoke(self, key_id: str) -> None:
        """Ends a key at once."""
        self._sender.call("delete_api_key", {"id": key_id})

    def rotate_callback_secret(self, partner_id: str, *, intent: str, overlap_seconds: int) -> api.CallbackSecret:
        """A new secret for callbacks; `partner_id` is `id` of `partner()`. The answer shows it; the same `intent` shows it again, for a
        day."""
        body = {"overlap_seconds": overlap_seconds}
        return cast(api.CallbackSecret, self._sender.call_as(intent, "rotate_callback_secret", {"partner_id": partner_id}, body=body))


class SettlementClient:
    """One is enough for a process: it remembers how far its clock is off, and threads may share it."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        api_secret: str,
        *,
        brand: str = Options.brand,
        timeout: float = Options.timeout,
        attempts: int = Options.attempts,
        longest_wait: float = Options.longest_wait,
    ) -> None:
        """Raises ValueError for options that cannot be right. `Options` says what each of them means."""
        self._sender = _Sender(Options(base_url, api_key, api_secret, brand, timeout, attempts, longest_wait))
        self.keys = Keys(self._sender)
        self.settlements = Settlements(self._sender)
        self.prices = Prices(self._sender)
        self.members = Members(self._sender)
        self.withdrawals = Withdrawals(self._sender)
        self.topups = Topups(self._sender)

    def transactions(
        self,
        *,
        type: Optional[Literal["settlement", "withdrawal", "topup"]] = None,
        status: Optional[Literal["quoted", "processing", "executed", "failed", "cancelled", "pending", "completed"]] = None,
        external_id: Optional[str] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
    ) -> Iterator[api.Transaction]:
        """Settlements, withdrawals and top-ups that fit, newest first, read page by page as you go on."""
        query = said(type=type, status=status, external_id=external_id, created_from=created_from, created_to=created_to)
        return self._sender.walk("get_all_transactions", query, lambda page: (page.body["items"], page.body.get("next_cursor", _UNSAID)))

    def call(
        self,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"],
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[object] = None,
        intent: Optional[str] = None,
    ) -> Any:
        """Any operation, by its method and path: what has no name here. Without an `intent`, a POST has an idempotency key of its own,
        which its attempts share."""
        surface = "settlement" if path.startswith("/api/v1/") else "partner"
        return self._sender.send(Call(surface, method, path, query=query, body=body), intent)

    def partner(self) -> api.Partner:
        """You yourself: `wallet_address` is your own Safe, `charge_fee_percentage` your fee on withdrawals and top-ups."""
        return cast(api.Partner, self._sender.call("current_partner"))

    def time(self) -> Any:
        """The service's clock, unsigned."""
        return self._sender.call("get_time")

    def public_keys(self, partner_id: Optional[str] = None) -> Any:
        """The public keys that proofs are checked with, unsigned; with your partner id (`id` of `GET /partners/current`) those of your
        callbacks as well. Take it from your settings: another partner's keys hold for another partner's callbacks."""
        return self._sender.call("get_jwks", query={"partner": partner_id})

    def proof_status(self, proof: str) -> Any:
        """Whether a proof still holds, for whoever has it, unsigned: of a quote and of a receipt alike."""
        return self._sender.call("get_proof_status", body={"proof": proof})

    def echo(self, body: Optional[object] = None) -> Any:
        """Whether key, clock and signature are right: what the service read of a signed request."""
        return self._sender.call("echo", body={} if body is None else body)
