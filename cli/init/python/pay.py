from dataclasses import dataclass

from settlement_sdk import Refused, SettlementClient


@dataclass(frozen=True)
class Order:
    """An order of yours. `amount` is in minor units: 250000 is 2,500.00. `wallet` gets the crypto."""

    id: str
    amount: int
    merchant: str
    wallet: str


def pay(client: SettlementClient, order: Order, callback_url: str) -> str:
    """Pays an order and returns the settlement's id. After a crash or a lost answer, call this again with the same order, at
    any time: it pays once. The service confirms only one settlement with the order's id as external_tx_id."""
    pair = client.prices.pairs()[0]
    # An intent returns the same quote for a day. Once that has expired, a new quote needs a new intent.
    attempt = 1
    while True:
        quote = client.settlements.create(
            {
                "source_amount": order.amount,
                "source_currency": pair["source_currency"],
                "destination_currency": pair["destination_currency"],
                "chain": pair["chain"],
                "external_merchant_id": order.merchant,
                "wallet_address": order.wallet,
            },
            intent=order.id if attempt == 1 else f"{order.id}-{attempt}",
        )
        # Show the quote to your merchant here if they decide. The service confirms only the amount that you expect.
        try:
            client.settlements.confirm(
                quote["tx_id"],
                external_tx_id=order.id,
                expected_destination_amount=quote["destination_amount"],
                callback_url=callback_url,
            )
            return quote["tx_id"]
        except Refused as refused:
            if refused.code != "quote_expired":
                raise
        attempt += 1
