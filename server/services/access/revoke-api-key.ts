import { findApiKey, type KeyListing, lockApiKey } from "#db/queries/access/api-keys.ts";
import { endDescent, listDescent, lockDescent } from "#db/queries/access/key-descent.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { pauseDestinationsOf } from "#server/services/events/pause-destinations.ts";

export type WhichKey = {
  id: string;
  /** Omitted: any partner's key. */
  partnerId?: string;
};
export type RevokeApiKey = WhichKey & { by: By; reason?: string | null };

/**
 * Revokes a key at once, with all keys that were rotated from it or made with it: anyone who had the key may have made them, and must not
 * keep them. Revoking a key that has already ended still revokes those. The event destinations that they created are paused.
 *
 * @returns what ended now
 * @throws Refusal `step_up_required`, `not_found`, for a foreign key just as for one that never existed.
 */
export async function revokeApiKey(ctx: Uses<"db" | "clock">, { by, ...command }: RevokeApiKey): Promise<KeyListing[]> {
  refuseUnlessProven(by, ctx.clock.now());
  return await ctx.db.transaction(async (tx) => {
    const key = isUuid(command.id) ? await lockApiKey(tx, command.id, command.partnerId) : null;
    if (key === null) throw new Refusal("not_found");
    await lockDescent(tx, key.id);
    const at = ctx.clock.now();
    const ends = await listDescent(tx, key.id, at);
    await endDescent(tx, key.id, at);
    const recorded = { by, reason: command.reason ?? null, now: await readBusinessNow(tx) };
    await pauseDestinationsOf(tx, key.id, recorded);
    const entry = { ...recorded, action: "api_key.revoked" };
    const own = { partnerId: key.partner?.id ?? null, objectId: key.id, change: { last_four: key.lastFour } };
    await insertAuditEntry(tx, { ...entry, ...own });
    for (const { id, lastFour, partnerId } of ends.filter((each) => each.id !== key.id))
      await insertAuditEntry(tx, { ...entry, partnerId, objectId: id, change: { last_four: lastFour, descends_from: key.id } });
    return ends;
  });
}

/** What {@link revokeApiKey} would end now. @throws Refusal `not_found` */
export async function previewRevocation(ctx: Uses<"db" | "clock">, { id, partnerId }: WhichKey): Promise<KeyListing[]> {
  const key = isUuid(id) ? await findApiKey(ctx.db, id) : null;
  if (key === null || (partnerId !== undefined && key.partner?.id !== partnerId)) throw new Refusal("not_found");
  return await listDescent(ctx.db, key.id, ctx.clock.now());
}
