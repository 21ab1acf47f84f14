import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { revokeTokensOf } from "#db/queries/people/access-tokens.ts";
import { revokeSessionsOf } from "#db/queries/people/sessions.ts";
import { updateUser } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";
import { endInvitationsBy } from "#server/services/people/invitations/end-invitations-by.ts";
import { lockManagedPerson } from "./lock-managed-person.ts";

/**
 * Shuts a person out: sessions and access tokens end with their very next call and do not come back, what they invited others to is
 * withdrawn. Doing it twice changes nothing.
 *
 * @throws Refusal `not_found`, `forbidden`, `step_up_required`.
 */
export async function disablePerson(
  ctx: Uses<"db" | "clock">,
  { by, userId }: { by: By & { actor: Person }; userId: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { disabledAt, email, partnerId } = await lockManagedPerson({ ...ctx, db: tx }, by, userId);
    if (disabledAt !== null) return;
    const realNow = ctx.clock.now();
    const now = await readBusinessNow(tx);
    await updateUser(tx, userId, { disabledAt: now });
    const ended = await revokeSessionsOf(tx, userId, null, realNow);
    await revokeTokensOf(tx, userId, realNow);
    const change = { email, disabled: true, sessions_ended: ended };
    await insertAuditEntry(tx, { by, partnerId, action: "user.disabled", objectId: userId, change, now });
    await endInvitationsBy(tx, { by, inviterId: userId, realNow, now });
  });
}
