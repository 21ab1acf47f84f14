import type { OneTimeSecret } from "../../../_components/dialogs/secret-once.tsx";
import type { IssuedKey } from "./answers.ts";
import type { FIRST_CALL } from "./words.ts";

type Says = typeof FIRST_CALL;

/** What is shown of a new key, the one time. */
export function keyOnce(key: IssuedKey, title: string, says: Says): OneTimeSecret {
  return {
    title,
    values: [
      { label: says.apiKey, variable: "API_KEY", value: key.api_key },
      { label: says.apiSecret, variable: "API_SECRET", value: key.api_secret },
    ],
    curl: signedEcho(key),
    file: fileName(key.name),
  };
}

/** A file name that every system takes. */
function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain === "" ? "api-key" : plain;
}

/** A first signed call, which changes nothing. Key and secret come out of the downloaded file. */
function signedEcho({ name, base_url, brand }: IssuedKey): string {
  return `set -a; . ./${fileName(name)}.env; set +a

BODY='{"hello": "world"}'
TIMESTAMP=$(date +%s)
NONCE=$(openssl rand -hex 16 |
  sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12})/\\1-\\2-4\\3-a\\4-\\5/')
SIGNATURE=$(printf '%s\\n%s\\n%s\\n%s\\n%s' "$TIMESTAMP" POST /api/v1/echo "" "$BODY" |
  openssl dgst -sha256 -hmac "$API_SECRET" | sed 's/^.*= //')

curl -sS ${base_url}/api/v1/echo \\
  -H "Authorization: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "X-${brand}-Timestamp: $TIMESTAMP" \\
  -H "X-${brand}-Nonce: $NONCE" \\
  -H "X-${brand}-Signature: $SIGNATURE" \\
  --data-raw "$BODY"`;
}
