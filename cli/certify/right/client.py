"""A client that holds, built with the Python SDK: it settles ORDER under ORDER_ID, as often as it is started, once."""

import json
import os
import sys

from settlement_sdk import SettlementClient, SettlementError

told = os.environ
client = SettlementClient(told["SETTLEMENT_URL"], told["API_KEY"], told["API_SECRET"])
try:
    quote = client.settlements.create(json.loads(told["ORDER"]), intent=told["ORDER_ID"])
    client.settlements.confirm(
        quote["tx_id"],
        external_tx_id=told["ORDER_ID"],
        expected_destination_amount=quote["destination_amount"],
        callback_url=told["CALLBACK_URL"],
    )
    settlement = client.settlements.wait_for_terminal(quote["tx_id"])
except SettlementError as error:
    # What was refused is a person's to look at.
    sys.exit(str(error))
sys.exit(0 if settlement["status"] == "executed" else 1)
