import { endApiKey, endDescendants, lockApiKey } from "#db/queries/access/api-keys.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

export type RevokeApiKey = {
  by: By;
  id: string;
  /** Omitted: any partner's key. */
  partnerId?: string;
  reason?: string | null;
};

/**
 * Revokes a key at once, with all keys rotated from it: anyone who had the key may have rotated it, and must not keep the result. Revoking
 * a key that has already ended still revokes its descendants.
 *
 * @throws Refusal `step_up_required`, `not_found`, for a foreign key just as for one that never existed.
 */
export async function revokeApiKey(ctx: Uses<"db" | "clock">, { by, ...command }: RevokeApiKey): Promise<void> {
  refuseUnlessProven(by, ctx.clock.now());
  await ctx.db.transaction(async (tx) => {
    const key = isUuid(command.id) ? await lockApiKey(tx, command.id, command.partnerId) : null;
    if (key === null) throw new Refusal("not_found");
    const at = ctx.clock.now();
    await endApiKey(tx, key.id, at);
    const descendants = await endDescendants(tx, key.id, at);
    const now = await readBusinessNow(tx);
    const entry = { by, partnerId: key.partner?.id ?? null, action: "api_key.revoked", reason: command.reason ?? null, now };
    await insertAuditEntry(tx, { ...entry, objectId: key.id, change: { last_four: key.lastFour } });
    for (const { id, lastFour } of descendants)
      await insertAuditEntry(tx, { ...entry, objectId: id, change: { last_four: lastFour, descends_from: key.id } });
  });
}
