"""A correct client with the Python SDK: it settles ORDER under ORDER_ID exactly once, however often it is started."""

import json
import os
import sys

from settlement_sdk import SettlementClient, SettlementError

given = os.environ
client = SettlementClient(given["SETTLEMENT_URL"], given["API_KEY"], given["API_SECRET"])
try:
    quote = client.settlements.create(json.loads(given["ORDER"]), intent=given["ORDER_ID"])
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
