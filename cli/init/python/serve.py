import os

from receiver import Receiver
from settings import SETTINGS
from settlement_sdk import AnyCallback


def handle(callback: AnyCallback) -> None:
    """Your work goes here."""
    print(f"{callback.event}: {callback.id}", flush=True)


receiver = Receiver(SETTINGS["CALLBACK_SECRET"], handle, int(os.environ.get("PORT", "8080")))
print(f"Waiting at {receiver.url}", flush=True)
receiver.serve_forever()
