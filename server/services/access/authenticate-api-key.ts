import { findApiKeyByHash } from "#db/queries/api-keys.ts";
import type { Uses } from "#server/context.ts";
import { type ApiKey, hasKeyForm, isInForce, keyHash } from "#server/domain/api-key.ts";
import { Refusal } from "#server/domain/refusal.ts";

/**
 * The key that the text is, if it is in force now (real time).
 *
 * @throws Refusal `unknown_api_key`; `revoked_api_key` also for one that has expired.
 */
export async function authenticateApiKey(ctx: Uses<"db" | "clock">, apiKey: string): Promise<ApiKey> {
  const key = hasKeyForm(apiKey) ? await findApiKeyByHash(ctx.db, keyHash(apiKey)) : null;
  if (key === null) throw new Refusal("unknown_api_key", schemeHint(apiKey));
  if (!isInForce(key, ctx.clock.now())) throw new Refusal("revoked_api_key");
  return key;
}

function schemeHint(apiKey: string): { detail: string } | undefined {
  return /^(?:bearer|basic) /i.test(apiKey) ? { detail: "Send the API key alone, without a scheme before it." } : undefined;
}
