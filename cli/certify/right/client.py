"""A correct client with the Python SDK: it settles ORDER under ORDER_ID exactly once, however often it is started."""

import json
import os
import sys
import time
from urllib.parse import parse_qsl

from settlement_sdk import SettlementClient, SettlementError

APPROVAL_SECONDS = 20
given = os.environ
client = SettlementClient(given["SETTLEMENT_URL"], given["API_KEY"], given["API_SECRET"])
try:
    if "QUERY" in given:
        next(client.settlements.list(**dict(parse_qsl(given["QUERY"]))), None)
    quote = client.settlements.create(json.loads(given["ORDER"]), intent=given["ORDER_ID"])
    # An approval prices again, so the price is read after it.
    for _ in range(APPROVAL_SECONDS):
        if quote["approval_state"] != "pending":
            break
        time.sleep(1)
        quote = client.settlements.get(quote["tx_id"])
    client.settlements.confirm(
        quote["tx_id"],
        external_tx_id=given["ORDER_ID"],
        expected_destination_amount=quote["destination_amount"],
        callback_url=given["CALLBACK_URL"],
    )
    settlement = client.settlements.wait_for_terminal(quote["tx_id"])
except SettlementError as error:
    # A person must look at a refusal.
    sys.exit(str(error))
sys.exit(0 if settlement["status"] == "executed" else 1)
