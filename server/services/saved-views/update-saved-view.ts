import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { lockSavedView, saveSavedView } from "#db/queries/people/saved-views.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { Actor, By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

type Person = Extract<Actor, { type: "user" }>;
export type UpdateSavedView = {
  by: By & { actor: Person };
  id: string;
  /** What is left out stays as it is. */
  change: { name?: string; shared?: boolean; params?: Record<string, string> };
};

/**
 * Renames one of the person's own views, shares or unshares it, or makes it show something else.
 *
 * @throws Refusal `not_found` for what is no view of the person's own, `conflict` for a name that the person uses already.
 */
export async function updateSavedView(ctx: Uses<"db">, { by, id, change }: UpdateSavedView): Promise<void> {
  try {
    await ctx.db.transaction(async (tx) => {
      const held = await lockSavedView(tx, id, by.actor);
      if (held === null) throw new Refusal("not_found", { detail: "There is no such view of yours." });
      const now = await readBusinessNow(tx);
      await saveSavedView(tx, { ...held, ...change, updatedAt: now });
      const { partnerId } = by.actor;
      await insertAuditEntry(tx, { by, partnerId, action: "saved_view.updated", objectId: id, change, now });
    });
  } catch (error) {
    if (isUniqueViolation(error, "saved_views_name")) throw new Refusal("conflict", { detail: "Another view of yours has this name." });
    throw error;
  }
}
