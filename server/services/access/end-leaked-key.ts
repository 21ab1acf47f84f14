import { createHash, timingSafeEqual } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import type { ApiKey } from "#domain/api-key.ts";
import { secretOfKey } from "#domain/sealed-place.ts";
import type { Uses } from "#server/context.ts";
import { findKeyOf } from "./authenticate-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

/** `foundAt`: where, as the finder says; null: not said. `address`: the finder's. */
export type LeakedKey = { apiKey: string; apiSecret: string; foundAt: string | null; address: string; requestId: string | null };

/**
 * Ends a key whose secret somebody has found, with all that was rotated from it or made with it, and notifies its owners. A caller who has
 * both may do all that the key may, so ending it takes no more. Any other pair changes nothing and gets the same answer.
 */
export async function endLeakedKey(ctx: Uses<"db" | "clock" | "vault">, leaked: LeakedKey): Promise<void> {
  const { apiKey, apiSecret, foundAt, address, requestId } = leaked;
  const key = await findKeyOf(ctx, apiKey);
  if (key === null || !isSame(ctx.vault.open(key.sealedSecret, secretOfKey(key.id)), apiSecret)) return;
  const by = { actor: actorOf(key), requestId };
  await ctx.db.transaction(async (tx) => {
    const reason = `Found in public, and reported from ${address}`;
    const ended = await revokeApiKey({ ...ctx, db: tx }, { by, id: key.id, reason });
    if (ended.length === 0) return;
    const change = { name: key.name, last_four: key.lastFour, found_at: foundAt, address, keys_ended: ended.length };
    await insertAuditEntry(tx, {
      by,
      partnerId: key.partner?.id ?? null,
      action: "api_key.found_in_public",
      objectId: key.id,
      reason,
      change,
    });
  });
}

function actorOf({ id: apiKeyId, partner }: ApiKey) {
  return partner === null ? ({ type: "operator_key", apiKeyId } as const) : ({ type: "api_key", apiKeyId, partnerId: partner.id } as const);
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text, "utf8").digest();
  return timingSafeEqual(digest(one), digest(other));
}
