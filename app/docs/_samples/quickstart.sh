#!/usr/bin/env bash
# --- 1. Sign a request: bash, curl and openssl
set -euo pipefail

# <part call>

PAIRS=$(call GET /api/v1/pairs)
SOURCE=$(field source_currency <<<"$PAIRS")
DESTINATION=$(field destination_currency <<<"$PAIRS")
CHAIN=$(field chain <<<"$PAIRS")
MINIMUM=$(field minimum_source_amount <<<"$PAIRS")
echo "1. signed: $SOURCE to $DESTINATION on $CHAIN, from $MINIMUM minor units"

# --- 2. Get a quote
# Your id of the order is the Idempotency-Key: a repeat with it, after a crash for example, returns the same quote.
ORDER="order-$(date +%s)-$$"
QUOTE=$(call POST /api/v1/settlements '{
  "source_amount": '$((MINIMUM * 10))',
  "source_currency": "'"$SOURCE"'",
  "destination_currency": "'"$DESTINATION"'",
  "chain": "'"$CHAIN"'",
  "external_merchant_id": "shop-1",
  "wallet_address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
}' "$ORDER")
TX_ID=$(field tx_id <<<"$QUOTE")
AMOUNT=$(field destination_amount <<<"$QUOTE")
echo "2. quoted: $AMOUNT $DESTINATION until $(field expires_at <<<"$QUOTE"), as $TX_ID"

# --- 3. Confirm it, and say where to call back
# <part listen>

CONFIRMED=$(call POST "/api/v1/settlements/$TX_ID/confirm" '{
  "external_tx_id": "'"$ORDER"'",
  "expected_destination_amount": '"$AMOUNT"',
  "callback_url": "http://127.0.0.1:'"$(cat "$INBOX/port")"'/callbacks"
}')
echo "3. confirmed: $(field status <<<"$CONFIRMED")"

# --- 4. See it paid
STATUS=processing
while [ "$STATUS" = processing ]; do
  sleep 1
  SETTLEMENT=$(call GET "/api/v1/settlements/$TX_ID")
  STATUS=$(field status <<<"$SETTLEMENT")
done
echo "4. $STATUS: $(field tx_hash <<<"$SETTLEMENT")"

# --- 5. Verify the callback
# <part verify>
echo "5. callback verified: $(field status <"$INBOX/body")"
