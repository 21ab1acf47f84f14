"""The service, for a partner's program."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, Mapping, Optional, cast

from . import generated as api
from .core import Call, Options
from .following import CursorStore
from .plans import FIRST_LOOK, never_deployed, of_data, of_header, of_items, quote_end, safe_of, said, status_of
from .transport import Transport


class _Operations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._run = transport.run
        self._walk = transport.walk
        self._plans = transport.plans


class Settlements(_Operations):
    def create(self, body: api.SettlementCreate, *, intent: str) -> api.Settlement:
        """Creates a settlement and returns its quote. Use your order's id as `intent`: a repeated call, for example after a
        crash, is then the same call to the service. Another body with the same intent is refused."""
        return cast(api.Settlement, self._run(self._plans.call_as(intent, "create_settlement", body=body)))

    def confirm(
        self,
        tx_id: str,
        *,
        external_tx_id: str,
        callback_url: Optional[str] = None,
        expected_destination_amount: Optional[float] = None,
    ) -> api.Settlement:
        """Confirms the quote, which starts the payment. Repeating it with the same `external_tx_id` has no effect. Refused
        with `quote_changed` if the quote's amount is not `expected_destination_amount`."""
        body = said(external_tx_id=external_tx_id, callback_url=callback_url, expected_destination_amount=expected_destination_amount)
        return cast(api.Settlement, self._run(self._plans.call("confirm_one_settlement", {"tx_id": tx_id}, body=body)))

    def cancel(self, tx_id: str) -> api.Settlement:
        return cast(api.Settlement, self._run(self._plans.call("cancel_one_settlement", {"tx_id": tx_id}, body={})))

    def get(self, tx_id: str) -> api.Settlement:
        return cast(api.Settlement, self._run(self._plans.call("get_settlement", {"tx_id": tx_id})))

    def proof(self, tx_id: str) -> Any:
        """The quote, and once executed the receipt, signed for third parties: `verify_proof` verifies them."""
        return self._run(self._plans.call("prove_settlement", {"tx_id": tx_id}))

    def list(
        self,
        *,
        status: Optional[Literal["quoted", "processing", "executed", "failed", "cancelled"]] = None,
        statuses: Optional[str] = None,
        approval_state: Optional[Literal["pending", "approved", "rejected"]] = None,
        batch_id: Optional[str] = None,
        external_tx_id: Optional[str] = None,
        external_merchant_id: Optional[str] = None,
        chain: Optional[str] = None,
        wallet_address: Optional[str] = None,
        tx_hash: Optional[str] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        updated_from: Optional[str] = None,
        updated_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[api.Settlement]:
        """All that match, newest first, read page by page as you iterate. `limit`: the page size."""
        query = said(
            status=status,
            statuses=statuses,
            approval_state=approval_state,
            batch_id=batch_id,
            external_tx_id=external_tx_id,
            external_merchant_id=external_merchant_id,
            chain=chain,
            wallet_address=wallet_address,
            tx_hash=tx_hash,
            created_from=created_from,
            created_to=created_to,
            updated_from=updated_from,
            updated_to=updated_to,
            limit=limit,
        )
        return self._walk("list_settlements", query, of_data)

    def callbacks(self, tx_id: str) -> List[api.Callback]:
        found = self._run(self._plans.call("list_callbacks", {"tx_id": tx_id}))
        return cast("List[api.Callback]", found["data"])

    def resend_callback(self, tx_id: str, callback_id: str) -> api.Callback:
        return cast(api.Callback, self._run(self._plans.call("resend_callback", {"tx_id": tx_id, "callback_id": callback_id})))

    def attempt_callback(self, tx_id: str, callback_id: str) -> api.Callback:
        """One attempt now, whatever the callback's state, with the same id and body."""
        return cast(api.Callback, self._run(self._plans.call("attempt_callback", {"tx_id": tx_id, "callback_id": callback_id})))

    def wait_for_terminal(self, tx_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.Settlement:
        """Waits for the end: executed, failed or cancelled. Raises NotTerminal if there is none in time, or ever."""
        look = self._plans.call_of("get_settlement", {"tx_id": tx_id})
        ends = ("executed", "failed", "cancelled")
        return cast(api.Settlement, self._run(self._plans.until(look, status_of, ends, timeout, every, lapses_at=quote_end)))


class Batches(_Operations):
    """Up to 500 settlements that are made, confirmed and cancelled together."""

    def create(self, body: api.BatchCreate) -> api.BatchWithItems:
        """All or none. A repeat with the same `external_batch_id` and body, for example after a crash, is the same batch."""
        return cast(api.BatchWithItems, self._run(self._plans.call("create_batch", body=body)))

    def estimate(self, body: Any) -> api.BatchEstimate:
        """What they would cost: `{"items": [...]}`. Nothing is stored."""
        return cast(api.BatchEstimate, self._run(self._plans.call("estimate_batch", body=body)))

    def confirm(
        self, batch_id: str, *, callback_url: Optional[str] = None, expected_total: Optional[Dict[str, float]] = None
    ) -> api.Batch:
        """Starts all payments, or none. Refused with `quote_changed` if the sums are not those of `expected_total`."""
        body = said(callback_url=callback_url, expected_total=expected_total)
        return cast(api.Batch, self._run(self._plans.call("confirm_batch", {"batch_id": batch_id}, body=body)))

    def cancel(self, batch_id: str) -> api.Batch:
        return cast(api.Batch, self._run(self._plans.call("cancel_batch", {"batch_id": batch_id}, body={})))

    def requote(self, batch_id: str) -> api.Batch:
        """New quotes for the items whose quote has expired."""
        return cast(api.Batch, self._run(self._plans.call("requote_batch", {"batch_id": batch_id}, body={})))

    def get(self, batch_id: str) -> api.Batch:
        """Without its items: `settlements.list(batch_id=...)` lists them."""
        return cast(api.Batch, self._run(self._plans.call("get_batch", {"batch_id": batch_id})))

    def list(
        self,
        *,
        status: Optional[Literal["quoted", "processing", "completed", "cancelled"]] = None,
        external_batch_id: Optional[str] = None,
    ) -> Iterator[api.Batch]:
        """All that match, newest first, read page by page as you iterate."""
        return self._walk("list_batches", said(status=status, external_batch_id=external_batch_id), of_data)

    def wait_for_terminal(self, batch_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.Batch:
        """Waits for the end: completed or cancelled. A completed batch may have items that failed (`counts`). Raises NotTerminal if there is no end in time, or ever."""
        look = self._plans.call_of("get_batch", {"batch_id": batch_id})
        return cast(api.Batch, self._run(self._plans.until(look, status_of, ("completed", "cancelled"), timeout, every, lapses_at=quote_end)))


class Events(_Operations):
    """Every change, one after the other."""

    def follow(self, store: CursorStore, *, types: Optional[str] = None, wait: int = 20) -> Iterator[api.Event]:
        """Event after event, for ever; it waits for the next one. `store` keeps the place once all events of a page have been
        taken: after a crash those of one page may come again, under the same ids."""
        cursor = store.read()
        while True:
            query = said(types=types, wait=wait, cursor=cursor)
            page = self._run(self._plans.next_events(query))
            for event in page["data"]:
                yield cast(api.Event, event)
            if page["next_cursor"] != cursor:
                cursor = str(page["next_cursor"])
                store.write(cursor)

    def get(self, event_id: str) -> api.Event:
        return cast(api.Event, self._run(self._plans.call("get_event", {"event_id": event_id})))


class Callbacks(_Operations):
    """Callbacks of settlements, batches, withdrawals and top-ups."""

    def list(
        self,
        *,
        object_id: Optional[str] = None,
        state: Optional[Literal["pending", "delivered", "undelivered"]] = None,
        event: Optional[str] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[api.OwnCallback]:
        """All that match, newest first, read page by page as you iterate. `limit`: the page size."""
        query = said(object_id=object_id, state=state, event=event, created_from=created_from, created_to=created_to, limit=limit)
        return self._walk("list_all_callbacks", query, of_data)

    def get(self, callback_id: str) -> api.OwnCallback:
        return cast(api.OwnCallback, self._run(self._plans.call("get_callback", {"callback_id": callback_id})))

    def resend(self, callback_id: str) -> api.OwnCallback:
        """Six new attempts, with the same id and body."""
        return cast(api.OwnCallback, self._run(self._plans.call("resend_any_callback", {"callback_id": callback_id})))

    def attempt(self, callback_id: str) -> api.OwnCallback:
        """One attempt now, in addition to the six."""
        return cast(api.OwnCallback, self._run(self._plans.call("attempt_any_callback", {"callback_id": callback_id})))


class EventDestinations(_Operations):
    """Where your events are sent, next to the list of them: a URL of yours, RabbitMQ or NATS."""

    def create(self, body: api.EventDestinationCreate, *, intent: str) -> api.EventDestination:
        """The answer contains the secret that `verify_event` needs; for a day, the same `intent` returns it again."""
        return cast(api.EventDestination, self._run(self._plans.call_as(intent, "create_event_destination", body=body)))

    def list(self) -> List[api.EventDestination]:
        found = self._run(self._plans.call("list_event_destinations"))
        return cast("List[api.EventDestination]", found["data"])

    def get(self, destination_id: str) -> api.EventDestination:
        return cast(api.EventDestination, self._run(self._plans.call("get_event_destination", {"destination_id": destination_id})))

    def update(self, destination_id: str, body: api.EventDestinationChange) -> api.EventDestination:
        """Paused, it keeps its place; active again, it gets everything that has waited."""
        change = self._plans.call("change_event_destination", {"destination_id": destination_id}, body=body)
        return cast(api.EventDestination, self._run(change))

    def delete(self, destination_id: str) -> None:
        self._run(self._plans.call("delete_event_destination", {"destination_id": destination_id}))

    def test(self, destination_id: str) -> api.EventDestination:
        """Sends a test event. How it ended is in `last_test` of `get`."""
        test = self._plans.call("test_event_destination", {"destination_id": destination_id}, body={})
        return cast(api.EventDestination, self._run(test))

    def replay(self, destination_id: str, *, since: str) -> api.EventDestination:
        """Sends everything from that moment on again, under the same ids."""
        replay = self._plans.call("replay_event_destination", {"destination_id": destination_id}, body={"from": since})
        return cast(api.EventDestination, self._run(replay))


class Prices(_Operations):
    def pairs(self) -> List[api.Pair]:
        found = self._run(self._plans.call("list_pairs"))
        return cast("List[api.Pair]", found["data"])

    def preview(
        self,
        *,
        source_currency: str,
        destination_currency: str,
        chain: str,
        source_amount: Optional[int] = None,
        wallet_address: Optional[str] = None,
    ) -> api.RatePreview:
        """The present quote for an amount. Nothing is promised. `source_amount`: in minor units of the source currency.
        `wallet_address`: a wallet on the chain; the answer then has `network_cost`."""
        pair = said(source_currency=source_currency, destination_currency=destination_currency, chain=chain)
        query = {**pair, **said(source_amount=source_amount, wallet_address=wallet_address)}
        return cast(api.RatePreview, self._run(self._plans.call("preview_rate", query=query)))

    def rates(self) -> List[api.ExchangeRate]:
        return cast("List[api.ExchangeRate]", self._run(self._plans.call("exchange_rates")))

    def convert(self, *, source: str, target: str, amount: str) -> api.Conversion:
        """Converts an amount of `source` to `target` at the mid rate: one of them fiat, the other crypto. `amount`: fiat in
        minor units, crypto in units, written as a decimal."""
        query = {"from": source, "to": target, "amount": amount}
        return cast(api.Conversion, self._run(self._plans.call("convert_to_currency", query=query)))


class Members(_Operations):
    def create(self, body: api.MemberCreate) -> api.Member:
        return cast(api.Member, self._run(self._plans.call("create_member", body=body)))

    def get(self, external_user_id: str) -> api.Member:
        return cast(api.Member, self._run(self._plans.call("get_member", {"external_user_id": external_user_id})))

    def update(self, external_user_id: str, body: api.MemberUpdate) -> api.Member:
        """Omitted fields stay as they are; None removes a name or an e-mail address."""
        return cast(api.Member, self._run(self._plans.call("update_member", {"external_user_id": external_user_id}, body=body)))

    def safe(self, external_user_id: str) -> api.SafeInfo:
        return cast(api.SafeInfo, self._run(self._plans.call("get_member_safe_info", {"external_user_id": external_user_id})))

    def wait_for_safe(self, external_user_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.Member:
        """The member once its `wallet_address` can be paid: at once if it brought its own. Raises NotTerminal if its
        Safe cannot be deployed, or is not yet.
        """
        look = self._plans.call_of("get_member", {"external_user_id": external_user_id})
        ends = ("deployed", "its own")
        return cast(api.Member, self._run(self._plans.until(look, safe_of, ends, timeout, every, never_deployed)))

    def list(self, *, search: Optional[str] = None) -> Iterator[api.Member]:
        return self._walk("get_members", {"search": search}, of_header)


class Withdrawals(_Operations):
    def create(self, body: api.WithdrawCreate) -> api.WithdrawRequestResponse:
        """From the partner's own Safe. A repeat with the same `external_id`, for example after a crash, is the same withdrawal."""
        return cast(api.WithdrawRequestResponse, self._run(self._plans.call("withdraw_fiat", body=body)))

    def create_for_member(self, body: api.WithdrawPartnerCreate) -> api.WithdrawPartnerResponse:
        """From a member's."""
        return cast(api.WithdrawPartnerResponse, self._run(self._plans.call("withdraw_fiat_for_registered_member", body=body)))

    def get(self, withdrawal_id: str) -> api.WithdrawRequestResponse:
        return cast(api.WithdrawRequestResponse, self._run(self._plans.call("withdraw_fiat_status", {"id": withdrawal_id})))

    def preview(self, *, amount: int, currency: str, source_currency: str, chain: str) -> api.WithdrawPreview:
        """What a withdrawal would take now, with your fee. Nothing is stored."""
        query = {"amount": amount, "currency": currency, "source_currency": source_currency, "chain": chain}
        return cast(api.WithdrawPreview, self._run(self._plans.call("withdraw_fiat_preview", query=query)))

    def cancel(self, withdrawal_id: str) -> api.WithdrawRequestResponse:
        """While its crypto is still in the Safe; after that `Refused` with `invalid_state`. A repeat answers the same."""
        return cast(api.WithdrawRequestResponse, self._run(self._plans.call("withdraw_fiat_cancel", {"id": withdrawal_id})))

    def pools(self) -> List[api.WithdrawFiatPool]:
        return cast("List[api.WithdrawFiatPool]", self._run(self._plans.call("get_withdraw_fiat_pool_info")))

    def wait_for_terminal(self, withdrawal_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.WithdrawRequestResponse:
        look = self._plans.call_of("withdraw_fiat_status", {"id": withdrawal_id})
        ends = ("completed", "failed")
        return cast(api.WithdrawRequestResponse, self._run(self._plans.until(look, status_of, ends, timeout, every)))


class Topups(_Operations):
    def create(self, body: api.TopupRequestCreate) -> api.TopupRequestResponse:
        """Into a member's wallet. A repeat with the same `external_id`, for example after a crash, is the same top-up."""
        return cast(api.TopupRequestResponse, self._run(self._plans.call("topup_fiat", body=body)))

    def preview(self, *, amount: int, currency: str, destination_currency: str, chain: str) -> api.TopupPreview:
        """What a top-up would send now, with your fee. Nothing is stored."""
        query = {"amount": amount, "currency": currency, "destination_currency": destination_currency, "chain": chain}
        return cast(api.TopupPreview, self._run(self._plans.call("topup_fiat_preview", query=query)))

    def cancel(self, topup_id: str) -> api.TopupRequestResponse:
        """While the provider was not asked to collect; after that `Refused` with `invalid_state`. A repeat answers the same."""
        return cast(api.TopupRequestResponse, self._run(self._plans.call("topup_fiat_cancel", {"id": topup_id})))

    def get(self, topup_id: str) -> api.TopupRequestResponse:
        return cast(api.TopupRequestResponse, self._run(self._plans.call("topup_fiat_status", {"id": topup_id})))

    def wait_for_terminal(self, topup_id: str, *, timeout: float = 600.0, every: float = FIRST_LOOK) -> api.TopupRequestResponse:
        look = self._plans.call_of("topup_fiat_status", {"id": topup_id})
        ends = ("completed", "failed")
        return cast(api.TopupRequestResponse, self._run(self._plans.until(look, status_of, ends, timeout, every)))


class Keys(_Operations):
    """Your API keys, and the secret that your callbacks are signed with."""

    def list(
        self, *, skip: Optional[int] = None, limit: Optional[int] = None, search: Optional[str] = None
    ) -> List[api.ApiKeyView]:
        return cast("List[api.ApiKeyView]", self._run(self._plans.call("list_api_keys", query=said(skip=skip, limit=limit, search=search))))

    def rotate(self, key_id: str, *, intent: str, overlap_seconds: int) -> api.ApiKeyView:
        """A successor with the same rights. The answer contains its secret; for a day, the same `intent` returns it again."""
        body = {"overlap_seconds": overlap_seconds}
        return cast(api.ApiKeyView, self._run(self._plans.call_as(intent, "rotate_api_key", {"id": key_id}, body=body)))

    def revoke(self, key_id: str) -> None:
        """Revokes a key at once."""
        self._run(self._plans.call("delete_api_key", {"id": key_id}))

    def rotate_callback_secret(self, partner_id: str, *, intent: str, overlap_seconds: int) -> api.CallbackSecret:
        """A new secret for callbacks; `partner_id` is `id` of `partner()`. The answer contains it; for a day, the same
        `intent` returns it again."""
        body = {"overlap_seconds": overlap_seconds}
        rotation = self._plans.call_as(intent, "rotate_callback_secret", {"partner_id": partner_id}, body=body)
        return cast(api.CallbackSecret, self._run(rotation))


class SettlementClient(_Operations):
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
        """Raises ValueError for invalid options. `Options` describes each of them."""
        super().__init__(Transport(Options(base_url, api_key, api_secret, brand, timeout, attempts, longest_wait)))
        self.keys = Keys(self._transport)
        self.settlements = Settlements(self._transport)
        self.batches = Batches(self._transport)
        self.events = Events(self._transport)
        self.event_destinations = EventDestinations(self._transport)
        self.callbacks = Callbacks(self._transport)
        self.prices = Prices(self._transport)
        self.members = Members(self._transport)
        self.withdrawals = Withdrawals(self._transport)
        self.topups = Topups(self._transport)

    def transactions(
        self,
        *,
        type: Optional[Literal["settlement", "withdrawal", "topup"]] = None,
        status: Optional[Literal["quoted", "processing", "executed", "failed", "cancelled", "pending", "completed"]] = None,
        external_id: Optional[str] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
    ) -> Iterator[api.Transaction]:
        """Settlements, withdrawals and top-ups that match, newest first, read page by page as you iterate."""
        query = said(type=type, status=status, external_id=external_id, created_from=created_from, created_to=created_to)
        return self._walk("get_all_transactions", query, of_items)

    def call(
        self,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"],
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[object] = None,
        intent: Optional[str] = None,
    ) -> Any:
        """Any operation without a method of its own, by HTTP method and path. Without an `intent`, a POST gets a new
        idempotency key, which its attempts share.
        """
        surface = "settlement" if path.startswith("/api/v1/") else "partner"
        return self._run(self._plans.send(Call(surface, method, path, query=query, body=body), intent))

    def partner(self) -> api.Partner:
        """Your own partner: `wallet_address` is your Safe, `charge_fee_percentage` your fee on withdrawals and top-ups."""
        return cast(api.Partner, self._run(self._plans.call("current_partner")))

    def time(self) -> Any:
        """The service's clock, unsigned."""
        return self._run(self._plans.call("get_time"))

    def public_keys(self, partner_id: Optional[str] = None) -> Any:
        """The public keys for verifying proofs, unsigned; with your partner id (`id` of `GET /partners/current`) those
        of your callbacks as well. Take the id from your settings: another partner's keys verify that partner's
        callbacks.
        """
        return self._run(self._plans.call("get_jwks", query={"partner": partner_id}))

    def proof_status(self, proof: str) -> Any:
        """Whether a quote or a receipt is still valid, for anyone who has it. Unsigned."""
        return self._run(self._plans.call("get_proof_status", body={"proof": proof}))

    def echo(self, body: Optional[object] = None) -> Any:
        """Tests key, clock and signature: returns what the service read of a signed request."""
        return self._run(self._plans.call("echo", body={} if body is None else body))
