import { Refusal } from "#domain/refusal.ts";
import { findKeyOf } from "#server/services/access/authenticate-api-key.ts";
import type { SignedArrival } from "#server/services/access/authenticate-signed-request.ts";
import { recordKeyUse } from "#server/services/access/record-key-use.ts";
import { noteKey, refuseAddress, refuseSuspended, refuseWithoutScope } from "./admit-key.ts";
import { refusedSignature } from "./log-request.ts";
import { acceptSigned } from "./nonce-reservation.ts";
import { renderProblem } from "./problem.ts";
import { headerOf } from "./raw-request.ts";
import type { RequestContext } from "./request-context.ts";
import { readArrival, signingHeaders } from "./signed-arrival.ts";
import type { Surface } from "./surface.ts";
import type { SurfaceContext } from "./surface-context.ts";

const KEY_HEADER = "Authorization";

/** The settlement surface (`/api/v1`): every request signed, errors as problem documents (contract, parts 2, 3 and 5). */
export const settlementSurface: Surface = {
  name: "settlement",
  isOpen: () => true,
  singleHeaders: (settings) => [KEY_HEADER.toLowerCase(), ...signingHeaders(settings).lower],

  // Key, timestamp, nonce format, signature and rate; then address, partner, scope and suspension (`ip_not_allowed`, `scope_missing`,
  // `partner_suspended`). The nonce is spent later: in the operation's transaction, or on its refusal.
  async admit(surfaceContext, requestContext, operation, body) {
    const arrival = await readWholeArrival(surfaceContext, requestContext, body);
    const { key } = await acceptSigned(surfaceContext, requestContext, arrival, operation);
    refuseAddress(requestContext, key);
    if (key.partner === null) {
      throw new Refusal("scope_missing", { detail: "An operator's key has no partner to act for on this surface." });
    }
    refuseWithoutScope(key, operation);
    refuseSuspended(key);
    // Outside the transaction, and at most once a minute for each key and once an hour for each operation.
    await recordKeyUse(surfaceContext.ctx, key, { address: requestContext.address, operation: operation.id });
    const partnerId = key.partner.id;
    const actor = { type: "api_key", apiKeyId: key.id, partnerId } as const;
    return {
      kind: "signed",
      partnerId,
      apiKeyId: key.id,
      by: { actor, requestId: requestContext.raw.requestId },
      timestamp: arrival.timestamp,
      scopes: key.scopes,
    };
  },

  challenge: (_operation, settings) =>
    `HMAC-SHA256 realm="${settings.brand}", headers="${[KEY_HEADER, ...signingHeaders(settings).shown].join(" ")}"`,
  renderRefusal: renderProblem,
};

/** @throws Refusal `missing_credentials`, naming what is missing; if the key is known, it is logged for the debugger. */
async function readWholeArrival(surfaceContext: SurfaceContext, requestContext: RequestContext, body: Uint8Array): Promise<SignedArrival> {
  const apiKey = headerOf(requestContext.raw, KEY_HEADER.toLowerCase());
  const { arrival, missing: missingHeaders, wrong } = readArrival(surfaceContext, requestContext, apiKey, body);
  const missing = [...(arrival.apiKey === "" ? [KEY_HEADER] : []), ...missingHeaders];
  if (missing.length === 0 && wrong === null) return arrival;
  // RFC 9421: without a keyid, `Signature-Input` says nothing of the key, and all three headers count as missing.
  const hint =
    missingHeaders.length > 2 && requestContext.raw.headers.has("signature-input") ? " Signature-Input names no API key as its keyid." : "";
  const refusal = new Refusal("missing_credentials", { detail: wrong ?? `Missing: ${missing.join(", ")}.${hint}` });
  const key = await findKeyOf(surfaceContext.ctx, arrival.apiKey);
  if (key !== null) {
    noteKey(requestContext, key);
    if (wrong === null) requestContext.refused = refusedSignature(refusal, requestContext, arrival, missing);
  }
  throw refusal;
}
