import type { Operation } from "#contract/operation.ts";
import { signedCurl } from "#contract/signed-curl.ts";
import type { Site } from "../_parts/site.ts";

/** The request in all examples. */
export const SAMPLE_SOURCE_AMOUNT = 12_950_000;
export const SAMPLE_SOURCE_CURRENCY = "KES";
export const SAMPLE_WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const CREATE_PATH = "/api/v1/settlements";

/** Over several lines, for readers. Exactly these bytes are signed and sent, line breaks included. */
function createBody({ example }: Site): string {
  const body = {
    source_amount: SAMPLE_SOURCE_AMOUNT,
    source_currency: SAMPLE_SOURCE_CURRENCY,
    destination_currency: example.currency,
    external_merchant_id: "merchant-7",
    chain: example.chain,
    wallet_address: SAMPLE_WALLET,
  };
  return JSON.stringify(body, null, 2);
}

/** A first request for a shell. It works as pasted once the two variables hold a key and its secret. */
export function firstCurl(site: Site): string {
  const { baseUrl, brand } = site;
  const call = signedCurl({ baseUrl, brand, method: "POST", path: CREATE_PATH, body: createBody(site) });
  return `export API_KEY='<API_KEY>' API_SECRET='<API_SECRET>'\n\n${call}`;
}

export const signingString = `1795226400
POST
/api/v1/settlements

{"source_amount":12950000, … }`;

export function nodeSigning({ headers, baseUrl }: Site): string {
  return `import { createHmac, randomUUID } from "node:crypto";

async function call(method, path, query = "", body = "") {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", process.env.API_SECRET)
    .update([timestamp, method, path, query, body].join("\\n"), "utf8")
    .digest("hex");
  return await fetch("${baseUrl}" + path + (query && "?" + query), {
    method,
    body: body || undefined,
    headers: {
      [path.startsWith("/api/v1/") ? "Authorization" : "apiKey"]: process.env.API_KEY,
      "Content-Type": "application/json",
      "${headers.timestamp}": timestamp,
      "${headers.nonce}": randomUUID(),
      "${headers.signature}": signature,
    },
  });
}`;
}

export function pythonSigning({ headers, baseUrl }: Site): string {
  return `import hashlib, hmac, os, time, urllib.request, uuid

def call(method, path, query="", body=b""):
    timestamp = str(int(time.time()))
    message = "\\n".join([timestamp, method, path, query]).encode() + b"\\n" + body
    key_header = "Authorization" if path.startswith("/api/v1/") else "apiKey"
    request = urllib.request.Request(
        "${baseUrl}" + path + ("?" + query if query else ""),
        method=method,
        data=body or None,
        headers={
            key_header: os.environ["API_KEY"],
            "Content-Type": "application/json",
            "${headers.timestamp}": timestamp,
            "${headers.nonce}": str(uuid.uuid4()),
            "${headers.signature}": hmac.new(os.environ["API_SECRET"].encode(), message, hashlib.sha256).hexdigest(),
        },
    )
    # A refusal raises HTTPError: error.read() is the problem document, which names the mistake.
    return urllib.request.urlopen(request)`;
}

export const standardWebhooksVerification = `import { Webhook } from "standardwebhooks";

// body: the raw bytes as received, not parsed and serialised again.
const event = new Webhook(process.env.CALLBACK_SECRET).verify(body, {
  "webhook-id": request.headers["webhook-id"],
  "webhook-timestamp": request.headers["webhook-timestamp"],
  "webhook-signature": request.headers["webhook-signature"],
});`;

export const plainWebhookVerification = `import base64, hashlib, hmac, time

def verify(headers, body: bytes, secret: str) -> bool:
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    message_id, timestamp, signatures = (headers.get(name) or "" for name in names)
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 16):
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    fresh = abs(time.time() - int(timestamp)) <= 300
    return fresh and any(hmac.compare_digest(expected, given.encode()) for given in signatures.split(" "))`;

export function mirroredVerification({ headers }: Site): string {
  const python = (name: string) => `(headers.get("${name}") or "")`;
  return `import hashlib, hmac, time

def verify(headers, path: str, query: str, body: bytes, api_secret: str) -> bool:
    timestamp, signature = ${python(headers.timestamp)}, ${python(headers.signature)}
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 16):
        return False
    message = "\\n".join([timestamp, "POST", path, query]).encode() + b"\\n" + body
    expected = hmac.new(api_secret.encode(), message, hashlib.sha256).hexdigest()
    fresh = abs(time.time() - int(timestamp)) <= 300
    return fresh and hmac.compare_digest(expected.encode(), signature.encode())`;
}

export const problemDocument = (site: Site) => `HTTP/1.1 410 Gone
Content-Type: application/problem+json
X-Request-Id: req_01k9x2m8q4f7v3b6n5c1d0e9ra

{
  "type": "${site.baseUrl}/docs/errors/quote_expired",
  "title": "The quote has expired",
  "status": 410,
  "detail": "The quote has expired. Create a new settlement.",
  "code": "quote_expired",
  "request_id": "req_01k9x2m8q4f7v3b6n5c1d0e9ra",
  "expired_at": "2026-11-21T10:05:00.000Z",
  "server_time": "2026-11-21T10:07:12.481Z"
}`;

export const advanceClock = (site: Site) => `curl -sS ${site.baseUrl}/sandbox/clock \\
  -H "apiKey: $OPERATOR_API_KEY" -H "Content-Type: application/json" \\
  -d '{"advance_seconds": 301}'`;

export const moveRate = (site: Site) => `curl -sS -X PUT ${site.baseUrl}/sandbox/rates \\
  -H "apiKey: $OPERATOR_API_KEY" -H "Content-Type: application/json" \\
  -d '{"source_currency": "${SAMPLE_SOURCE_CURRENCY}", "destination_currency": "${site.example.currency}", "rate": 0.0078}'`;

export const decide = (site: Site) => `curl -sS -X POST ${site.baseUrl}/admins/settlements/$TX_ID/approve \\
  -H "apiKey: $OPERATOR_API_KEY" -H "Content-Type: application/json" -d '{}'`;

/** A request of the partner-management surface, for pasting. */
export const request = (
  { baseUrl }: Site,
  { method, path }: Pick<Operation, "method" | "path">,
  body: object,
) => `curl -sS -X ${method} ${baseUrl}${path} \\
  -H "apiKey: $API_KEY" -H "Content-Type: application/json" \\
  --data-raw '${JSON.stringify(body, null, 2)}'`;

/** A request to that surface without a body. */
export const question = ({ baseUrl }: Site, path: string) => `curl -sS "${baseUrl}${path}" -H "apiKey: $API_KEY"`;
