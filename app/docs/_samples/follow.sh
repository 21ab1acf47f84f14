#!/usr/bin/env bash
# --- 1. Say where events go: bash, curl and openssl
set -euo pipefail

# <part call>

# A shell cannot listen, so Node replaces your web server: it writes each request to files.
INBOX=$(mktemp -d)
node -e '
  const { writeFileSync } = require("node:fs");
  const inbox = process.argv[1] + "/";
  const server = require("node:http").createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part)).on("end", () => {
      response.end();
      const id = request.headers["webhook-id"];
      writeFileSync(inbox + id + ".headers", Object.entries(request.headers).map((one) => one.join(": ")).join("\n"));
      writeFileSync(inbox + id + ".body", Buffer.concat(parts));
    });
  });
  server.listen(0, "127.0.0.1", () => writeFileSync(inbox + "port", String(server.address().port)));
' "$INBOX" &
RECEIVER=$!
trap 'kill "$RECEIVER"' EXIT
until [ -s "$INBOX/port" ]; do sleep 0.1; done

DESTINATION=$(call POST /api/v1/event-destinations '{
  "type": "webhook",
  "url": "http://127.0.0.1:'"$(cat "$INBOX/port")"'/events",
  "types": ["settlement.*"]
}')
ID=$(field id <<<"$DESTINATION")
# Shown this once: keep it with your other secrets.
SECRET=$(field secret <<<"$DESTINATION")
echo "1. $ID is $(field status <<<"$DESTINATION")"

# --- 2. Test it
DELIVERED=null
call POST "/api/v1/event-destinations/$ID/test" >"$INBOX/test"
while [ "$DELIVERED" = null ]; do
  sleep 0.5
  DELIVERED=$(call GET "/api/v1/event-destinations/$ID" | field delivered)
done
echo "2. test event delivered: $DELIVERED"

# --- 3. Change something
PAIRS=$(call GET /api/v1/pairs)
QUOTE=$(call POST /api/v1/settlements '{
  "source_amount": '$(($(field minimum_source_amount <<<"$PAIRS") * 10))',
  "source_currency": "'"$(field source_currency <<<"$PAIRS")"'",
  "destination_currency": "'"$(field destination_currency <<<"$PAIRS")"'",
  "chain": "'"$(field chain <<<"$PAIRS")"'",
  "external_merchant_id": "shop-1",
  "wallet_address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
}')
TX_ID=$(field tx_id <<<"$QUOTE")
echo "3. quoted: $TX_ID"

# --- 4. Verify its event
until BODY=$(grep -l "\"object_id\":\"$TX_ID\"" "$INBOX"/*.body); do sleep 0.1; done
header() { sed -n "s/^$1: //p" "${BODY%.body}.headers"; }
KEY=$(printf '%s' "${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
EXPECTED=v1,$({ printf '%s.%s.' "$(header webhook-id)" "$(header webhook-timestamp)"; cat "$BODY"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)
AGE=$(($(date +%s) - $(header webhook-timestamp)))
case " $(header webhook-signature) " in
  *" $EXPECTED "*) [ "${AGE#-}" -le 300 ] ;;
  *) false ;;
esac
# Do the work once for each id, and ignore a version that is older than the one you have.
echo "4. verified: $(field type <"$BODY"), version $(field version <"$BODY")"

# --- 5. Read it again
EVENT=$(call GET "/api/v1/events/$(header webhook-id)")
call DELETE "/api/v1/event-destinations/$ID"
echo "5. read: $(field type <<<"$EVENT") of $(field object_id <<<"$EVENT")"
