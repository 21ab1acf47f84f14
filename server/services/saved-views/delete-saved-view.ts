import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { deleteSavedView as deleteRow, lockSavedView } from "#db/queries/people/saved-views.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { Actor, By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

type Person = Extract<Actor, { type: "user" }>;

/** @throws Refusal `not_found` for what is no view of the person's own. */
export async function deleteSavedView(ctx: Uses<"db">, { by, id }: { by: By & { actor: Person }; id: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const held = await lockSavedView(tx, id, by.actor);
    if (held === null) throw new Refusal("not_found", { detail: "There is no such view of yours." });
    await deleteRow(tx, id);
    const now = await readBusinessNow(tx);
    const { partnerId } = by.actor;
    await insertAuditEntry(tx, { by, partnerId, action: "saved_view.deleted", objectId: id, change: { name: held.name }, now });
  });
}
