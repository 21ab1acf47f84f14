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
