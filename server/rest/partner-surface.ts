import type { CallerKind, Operation } from "#contract/operation.ts";
import { mayAsOperator } from "#domain/access.ts";
import { type ApiKey, mustSign } from "#domain/api-key.ts";
import { Refusal } from "#domain/refusal.ts";
import { authenticateApiKey } from "#server/services/access/authenticate-api-key.ts";
import { recordKeyUse } from "#server/services/access/record-key-use.ts";
import { authenticateAccessToken } from "#server/services/people/sessions/access-tokens.ts";
import { noteKey, refuseAddress, refuseSuspended, refuseTooManyOf, refuseTooManyUnsigned, refuseWithoutScope } from "./admit-key.ts";
import type { Callers, OperatorCaller, PartnerCaller } from "./callers.ts";
import { renderFastApiError } from "./fastapi-error.ts";
import { acceptSigned } from "./nonce-reservation.ts";
import { anybody } from "./open-surface.ts";
import { headerOf } from "./raw-request.ts";
import type { RequestContext } from "./request-context.ts";
import { readArrival, signingHeaders } from "./signed-arrival.ts";
import type { Surface } from "./surface.ts";
import type { SurfaceContext } from "./surface-context.ts";

const KEY_HEADER = "apikey";
const TOKEN_HEADER = "authorization";
const PROVIDER_HEADER = "x-signature";

const CHALLENGES: Record<CallerKind, string> = {
  partner: "ApiKey",
  operator: "ApiKey, Bearer",
  both: "ApiKey, Bearer",
  signed: "",
  anybody: "Bearer",
  provider: "HMAC-SHA512",
};

/**
 * The partner-management surface: an `apiKey` header or an operator's access token, errors in FastAPI's shapes (contract, parts 5, 6 and
 * 9). If both are sent, the key counts. A key with signed management signs its changes (part 10).
 */
export const partnerSurface: Surface = {
  name: "partner",
  isOpen: () => true,
  singleHeaders: (settings) => [KEY_HEADER, TOKEN_HEADER, PROVIDER_HEADER, ...signingHeaders(settings).lower],

  async admit(surfaceContext, requestContext, operation, bytes) {
    if (operation.caller === "provider") return admitProvider(surfaceContext, requestContext, bytes);
    if (operation.caller === "anybody") return anybody(requestContext);
    const apiKey = headerOf(requestContext.raw, KEY_HEADER);
    if (apiKey !== null) return await admitByKey(surfaceContext, requestContext, operation, apiKey, bytes);
    const token = /^bearer +(\S+)$/i.exec(headerOf(requestContext.raw, TOKEN_HEADER) ?? "")?.[1];
    if (token === undefined) throw new Refusal("missing_api_key");
    return await admitByToken(surfaceContext, requestContext, operation, token);
  },

  challenge: ({ caller, kind }, settings) =>
    kind === "read" || caller === "anybody" || caller === "provider"
      ? CHALLENGES[caller]
      : `${CHALLENGES[caller]}, HMAC-SHA256 realm="${settings.brand}", headers="${signingHeaders(settings).shown.join(" ")}"`,
  renderRefusal: renderFastApiError,
};

/** The sandbox's controls: as the surface above, and absent in live mode. */
export const sandboxSurface: Surface = {
  ...partnerSurface,
  name: "sandbox",
  isOpen: (settings) => settings.mode === "sandbox",
};

/** @throws Refusal as {@link authenticate}, and `ip_not_allowed`, `forbidden`, `scope_missing`, `partner_suspended`. */
async function admitByKey(
  surfaceContext: SurfaceContext,
  requestContext: RequestContext,
  operation: Operation,
  apiKey: string,
  bytes: Uint8Array,
): Promise<PartnerCaller | OperatorCaller> {
  const key = await authenticate(surfaceContext, requestContext, operation, apiKey, bytes);
  refuseAddress(requestContext, key);
  const caller = callerOf(key, requestContext.raw.requestId);
  refuseKind(operation, caller.kind);
  refuseWithoutScope(key, operation);
  refuseSuspended(key);
  await recordKeyUse(surfaceContext.ctx, key, { address: requestContext.address, operation: operation.id });
  return caller;
}

/**
 * The key that calls, by its signature where that is sent, by itself where it may do without.
 *
 * @throws Refusal `unknown_api_key`, `revoked_api_key`, `rate_limited`; `signature_required` where a key of signed management changes
 * something; where any signing header is sent, those of a signed request.
 */
async function authenticate(
  surfaceContext: SurfaceContext,
  requestContext: RequestContext,
  operation: Operation,
  apiKey: string,
  bytes: Uint8Array,
): Promise<ApiKey> {
  const { arrival, missing, wrong } = readArrival(surfaceContext, requestContext, apiKey, bytes);
  if (missing.length === 0 && wrong === null) return (await acceptSigned(surfaceContext, requestContext, arrival, operation)).key;
  const key = await authenticateApiKey(surfaceContext.ctx, apiKey, (known) => noteKey(requestContext, known));
  refuseTooManyUnsigned(surfaceContext, requestContext, key, operation.kind);
  const detail = wrong ?? `Missing: ${missing.join(", ")}.`;
  if (mustSign(key.signedManagement, operation.kind)) throw new Refusal("signature_required", { detail });
  if (missing.length < signingHeaders(surfaceContext.settings).shown.length) throw new Refusal("missing_credentials", { detail });
  return key;
}

/** The token's user with the present role. @throws Refusal `invalid_token`, `rate_limited`, `forbidden`. */
async function admitByToken(
  surfaceContext: SurfaceContext,
  requestContext: RequestContext,
  operation: Operation,
  token: string,
): Promise<OperatorCaller> {
  const { tokenId, userId, role, createdAt, byCode } = await authenticateAccessToken(surfaceContext.ctx, token);
  requestContext.userId = userId;
  refuseTooManyOf(surfaceContext, requestContext, { id: userId, own: null }, operation.kind);
  refuseKind(operation, "operator");
  const actor = { type: "user", userId, role, partnerId: null } as const;
  if (!mayAsOperator(actor, operation.permission ?? (operation.kind === "read" ? "read" : "administer"))) {
    throw new Refusal("forbidden", { detail: "Your role does not include this." });
  }
  const by = { actor, requestId: requestContext.raw.requestId, proof: { at: createdAt, byCode } };
  return { kind: "operator", by, key: null, tokenId };
}

/** No key and no token: the signature over the raw bytes is all that counts. @throws Refusal `missing_credentials`, `signature_mismatch`. */
function admitProvider(surfaceContext: SurfaceContext, requestContext: RequestContext, bytes: Uint8Array): Callers["provider"] {
  const signature = headerOf(requestContext.raw, PROVIDER_HEADER);
  if (signature === null) throw new Refusal("missing_credentials", { detail: "The header X-Signature is missing." });
  const name = surfaceContext.ctx.fiatProviders.signerOf(bytes, signature);
  if (name === null) {
    throw new Refusal("signature_mismatch", { detail: "X-Signature is not the hex HMAC-SHA512 of the body under the rail's secret." });
  }
  return { kind: "provider", name };
}

function callerOf(key: ApiKey, requestId: string): PartnerCaller | OperatorCaller {
  const { id: apiKeyId, partner } = key;
  if (partner === null) {
    return { kind: "operator", by: { actor: { type: "operator_key", apiKeyId }, requestId }, key, tokenId: null };
  }
  const partnerId = partner.id;
  return { kind: "partner", partnerId, apiKeyId, by: { actor: { type: "api_key", apiKeyId, partnerId }, requestId }, key };
}

/** @throws Refusal `forbidden` where the operation is for callers of the other kind. */
function refuseKind({ caller }: Operation, kind: "partner" | "operator"): void {
  if (caller === kind || caller === "both") return;
  throw new Refusal("forbidden", {
    detail: kind === "partner" ? "This operation is the operator's." : "This operation acts for a partner: it wants a partner's API key.",
  });
}
