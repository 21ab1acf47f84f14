import { createHmac, randomUUID } from "node:crypto";
import type { Header, Outgoing } from "./exchange.ts";

/** Specification, part 5, written a second time on purpose: nothing here is shared with the service. */

export type Credentials = { api_key: string; api_secret: string };
export type SignedParts = { timestamp: string; method: string; target: string; body: Buffer | string };

/** The header names carry the operator's brand. */
export const BRAND = process.env.BRAND ?? "Service";

/** Hex HMAC-SHA256 over timestamp, method, path, query and body, joined by newlines. */
export function signatureOf(secret: string, { timestamp, method, target, body }: SignedParts): string {
  const question = target.indexOf("?");
  const path = question === -1 ? target : target.slice(0, question);
  const query = question === -1 ? "" : target.slice(question + 1);
  // node:http writes the target as latin1; the body is signed as the bytes that it is.
  const head = Buffer.from(`${timestamp}\n${method}\n${path}\n${query}\n`, "latin1");
  return createHmac("sha256", Buffer.from(secret, "utf8"))
    .update(Buffer.concat([head, Buffer.from(body)]))
    .digest("hex");
}

export type SigningChoice = { timestamp?: string; nonce?: string };

/** The five headers of a signed request; `choice` fixes what is otherwise now and random. */
export function signedHeaders(
  { api_key, api_secret }: Credentials,
  { method, target, body }: Pick<Outgoing, "method" | "target" | "body">,
  choice: SigningChoice = {},
): Header[] {
  const timestamp = choice.timestamp ?? String(Math.floor(Date.now() / 1_000));
  return [
    ["Authorization", api_key],
    ["Content-Type", "application/json"],
    [`X-${BRAND}-Timestamp`, timestamp],
    [`X-${BRAND}-Nonce`, choice.nonce ?? randomUUID()],
    [`X-${BRAND}-Signature`, signatureOf(api_secret, { timestamp, method, target, body: body ?? "" })],
  ];
}
