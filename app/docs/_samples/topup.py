# --- 1. A member, and its Safe
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue

from settlement_sdk import AnyCallback, CallbackRefused, SettlementClient, verify_callback

client = SettlementClient(os.environ["SETTLEMENT_URL"], os.environ["API_KEY"], os.environ["API_SECRET"])

# The external_user_id is your own id: created again with the same values, it is the same member.
client.members.create({"external_user_id": "user-1001", "phone": "+254712345678", "name": "Wanjiru Kamau"})
member = client.members.wait_for_safe("user-1001")
print(f"1. {member['external_user_id']} has the Safe {member['wallet_address']}")

# --- 2. Listen for the callback
# <part listen>
callback_url = f"http://127.0.0.1:{receiver.server_port}/callbacks"
print("2. listening")

# --- 3. Ask for the top-up, and tell the payer what to do
# The external_id is your own id, stored before you ask:
# a repeat with it, after a crash for example, is the same top-up.
topup = client.topups.create(
    {
        "external_id": f"topup-{time.time_ns()}",
        "external_user_id": "user-1001",
        "amount": 250_000,  # KES 2,500.00
        "currency": "KES",
        "destination_currency": "USDT",
        "chain": "eip155:31337",
        "source": {"type": "mobile_money", "account": "+254712345678"},
        "callback_url": callback_url,
    }
)
print(f"3. {topup['status']}: {topup['destination_amount']} {topup['destination_currency']} to be sent, as {topup['id']}")
print(f"   to the payer: {topup['payment']['instructions']}")

# --- 4. See it end
ended = client.topups.wait_for_terminal(topup["id"])
print(f"4. {ended['status']}: sent by {ended['tx_hash']}, collected as {ended['provider_reference']}")

# --- 5. Read the verified callback
callback = verified.get(timeout=60)
receiver.shutdown()
if callback.event == "topup.completed":
    body = callback.body
    print(f"5. {callback.event}: {body['destination_amount']} {body['destination_currency']} in {body['wallet_address']}")
elif callback.event == "topup.failed":
    print(f"5. {callback.event}: {callback.body['failure_reason']}")
