# call METHOD PATH [BODY [IDEMPOTENCY_KEY]]: a signed request; prints the answer's body.
call() {
  local method=$1 path=$2 body=${3-} key=${4-} timestamp nonce signature
  timestamp=$(date +%s)
  nonce=$(openssl rand -hex 16 |
    sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12})/\1-\2-4\3-a\4-\5/')
  signature=$(printf '%s\n%s\n%s\n%s\n%s' "$timestamp" "$method" "$path" "" "$body" |
    openssl dgst -sha256 -hmac "$API_SECRET" | sed 's/^.*= //')
  curl -sS --fail-with-body -X "$method" "$SETTLEMENT_URL$path" \
    -H "KEY_HEADER: $API_KEY" \
    -H "Content-Type: application/json" \
    -H "X-Service-Timestamp: $timestamp" \
    -H "X-Service-Nonce: $nonce" \
    -H "X-Service-Signature: $signature" \
    ${key:+-H "Idempotency-Key: $key"} \
    ${body:+--data-raw "$body"}
}

# field NAME: the first value of that name in the JSON on standard input.
field() {
  grep -o "\"$1\":\"\{0,1\}[^\",}]*" | head -n 1 | sed "s/\"$1\":\"\{0,1\}//"
}
