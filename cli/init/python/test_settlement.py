import threading
import time
import unittest
from typing import Dict, List, Tuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from pay import Order, pay
from receiver import Receiver
from settings import SETTINGS, create_client
from settlement_sdk import AnyCallback


class KeepingReceiver(Receiver):
    """Keeps what it received, so that the tests can send it again."""

    def __init__(self) -> None:
        self.callbacks: List[AnyCallback] = []
        self.deliveries: List[Tuple[Dict[str, str], bytes]] = []
        super().__init__(SETTINGS["CALLBACK_SECRET"], self.callbacks.append)

    def receive(self, headers: Dict[str, str], body: bytes) -> None:
        self.deliveries.append((headers, body))
        super().receive(headers, body)


class SettlementTest(unittest.TestCase):
    """The sandbox pays this order on its own chain, and calls this receiver."""

    def setUp(self) -> None:
        self.receiver = KeepingReceiver()
        threading.Thread(target=self.receiver.serve_forever, daemon=True).start()
        self.client = create_client()
        self.order = Order(f"order-{time.time_ns()}", 250_000, "shop-1", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
        self.tx_id = pay(self.client, self.order, self.receiver.url)

    def tearDown(self) -> None:
        self.receiver.shutdown()
        self.receiver.server_close()

    def test_an_order_is_paid_once_and_its_callback_arrives(self) -> None:
        self.assertEqual(pay(self.client, self.order, self.receiver.url), self.tx_id)
        settlement = self.client.settlements.wait_for_terminal(self.tx_id)
        self.assertEqual(settlement["status"], "executed")
        self.assertEqual(self.arrived().event, "settlement.executed")
        paid = self.client.settlements.list(external_tx_id=self.order.id)
        self.assertEqual([each["tx_id"] for each in paid], [self.tx_id])

    def test_a_copy_of_a_callback_changes_nothing(self) -> None:
        self.arrived()
        self.assertEqual(self.post(*self.receiver.deliveries[0]), 200)
        self.assertEqual(len(self.receiver.callbacks), 1)

    def test_of_two_copies_at_the_same_time_one_is_handled(self) -> None:
        self.arrived()
        handled: List[AnyCallback] = []

        def handle(callback: AnyCallback) -> None:
            time.sleep(0.1)
            handled.append(callback)

        slow = Receiver(SETTINGS["CALLBACK_SECRET"], handle)
        copies = [threading.Thread(target=slow.receive, args=self.receiver.deliveries[0]) for _ in range(2)]
        for copy in copies:
            copy.start()
        for copy in copies:
            copy.join()
        slow.server_close()
        self.assertEqual(len(handled), 1)

    def test_a_forged_callback_is_refused(self) -> None:
        self.arrived()
        headers, body = self.receiver.deliveries[0]
        self.assertEqual(self.post(headers, body.replace(b"executed", b"failed")), 400)
        self.assertEqual(self.post({}, body), 400)
        self.assertEqual(len(self.receiver.callbacks), 1)

    def arrived(self) -> AnyCallback:
        """The callback, within 30 s."""
        for _ in range(300):
            if self.receiver.callbacks:
                return self.receiver.callbacks[0]
            time.sleep(0.1)
        raise AssertionError("no callback came within 30 s")

    def post(self, headers: Dict[str, str], body: bytes) -> int:
        """Sends what a callback sends, and returns the status of the answer."""
        signed = {name: value for name, value in headers.items() if name.lower().startswith("webhook-")}
        try:
            with urlopen(Request(self.receiver.url, body, signed), timeout=10) as answer:
                return int(answer.status)
        except HTTPError as error:
            error.close()
            return error.code


if __name__ == "__main__":
    unittest.main()
