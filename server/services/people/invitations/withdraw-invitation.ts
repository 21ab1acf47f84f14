import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { withdrawInvitations } from "#db/queries/people/invitations.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { refuseUnlessManager } from "#server/services/people/lock-managed-person.ts";

/**
 * Ends an invitation that was not followed yet: its link leads nowhere any more.
 *
 * @throws Refusal `not_found` for one that has ended or is another partner's, `forbidden`, `step_up_required`.
 */
export async function withdrawInvitation(
  ctx: Uses<"db" | "clock">,
  { by, invitationId }: { by: By & { actor: Person }; invitationId: string },
): Promise<void> {
  if (!isUuid(invitationId)) throw new Refusal("not_found");
  const { actor } = by;
  await ctx.db.transaction(async (tx) => {
    await refuseUnlessManager({ ...ctx, db: tx }, by);
    const which = { id: invitationId, ...(actor.partnerId !== null && { partnerId: actor.partnerId }) };
    const [withdrawn] = await withdrawInvitations(tx, which, ctx.clock.now());
    if (withdrawn === undefined) throw new Refusal("not_found");
    const { email, partnerId } = withdrawn;
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, { by, partnerId, action: "invitation.withdrawn", objectId: invitationId, change: { email }, now });
  });
}
