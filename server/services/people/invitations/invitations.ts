import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findOpenInvitation, type ListedInvitation, spendInvitation, withdrawInvitations } from "#db/queries/people/invitations.ts";
import { insertUser } from "#db/queries/people/users.ts";
import type { By, ByPerson } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { invitationTokenHash } from "#domain/secrets.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { hashNewPassword } from "#server/services/people/change-self.ts";
import { refuseUnlessManager } from "#server/services/people/lock-managed-person.ts";

/**
 * The role that an invitation link offers. Anyone who has the link may ask.
 *
 * @throws Refusal `not_found` for one that was used, withdrawn, has expired or never existed.
 */
export async function readInvitation(ctx: Uses<"db" | "clock">, token: string): Promise<ListedInvitation> {
  const found = await findOpenInvitation(ctx.db, invitationTokenHash(token), ctx.clock.now());
  if (found === null) throw new Refusal("not_found", { detail: "The invitation was used, was withdrawn or has expired." });
  return found;
}

export type AcceptInvitation = { token: string; name: string; password: string; requestId: string | null };

/**
 * Creates a user from an invitation link, with the invitation's address and role. A link works once, also concurrently.
 *
 * @throws Refusal `not_found` as reading it does, `validation_failed` for an easily guessed password, `conflict` when somebody has become a
 * user with that address meanwhile.
 */
export async function acceptInvitation(
  ctx: Uses<"db" | "clock" | "passwords">,
  { token, name, password, requestId }: AcceptInvitation,
): Promise<{ email: string }> {
  const invitation = await readInvitation(ctx, token);
  const { email, role, partnerId } = invitation;
  // The slow part comes before the transaction, and only with a valid link.
  const passwordHash = await hashNewPassword(ctx, password, [email, name], "/password");
  await ctx.db.transaction(async (tx) => {
    if (!(await spendInvitation(tx, invitation.id, ctx.clock.now())))
      throw new Refusal("not_found", { detail: "The invitation was used, was withdrawn or has expired." });
    // The proposer of the account knows this id.
    const userId = invitation.id;
    const now = await readBusinessNow(tx);
    if (!(await insertUser(tx, { id: userId, email, name, passwordHash, role, partnerId, createdAt: now })))
      throw new Refusal("conflict", { detail: "A user with this address already exists." });
    const by = { actor: { type: "user", userId, role, partnerId }, requestId } as const;
    const change = { email, name, role, invited_by: invitation.invitedBy, invitation_id: invitation.id };
    await insertAuditEntry(tx, { by, partnerId, action: "user.joined", objectId: userId, change, now });
  });
  return { email };
}

/**
 * Ends an unused invitation: its link no longer works.
 *
 * @throws Refusal `not_found` for one that has ended or is another partner's, `forbidden`, `step_up_required`.
 */
export async function withdrawInvitation(
  ctx: Uses<"db" | "clock">,
  { by, invitationId }: { by: ByPerson; invitationId: string },
): Promise<void> {
  if (!isUuid(invitationId)) throw new Refusal("not_found");
  const { actor } = by;
  await ctx.db.transaction(async (tx) => {
    await refuseUnlessManager({ ...ctx, db: tx }, by);
    const which = { id: invitationId, ...(actor.partnerId !== null && { partnerId: actor.partnerId }) };
    const [withdrawn] = await withdrawInvitations(tx, which, ctx.clock.now());
    if (withdrawn === undefined) throw new Refusal("not_found");
    const { email, partnerId } = withdrawn;
    await insertAuditEntry(tx, { by, partnerId, action: "invitation.withdrawn", objectId: invitationId, change: { email } });
  });
}

/** Withdraws what a person had invited others to, in the transaction that takes their right to. */
export async function endInvitationsBy(
  tx: Database,
  { by, inviterId, realNow, now }: { by: By; inviterId: string; realNow: Date; now: Date },
): Promise<void> {
  for (const { id, email, partnerId } of await withdrawInvitations(tx, { invitedBy: inviterId }, realNow)) {
    const reason = "The inviter's rights were changed.";
    await insertAuditEntry(tx, { by, partnerId, action: "invitation.withdrawn", objectId: id, reason, change: { email }, now });
  }
}
