# --- 1. Sign a request: settlement_sdk does it
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue

from settlement_sdk import AnyCallback, CallbackRefused, SettlementClient, verify_callback

client = SettlementClient(os.environ["SETTLEMENT_URL"], os.environ["API_KEY"], os.environ["API_SECRET"])

pair = client.prices.pairs()[0]
source, destination, chain = pair["source_currency"], pair["destination_currency"], pair["chain"]
minimum = pair["minimum_source_amount"]
print(f"1. signed: {source} to {destination} on {chain}, from {minimum} minor units")

# --- 2. Get a quote
# The intent is your id of the order: a repeat with it, after a crash for example, returns the same quote.
order = f"order-{time.time_ns()}"
quote = client.settlements.create(
    {
        "source_amount": minimum * 10,
        "source_currency": source,
        "destination_currency": destination,
        "chain": chain,
        "external_merchant_id": "shop-1",
        "wallet_address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    },
    intent=order,
)
tx_id, amount = quote["tx_id"], quote["destination_amount"]
print(f"2. quoted: {amount} {destination} until {quote['expires_at']}, as {tx_id}")

# --- 3. Confirm it, and say where to call back
# <part listen>

confirmed = client.settlements.confirm(
    tx_id,
    external_tx_id=order,
    expected_destination_amount=amount,
    callback_url=f"http://127.0.0.1:{receiver.server_port}/callbacks",
)
print(f"3. confirmed: {confirmed['status']}")

# --- 4. See it paid
settlement = client.settlements.wait_for_terminal(tx_id)
print(f"4. {settlement['status']}: {settlement.get('tx_hash')}")

# --- 5. Verify the callback
# The receiver of step 3 did this.
callback = verified.get(timeout=60)
print(f"5. callback verified: {callback.body['status']}")
receiver.shutdown()
