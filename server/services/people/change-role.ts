import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import { updateUser } from "#db/queries/users.ts";
import type { Uses } from "#server/context.ts";
import { type By, fitsSide, type Person, type UserRole } from "#server/domain/access.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { endInvitationsBy } from "./end-invitations-by.ts";
import { lockManagedPerson } from "./lock-managed-person.ts";

export type ChangeRole = { by: By & { actor: Person }; userId: string; role: UserRole };

/**
 * Another role on the same side, effective with the person's next call. What they had invited others to is withdrawn: they may have
 * been able to only as what they were.
 *
 * @throws Refusal `not_found`, `forbidden`, `validation_failed` for a role of the other side.
 */
export async function changeRole(ctx: Uses<"db" | "clock">, { by, userId, role }: ChangeRole): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const person = await lockManagedPerson(tx, by.actor, userId);
    const { partnerId } = person;
    if (!fitsSide(role, partnerId)) {
      const message = partnerId === null ? "must be a role of the operator's" : "must be a role of a partner's";
      throw new Refusal("validation_failed", { errors: [{ pointer: "/role", code: "wrong_side", message }] });
    }
    if (person.role === role) return;
    await updateUser(tx, userId, { role });
    const change = { email: person.email, role: { from: person.role, to: role } };
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, { by, partnerId, action: "user.role_changed", objectId: userId, change, now });
    await endInvitationsBy(tx, { by, inviterId: userId, realNow: ctx.clock.now(), now });
  });
}
