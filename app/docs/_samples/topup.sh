#!/usr/bin/env bash
# --- 1. A member, and its Safe
set -euo pipefail

# <part call>

# The external_user_id is your own id: created again with the same values, it is the same member.
MEMBER=$(call POST /partners/members '{"external_user_id": "user-1001", "phone": "+254712345678", "name": "Wanjiru Kamau"}')
until [ "$(field safe_status <<<"$MEMBER")" = deployed ]; do
  sleep 1
  MEMBER=$(call GET /partners/members/user-1001)
done
echo "1. $(field external_user_id <<<"$MEMBER") has the Safe $(field wallet_address <<<"$MEMBER")"

# --- 2. Listen for the callback
# <part listen>
CALLBACK_URL=http://127.0.0.1:$(cat "$INBOX/port")/callbacks
echo "2. listening"

# --- 3. Ask for the top-up, and tell the payer what to do
# The external_id is your own id, stored before you ask:
# a repeat with it, after a crash for example, is the same top-up.
TOPUP=$(call POST /partners/transactions/topup-fiat '{
  "external_id": "topup-'"$(date +%s)-$$"'",
  "external_user_id": "user-1001",
  "amount": 250000,
  "currency": "KES",
  "destination_currency": "USDT",
  "chain": "eip155:31337",
  "source": {"type": "mobile_money", "account": "+254712345678"},
  "callback_url": "'"$CALLBACK_URL"'"
}')
ID=$(field id <<<"$TOPUP")
AMOUNT=$(field destination_amount <<<"$TOPUP")
echo "3. $(field status <<<"$TOPUP"): $AMOUNT $(field destination_currency <<<"$TOPUP") to be sent, as $ID"
echo "   to the payer: $(field instructions <<<"$TOPUP")"

# --- 4. See it end
ENDED=$TOPUP
until [[ "$(field status <<<"$ENDED")" =~ ^(completed|failed)$ ]]; do
  sleep 1
  ENDED=$(call GET "/partners/transactions/topup-fiat/$ID")
done
echo "4. $(field status <<<"$ENDED"): sent by $(field tx_hash <<<"$ENDED"), collected as $(field provider_reference <<<"$ENDED")"

# --- 5. Read the verified callback
# <part verify>
EVENT=$(field event <"$INBOX/body")
case "$EVENT" in
  topup.completed) echo "5. $EVENT: $(field destination_amount <"$INBOX/body") $(field destination_currency <"$INBOX/body") in $(field wallet_address <"$INBOX/body")" ;;
  topup.failed) echo "5. $EVENT: $(field failure_reason <"$INBOX/body")" ;;
esac
