#!/usr/bin/env bash
# --- 1. See what can be paid out, and from where
set -euo pipefail

# call METHOD PATH [BODY]: a signed request; prints the answer's body.
call() {
  local method=$1 path=$2 body=${3-} timestamp nonce signature
  timestamp=$(date +%s)
  nonce=$(openssl rand -hex 16 |
    sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12})/\1-\2-4\3-a\4-\5/')
  signature=$(printf '%s\n%s\n%s\n%s\n%s' "$timestamp" "$method" "$path" "" "$body" |
    openssl dgst -sha256 -hmac "$API_SECRET" | sed 's/^.*= //')
  curl -sS --fail-with-body -X "$method" "$SETTLEMENT_URL$path" \
    -H "apiKey: $API_KEY" \
    -H "Content-Type: application/json" \
    -H "X-Service-Timestamp: $timestamp" \
    -H "X-Service-Nonce: $nonce" \
    -H "X-Service-Signature: $signature" \
    ${body:+--data-raw "$body"}
}

# field NAME: the first value of that name in the JSON on standard input.
field() {
  grep -o "\"$1\":\"\{0,1\}[^\",}]*" | head -n 1 | sed "s/\"$1\":\"\{0,1\}//"
}

WALLET=$(call GET /partners/current | field wallet_address)
POOL=$(call GET /partners/transactions/withdraw-fiat/pool | grep -o '{"currency":"KES"[^}]*}')
echo "1. out of the Safe $WALLET: from $(field minimum <<<"$POOL") minor units of $(field currency <<<"$POOL")"

# --- 2. Listen for the callback
# A shell cannot listen, so Node replaces your web server: it writes each request to a file.
INBOX=$(mktemp -d)
node -e '
  const { writeFileSync } = require("node:fs");
  const inbox = process.argv[1] + "/";
  const server = require("node:http").createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part)).on("end", () => {
      response.end();
      writeFileSync(inbox + "headers", Object.entries(request.headers).map((one) => one.join(": ")).join("\n"));
      writeFileSync(inbox + "body", Buffer.concat(parts));
      server.close();
    });
  });
  server.listen(0, "127.0.0.1", () => writeFileSync(inbox + "port", String(server.address().port)));
' "$INBOX" &
RECEIVER=$!
until [ -s "$INBOX/port" ]; do sleep 0.1; done
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
wait "$RECEIVER"
header() { sed -n "s/^$1: //p" "$INBOX/headers"; }

KEY=$(printf '%s' "${CALLBACK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
EXPECTED=v1,$({ printf '%s.%s.' "$(header webhook-id)" "$(header webhook-timestamp)"; cat "$INBOX/body"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)
AGE=$(($(date +%s) - $(header webhook-timestamp)))
case " $(header webhook-signature) " in
  *" $EXPECTED "*) [ "${AGE#-}" -le 300 ] ;;
  *) false ;;
esac
EVENT=$(field event <"$INBOX/body")
case "$EVENT" in
  withdrawal.completed) echo "5. $EVENT: $(field amount <"$INBOX/body") $(field currency <"$INBOX/body") to $(field name <"$INBOX/body")" ;;
  withdrawal.failed) echo "5. $EVENT: $(field failure_reason <"$INBOX/body") Given back by $(field return_tx_hash <"$INBOX/body")" ;;
esac
