#!/usr/bin/env bash
# Signs a request to the settlement service and sends it. Needs bash, openssl and curl.
#
#   API_KEY=... API_SECRET=... sign.sh METHOD BASE_URL PATH[?QUERY] [BODY]
#   sign.sh --vectors docs/signing-vectors.json
#
# The HTTP status goes to stderr, the answer's body to stdout. BRAND (default Service) names the X-<BRAND>-... headers;
# IDEMPOTENCY_KEY, when set, is sent along.
set -euo pipefail

usage() {
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

# sign SECRET TIMESTAMP METHOD PATH QUERY BODY: the hex HMAC-SHA256 of the five components, each but the last followed by a newline.
sign() {
  printf '%s\n%s\n%s\n%s\n%s' "$2" "$3" "$4" "$5" "$6" | openssl dgst -sha256 -hmac "$1" | sed 's/^.*= *//'
}

# A version 4 UUID from 16 random bytes.
uuid4() {
  local hex
  hex=$(openssl rand -hex 16)
  local variants=89ab
  printf '%s-%s-4%s-%s%s-%s\n' "${hex:0:8}" "${hex:8:4}" "${hex:13:3}" "${variants:$((16#${hex:16:1} % 4)):1}" "${hex:17:3}" "${hex:20:12}"
}

send() {
  local method base_url=${2%/} target=$3 body=${4-} path query='' timestamp signature brand=${BRAND:-Service}
  method=$(printf '%s' "$1" | tr '[:lower:]' '[:upper:]')
  path=${target%%\?*}
  case $target in *\?*) query=${target#*\?} ;; esac
  timestamp=$(date +%s)
  signature=$(sign "$API_SECRET" "$timestamp" "$method" "$path" "$query" "$body")
  local options=(--silent --show-error --globoff --path-as-is --max-time 60 --request "$method")
  [ -n "${IDEMPOTENCY_KEY:-}" ] && options+=(--header "Idempotency-Key: $IDEMPOTENCY_KEY")
  if [ -n "$body" ]; then options+=(--data-raw "$body"); fi
  curl "${options[@]}" \
    --header "Authorization: $API_KEY" \
    --header "Content-Type: application/json" \
    --header "X-$brand-Timestamp: $timestamp" \
    --header "X-$brand-Nonce: $(uuid4)" \
    --header "X-$brand-Signature: $signature" \
    --write-out '%{stderr}%{http_code}\n' "$base_url$target"
}

# Reads `"NAME": "VALUE",` lines of the vectors file, whose escapes printf undoes; VALUE is left in the variable NAME.
check_vectors() {
  local line key value name='' secret='' timestamp='' method='' path='' query='' body='' total=0 wrong=0
  local pattern='^ *"(name|secret|timestamp|method|path|query|body|signature)": "(.*)",?$'
  while IFS= read -r line; do
    [[ $line =~ $pattern ]] || continue
    key=${BASH_REMATCH[1]}
    # printf knows \n and \t; a doubled backslash and a quote it would leave as they are.
    value=${BASH_REMATCH[2]//\\\\/\\0134}
    printf -v value '%b' "${value//\\\"/\"}"
    printf -v "$key" '%s' "$value"
    [ "$key" = signature ] || continue
    total=$((total + 1))
    if [ "$(sign "$secret" "$timestamp" "$method" "$path" "$query" "$body")" != "$value" ]; then
      printf 'mismatch: %s\n' "$name" >&2
      wrong=$((wrong + 1))
    fi
  done <"$1"
  printf '%s of %s vectors match\n' "$((total - wrong))" "$total"
  [ "$wrong" -eq 0 ] && [ "$total" -gt 0 ]
}

if [ "${1-}" = --vectors ] && [ $# -eq 2 ]; then
  check_vectors "$2"
  exit
fi
if [ $# -lt 3 ] || [ $# -gt 4 ]; then usage; fi
: "${API_KEY:?is not set}" "${API_SECRET:?is not set}"
send "$@"
