# --- 1. Say where events go: settlement_sdk signs the request
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue

from settlement_sdk import CallbackRefused, Event, SettlementClient, verify_event

client = SettlementClient(os.environ["SETTLEMENT_URL"], os.environ["API_KEY"], os.environ["API_SECRET"])
verified: "Queue[Event]" = Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            # Verifies the raw bytes: it raises unless they are ours and fresh.
            verified.put(verify_event(self.headers, body, secret))
            self.send_response(200)
        except CallbackRefused:
            self.send_response(400)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
destination = client.event_destinations.create(
    {"type": "webhook", "url": f"http://127.0.0.1:{receiver.server_port}/events", "types": ["settlement.*"]},
    intent=f"events-{time.time_ns()}",
)
# Shown this once: keep it with your other secrets.
secret, destination_id = destination["secret"], destination["id"]
threading.Thread(target=receiver.serve_forever, daemon=True).start()
print(f"1. {destination_id} is {destination['status']}")

# --- 2. Test it
test = client.event_destinations.test(destination_id)["last_test"]
while test is None or test["ended_at"] is None:
    time.sleep(0.5)
    test = client.event_destinations.get(destination_id)["last_test"]
print(f"2. test event delivered: {str(test['delivered']).lower()}")

# --- 3. Change something
pair = client.prices.pairs()[0]
quote = client.settlements.create(
    {
        "source_amount": pair["minimum_source_amount"] * 10,
        "source_currency": pair["source_currency"],
        "destination_currency": pair["destination_currency"],
        "chain": pair["chain"],
        "external_merchant_id": "shop-1",
        "wallet_address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    },
    intent=f"order-{time.time_ns()}",
)
print(f"3. quoted: {quote['tx_id']}")

# --- 4. Verify its event
# The receiver of step 1 did this. Do the work once for each id, and ignore a version that is older than the one you have.
event = verified.get(timeout=60)
while event["object_id"] != quote["tx_id"]:
    event = verified.get(timeout=60)
print(f"4. verified: {event['type']}, version {event['version']}")

# --- 5. Read it again
read = client.events.get(event["id"])
client.event_destinations.delete(destination_id)
receiver.shutdown()
print(f"5. read: {read['type']} of {read['object_id']}")
