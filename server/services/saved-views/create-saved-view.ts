import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { countSavedViewsOf, insertSavedView } from "#db/queries/people/saved-views.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { Actor, By } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

type Person = Extract<Actor, { type: "user" }>;
export type CreateSavedView = {
  by: By & { actor: Person };
  name: string;
  /** Seen by everybody of the person's organisation. */
  shared: boolean;
  params: Record<string, string>;
};

const MOST = 50;

/**
 * Keeps a view of a list under a name. Answers its id.
 *
 * @throws Refusal `conflict` for a name that the person uses already, or for one view too many.
 */
export async function createSavedView(ctx: Uses<"db">, { by, name, shared, params }: CreateSavedView): Promise<string> {
  const { userId, partnerId } = by.actor;
  try {
    return await ctx.db.transaction(async (tx) => {
      if ((await countSavedViewsOf(tx, userId)) >= MOST) {
        throw new Refusal("conflict", { detail: `You keep ${MOST} views already: delete one first.` });
      }
      const now = await readBusinessNow(tx);
      const id = newId("savedView", now);
      await insertSavedView(tx, { id, ownerId: userId, partnerId, name, shared, params, createdAt: now, updatedAt: now });
      await insertAuditEntry(tx, { by, partnerId, action: "saved_view.created", objectId: id, change: { name, shared, params }, now });
      return id;
    });
  } catch (error) {
    if (isUniqueViolation(error, "saved_views_name")) throw new Refusal("conflict", { detail: `You have a view named “${name}” already.` });
    throw error;
  }
}
