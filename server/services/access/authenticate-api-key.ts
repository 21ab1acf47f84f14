import { findApiKeyByHash } from "#db/queries/access/api-keys.ts";
import { type ApiKey, hasKeyForm, isInForce, keyHash } from "#domain/api-key.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/**
 * The API key with this text, if it is valid now (real time). `onKey` gets every known key, valid or not.
 *
 * @throws Refusal `unknown_api_key`; `revoked_api_key` also for one that has expired.
 */
export async function authenticateApiKey(
  ctx: Uses<"db" | "clock">,
  apiKey: string,
  onKey: (key: ApiKey) => void = () => {},
): Promise<ApiKey> {
  const key = await findKeyOf(ctx, apiKey);
  if (key === null) throw unknownKey(apiKey);
  onKey(key);
  refuseEnded(key, ctx.clock.now());
  return key;
}

/** @throws Refusal `revoked_api_key`. */
export function refuseEnded(key: ApiKey, now: Date): void {
  if (!isInForce(key, now)) throw new Refusal("revoked_api_key");
}

export function unknownKey(apiKey: string): Refusal {
  return new Refusal("unknown_api_key", schemeHint(apiKey));
}

/** The key that the text is, in force or not; null for an unknown one. */
export async function findKeyOf(ctx: Uses<"db">, apiKey: string): Promise<ApiKey | null> {
  return hasKeyForm(apiKey) ? ((await findApiKeyByHash(ctx.db, keyHash(apiKey)))?.key ?? null) : null;
}

function schemeHint(apiKey: string): { detail: string } | undefined {
  return /^(?:bearer|basic) /i.test(apiKey) ? { detail: "Send the API key alone, without a scheme before it." } : undefined;
}
