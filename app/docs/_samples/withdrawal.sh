#!/usr/bin/env bash
# --- 1. See what can be paid out, and from where
set -euo pipefail

# <part call>

WALLET=$(call GET /partners/current | field wallet_address)
POOL=$(call GET /partners/transactions/withdraw-fiat/pool | grep -o '{"currency":"KES"[^}]*}')
echo "1. out of the Safe $WALLET: from $(field minimum <<<"$POOL") minor units of $(field currency <<<"$POOL")"

# --- 2. Listen for the callback
# <part listen>
CALLBACK_URL=http://127.0.0.1:$(cat "$INBOX/port")/callbacks
echo "2. listening"

# --- 3. Ask for the withdrawal
# The external_id is your own id, stored before you ask:
# a repeat with it, after a crash for example, is the same withdrawal.
WITHDRAWAL=$(call POST /partners/transactions/withdraw-fiat '{
  "external_id": "payout-'"$(date +%s)-$$"'",
  "amount": 123400,
  "currency": "KES",
  "source_currency": "USDT",
  "chain": "eip155:31337",
  "destination": {
    "type": "mobile_money",
    "account": "+254712345678",
    "name": "Wanjiru Kamau"
  },
  "callback_url": "'"$CALLBACK_URL"'"
}')
ID=$(field id <<<"$WITHDRAWAL")
AMOUNT=$(field source_amount <<<"$WITHDRAWAL")
echo "3. $(field status <<<"$WITHDRAWAL"): $AMOUNT $(field source_currency <<<"$WITHDRAWAL") to be taken, as $ID"

# --- 4. See it end
ENDED=$WITHDRAWAL
until [[ "$(field status <<<"$ENDED")" =~ ^(completed|failed)$ ]]; do
  sleep 1
  ENDED=$(call GET "/partners/transactions/withdraw-fiat/$ID")
done
echo "4. $(field status <<<"$ENDED"): taken by $(field tx_hash <<<"$ENDED"), paid as $(field provider_reference <<<"$ENDED")"

# --- 5. Read the verified callback
# <part verify>
EVENT=$(field event <"$INBOX/body")
case "$EVENT" in
  withdrawal.completed) echo "5. $EVENT: $(field amount <"$INBOX/body") $(field currency <"$INBOX/body") to $(field name <"$INBOX/body")" ;;
  withdrawal.failed) echo "5. $EVENT: $(field failure_reason <"$INBOX/body") Given back by $(field return_tx_hash <"$INBOX/body")" ;;
esac
