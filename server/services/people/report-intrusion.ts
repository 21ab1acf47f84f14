import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { revokeTokensOf } from "#db/queries/people/access-tokens.ts";
import { revokeSessionsOf } from "#db/queries/people/sessions.ts";
import { lockManagers, lockUser, updateUser } from "#db/queries/people/users.ts";
import type { ByPerson } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { endInvitationsBy } from "./invitations/invitations.ts";

/**
 * "This was not me": a person locks their own account. Sessions and access tokens end, this one too; none of their approvals and proposals
 * counts, and they decide nothing, until somebody else lets them in again. It needs no step-up, because the thief may hold the second
 * factor. A repeat changes nothing.
 *
 * @throws Refusal `conflict` for the only admin, whom nobody could let in again.
 */
export async function reportIntrusion(ctx: Uses<"db" | "clock">, { by, reason }: { by: ByPerson; reason: string }): Promise<void> {
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    // Of the last two admins who do this at once, the second is refused.
    const managers = await lockManagers(tx, partnerId);
    const user = await lockUser(tx, userId);
    if (user === null || user.disabledAt !== null) return;
    if (partnerId === null && managers.size === 1 && managers.has(userId))
      throw new Refusal("conflict", {
        detail: "You are the only admin, so no one could let you in again. End your other sessions and change your password.",
      });
    const [realNow, now] = [ctx.clock.now(), await readBusinessNow(tx)];
    await updateUser(tx, userId, { disabledAt: now });
    const ended = await revokeSessionsOf(tx, userId, null, realNow);
    await revokeTokensOf(tx, userId, realNow);
    const change = { email: user.email, disabled: true, by_themselves: true, sessions_ended: ended };
    await insertAuditEntry(tx, { by, partnerId, action: "user.disabled", objectId: userId, reason, change, now });
    await endInvitationsBy(tx, { by, inviterId: userId, realNow, now });
  });
}
