# --- 1. See what can be paid out, and from where
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue

from settlement_sdk import AnyCallback, CallbackRefused, SettlementClient, verify_callback

client = SettlementClient(os.environ["SETTLEMENT_URL"], os.environ["API_KEY"], os.environ["API_SECRET"])

wallet_address = client.partner()["wallet_address"]
pool = next(pool for pool in client.withdrawals.pools() if pool["currency"] == "KES")
print(f"1. out of the Safe {wallet_address}: from {pool['minimum']} minor units of {pool['currency']}")

# --- 2. Listen for the callback
# <part listen>
callback_url = f"http://127.0.0.1:{receiver.server_port}/callbacks"
print("2. listening")

# --- 3. Ask for the withdrawal
# The external_id is your own id, stored before you ask:
# a repeat with it, after a crash for example, is the same withdrawal.
withdrawal = client.withdrawals.create(
    {
        "external_id": f"payout-{time.time_ns()}",
        "amount": 123_400,  # KES 1,234.00
        "currency": "KES",
        "source_currency": "USDT",
        "chain": "eip155:31337",
        "destination": {
            "type": "mobile_money",
            "account": "+254712345678",
            "name": "Wanjiru Kamau",
        },
        "callback_url": callback_url,
    }
)
print(f"3. {withdrawal['status']}: {withdrawal['source_amount']} {withdrawal['source_currency']} to be taken, as {withdrawal['id']}")

# --- 4. See it end
ended = client.withdrawals.wait_for_terminal(withdrawal["id"])
print(f"4. {ended['status']}: taken by {ended['tx_hash']}, paid as {ended['provider_reference']}")

# --- 5. Read the verified callback
callback = verified.get(timeout=60)
receiver.shutdown()
if callback.event == "withdrawal.completed":
    body = callback.body
    print(f"5. {callback.event}: {body['amount']} {body['currency']} to {body['destination']['name']}")
elif callback.event == "withdrawal.failed":
    print(f"5. {callback.event}: {callback.body['failure_reason']} Given back by {callback.body['return_tx_hash']}")
