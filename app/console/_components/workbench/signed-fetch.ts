import { hexText, utf8Bytes } from "#domain/bytes.ts";
import { messageOf, rightDraft } from "#domain/signature-debugger/drafts.ts";

/** A request as a person wrote it, and the key that signs it. The secret stays in this tab. */
export type Written = { method: string; target: string; body: string; keyId: string; secret: string };
export type Answered = { status: number; body: string; requestId: string | null; tookMs: number };

/** How much of an answer is shown. */
const MOST_SHOWN = 100_000;

/**
 * Signs a request with the browser's own crypto (specification, part 5) and sends it to this service, without the session's cookies.
 *
 * @throws TypeError when there is no answer
 */
export async function signedFetch({ method, target, body, keyId, secret }: Written, brand: string, now: Date): Promise<Answered> {
  const [path = "", query = ""] = target.split("?", 2);
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const request = { timestamp, method, path, query, body: utf8Bytes(body) };
  const key = await crypto.subtle.importKey("raw", utf8Bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signature = hexText(new Uint8Array(await crypto.subtle.sign("HMAC", key, messageOf(rightDraft(request, "")))));
  const begun = performance.now();
  const answer = await fetch(target, {
    method,
    credentials: "omit",
    cache: "no-store",
    headers: {
      [path.startsWith("/api/v1/") ? "authorization" : "apiKey"]: keyId,
      "content-type": "application/json",
      [`x-${brand}-timestamp`]: timestamp,
      [`x-${brand}-nonce`]: crypto.randomUUID(),
      [`x-${brand}-signature`]: signature,
    },
    ...(body !== "" && { body }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    body: text.slice(0, MOST_SHOWN),
    requestId: answer.headers.get("x-request-id"),
    tookMs: Math.round(performance.now() - begun),
  };
}
