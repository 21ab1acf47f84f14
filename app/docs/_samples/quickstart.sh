#!/usr/bin/env bash
# --- 1. Sign a request: bash, curl and openssl
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
    -H "Authorization: $API_KEY" \
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

PAIRS=$(call GET /api/v1/pairs)
SOURCE=$(field source_currency <<<"$PAIRS")
DESTINATION=$(field destination_currency <<<"$PAIRS")
CHAIN=$(field chain <<<"$PAIRS")
MINIMUM=$(field minimum_source_amount <<<"$PAIRS")
echo "1. signed: $SOURCE to $DESTINATION on $CHAIN, from $MINIMUM minor units"

# --- 2. Get a quote
QUOTE=$(call POST /api/v1/settlements '{
  "source_amount": '$((MINIMUM * 10))',
  "source_currency": "'"$SOURCE"'",
  "destination_currency": "'"$DESTINATION"'",
  "chain": "'"$CHAIN"'",
  "external_merchant_id": "shop-1",
  "wallet_address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
}')
TX_ID=$(field tx_id <<<"$QUOTE")
AMOUNT=$(field destination_amount <<<"$QUOTE")
echo "2. quoted: $AMOUNT $DESTINATION until $(field expires_at <<<"$QUOTE"), as $TX_ID"

# --- 3. Confirm it, and say where to call back
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

CONFIRMED=$(call POST "/api/v1/settlements/$TX_ID/confirm" '{
  "external_tx_id": "order-'"$TX_ID"'",
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
echo "5. callback verified: $(field status <"$INBOX/body")"
