import { findApiKey } from "#db/queries/access/api-keys.ts";
import { isInForce } from "#domain/api-key.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/**
 * Checks the key under whose limits and in whose name a partner's person makes settlements.
 *
 * @throws Refusal `not_found` for another partner's; `revoked_api_key` once it has ended; `scope_missing` without `settlements:write`;
 * `partner_suspended`.
 */
export async function requirePayingKey(ctx: Uses<"db" | "clock">, { id, partnerId }: { id: string; partnerId: string }): Promise<void> {
  const key = await findApiKey(ctx.db, id);
  if (key === null || key.partner?.id !== partnerId) throw new Refusal("not_found");
  if (key.partner.status !== "active") throw new Refusal("partner_suspended");
  if (!isInForce(key, ctx.clock.now())) throw new Refusal("revoked_api_key");
  if (!key.scopes.includes("settlements:write")) throw new Refusal("scope_missing");
}
