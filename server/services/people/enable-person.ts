import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { updateUser } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";
import { lockManagedPerson } from "./lock-managed-person.ts";

/**
 * Lets a person sign in again; no session of before comes back.
 *
 * @throws Refusal `not_found`, `forbidden`, `step_up_required`.
 */
export async function enablePerson(
  ctx: Uses<"db" | "clock">,
  { by, userId }: { by: By & { actor: Person }; userId: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { disabledAt, email, partnerId } = await lockManagedPerson({ ...ctx, db: tx }, by, userId);
    if (disabledAt === null) return;
    await updateUser(tx, userId, { disabledAt: null });
    const change = { email, disabled: false };
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, { by, partnerId, action: "user.enabled", objectId: userId, change, now });
  });
}
