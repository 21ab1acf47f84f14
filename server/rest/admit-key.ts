import { type Operation, scopeFor } from "#contract/operation.ts";
import { addressBlock } from "#domain/address-block.ts";
import type { ApiKey } from "#domain/api-key.ts";
import { Refusal } from "#domain/refusal.ts";
import { isWithin } from "./client-address.ts";
import { rateHeaders } from "./rate-limiter.ts";
import type { RequestContext } from "./request-context.ts";
import type { SurfaceContext } from "./surface-context.ts";

/** Notes for the log whose request it is. */
export function noteKey(requestContext: RequestContext, key: ApiKey): void {
  requestContext.apiKeyId = key.id;
  requestContext.partnerId = key.partner?.id ?? null;
}

/**
 * Counts a request with a valid signature against the key's bucket, and reports the bucket's level with every answer.
 *
 * @throws Refusal `rate_limited`.
 */
export function refuseTooMany(surfaceContext: SurfaceContext, requestContext: RequestContext, key: ApiKey, kind: Operation["kind"]): void {
  refuseTooManyOf(surfaceContext, requestContext, { id: key.id, own: ownLimit(key, kind) }, kind);
}

/**
 * As {@link refuseTooMany}, for a request that proves no more than that the key is known: its bucket is that of the key at this address, so
 * that nobody empties the bucket of those who sign.
 *
 * @throws Refusal `rate_limited`.
 */
export function refuseTooManyUnsigned(
  surfaceContext: SurfaceContext,
  requestContext: RequestContext,
  key: ApiKey,
  kind: Operation["kind"],
): void {
  const id = `${key.id} unsigned ${addressBlock(requestContext.address)}`;
  refuseTooManyOf(surfaceContext, requestContext, { id, own: ownLimit(key, kind) }, kind);
}

function ownLimit({ partner }: ApiKey, kind: Operation["kind"]): number | null {
  return (kind === "write" ? partner?.writesPerSecond : partner?.readsPerSecond) ?? null;
}

/**
 * The bucket of that key or person. `own`: its own limit, if it has one.
 *
 * @throws Refusal `rate_limited`.
 */
export function refuseTooManyOf(
  surfaceContext: SurfaceContext,
  requestContext: RequestContext,
  holder: { id: string; own: number | null },
  kind: Operation["kind"],
): void {
  const { rateLimits } = surfaceContext.settings;
  const general = kind === "write" ? rateLimits.writesPerSecond : rateLimits.readsPerSecond;
  const verdict = surfaceContext.limiter.take(holder.id, kind, holder.own ?? general);
  if (verdict === null) return;
  Object.assign(requestContext.headers, rateHeaders(verdict));
  if (!verdict.allowed) throw new Refusal("rate_limited", { retryAfterSeconds: verdict.retryAfterSeconds });
}

/** @throws Refusal `ip_not_allowed`. An empty list allows every address. */
export function refuseAddress({ address }: RequestContext, key: ApiKey): void {
  if (key.allowedIps.length === 0) return;
  if (!isWithin(address, key.allowedIps)) throw new Refusal("ip_not_allowed", { detail: `The request came from ${address}.` });
}

/** @throws Refusal `scope_missing`; `forbidden` for a decision by a key whose person is disabled. */
export function refuseWithoutScope(key: ApiKey, operation: Operation): void {
  const scope = scopeFor(key.partner === null ? "operator" : "partner", operation);
  if (scope === "settlements:decide" && key.makerIsOut === true)
    throw new Refusal("forbidden", { detail: "The person who made this API key has no access any more, so the key does not decide." });
  if (scope === null || key.scopes.includes(scope)) return;
  throw new Refusal("scope_missing", { detail: `The API key lacks the scope ${scope}.`, members: { required_scope: scope } });
}

/** @throws Refusal `partner_suspended`. */
export function refuseSuspended(key: ApiKey): void {
  if (key.partner?.status === "suspended") throw new Refusal("partner_suspended");
}
