import { endApiKey, lockApiKey } from "#db/queries/api-keys.ts";
import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import type { Uses } from "#server/context.ts";
import type { By } from "#server/domain/access.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { isUuid } from "#server/domain/uuid.ts";

export type RevokeApiKey = {
  by: By;
  id: string;
  /** Left out: whoever's it is. */
  partnerId?: string;
  reason?: string | null;
};

/**
 * Ends a key at once. Revoking one that has ended changes nothing.
 *
 * @throws Refusal `not_found`, for a foreign key just as for one that never was.
 */
export async function revokeApiKey(ctx: Uses<"db" | "clock">, command: RevokeApiKey): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const key = isUuid(command.id) ? await lockApiKey(tx, command.id, command.partnerId) : null;
    if (key === null) throw new Refusal("not_found");
    await endApiKey(tx, key.id, ctx.clock.now());
    await insertAuditEntry(tx, {
      by: command.by,
      partnerId: key.partner?.id ?? null,
      action: "api_key.revoked",
      objectId: key.id,
      reason: command.reason ?? null,
      change: { last_four: key.lastFour },
      now: await readBusinessNow(tx),
    });
  });
}
