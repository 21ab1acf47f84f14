import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import { insertInvitation, withdrawInvitations } from "#db/queries/invitations.ts";
import { findPartner } from "#db/queries/partners.ts";
import { findUserByEmail } from "#db/queries/users.ts";
import type { Uses } from "#server/context.ts";
import { type By, fitsSide, type Person, type UserRole } from "#server/domain/access.ts";
import { INVITATION_LIFETIME_MS, invitationTokenHash, newInvitationToken } from "#server/domain/invitation.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { refuseUnlessManager } from "./lock-managed-person.ts";

export type InvitePerson = {
  by: By & { actor: Person };
  email: string;
  role: UserRole;
  /** null: the operator's side. A partner's owner invites to its own partner alone. */
  partnerId: string | null;
};
export type Invited = { id: string; token: string; expiresAt: Date };

/**
 * Lets somebody become a user within three days of real time, by a link that is told this once. An invitation of the same address to
 * the same side that is still open ends: inviting anew is all it takes when a link was lost.
 *
 * @throws Refusal `forbidden`, `not_found` for a partner that is not the actor's to see, `validation_failed` for a role of the other
 *   side, `conflict` when one of the people whom the actor can see has the address.
 */
export async function invitePerson(ctx: Uses<"db" | "clock">, { by, role, partnerId, ...command }: InvitePerson): Promise<Invited> {
  const { actor } = by;
  if (actor.partnerId !== null && partnerId !== actor.partnerId) throw new Refusal("not_found");
  if (!fitsSide(role, partnerId)) {
    const message = "must be a role of the side that the person is invited to";
    throw new Refusal("validation_failed", { errors: [{ pointer: "/role", code: "wrong_side", message }] });
  }
  const email = command.email.trim().toLowerCase();
  return await ctx.db.transaction(async (tx) => {
    await refuseUnlessManager(tx, actor);
    if (partnerId !== null && (await findPartner(tx, partnerId)) === null) throw new Refusal("not_found");
    const existing = await findUserByEmail(tx, email);
    // A partner's owner learns nothing of people elsewhere: there the invitation comes to nothing when it is followed.
    if (existing !== null && (actor.partnerId === null || existing.partnerId === actor.partnerId)) {
      const errors = [{ pointer: "/email", code: "taken", message: "is the address of somebody who is a user already" }];
      throw new Refusal("conflict", { detail: "Somebody with this address is a user already.", errors });
    }
    const createdAt = ctx.clock.now();
    const now = await readBusinessNow(tx);
    for (const { id } of await withdrawInvitations(tx, { email, partnerId }, createdAt)) {
      await insertAuditEntry(tx, { by, partnerId, action: "invitation.withdrawn", objectId: id, change: { email }, now });
    }
    const id = randomUUID();
    const token = newInvitationToken();
    const expiresAt = new Date(createdAt.getTime() + INVITATION_LIFETIME_MS);
    const tokenHash = invitationTokenHash(token);
    await insertInvitation(tx, { id, email, role, partnerId, tokenHash, invitedBy: actor.userId, createdAt, expiresAt });
    await insertAuditEntry(tx, { by, partnerId, action: "invitation.created", objectId: id, change: { email, role }, now });
    return { id, token, expiresAt };
  });
}
