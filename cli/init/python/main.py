import threading
import time
from queue import Queue

from pay import Order, pay
from receiver import Receiver
from settings import SETTINGS, create_client
from settlement_sdk import AnyCallback

callbacks: "Queue[AnyCallback]" = Queue()
receiver = Receiver(SETTINGS["CALLBACK_SECRET"], callbacks.put)
threading.Thread(target=receiver.serve_forever, daemon=True).start()

order = Order(f"order-{time.time_ns()}", 250_000, "shop-1", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
tx_id = pay(create_client(), order, receiver.url)
print(f"{tx_id}: confirmed for {order.id}")
callback = callbacks.get(timeout=60)
print(f"{callback.event}: {callback.body.get('tx_hash')}")
receiver.shutdown()
