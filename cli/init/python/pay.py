from dataclasses import dataclass

from settlement_sdk import SettlementClient


@dataclass(frozen=True)
class Order:
    """An order of yours. `amount` is in minor units: 250000 is 2,500.00. `wallet` gets the crypto."""

    id: str
    amount: int
    merchant: str
    wallet: str


def pay(client: SettlementClient, order: Order, callback_url: str) -> str:
    """Pays an order and returns the settlement's id. The order's id makes a repeat safe: after a crash or a lost answer,
    call this again with the same order, and it still pays once."""
    pair = client.prices.pairs()[0]
    quote = client.settlements.create(
        {
            "source_amount": order.amount,
            "source_currency": pair["source_currency"],
            "destination_currency": pair["destination_currency"],
            "chain": pair["chain"],
            "external_merchant_id": order.merchant,
            "wallet_address": order.wallet,
        },
        intent=order.id,
    )
    # Show the quote to your merchant here if they decide. The service confirms only the amount that you expect.
    client.settlements.confirm(
        quote["tx_id"],
        external_tx_id=order.id,
        expected_destination_amount=quote["destination_amount"],
        callback_url=callback_url,
    )
    return quote["tx_id"]
