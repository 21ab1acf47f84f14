import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { spendInvitation } from "#db/queries/people/invitations.ts";
import { insertUser } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { hashNewPassword } from "#server/services/people/hash-new-password.ts";
import { readInvitation } from "./read-invitation.ts";

export type AcceptInvitation = { token: string; name: string; password: string; requestId: string | null };

/**
 * Makes a user of who holds the link, with address and role of the invitation. It works once, also of two at once.
 *
 * @throws Refusal `not_found` as reading it does, `validation_failed` for an easily guessed password, `conflict` when the address became
 *   somebody's user meanwhile.
 */
export async function acceptInvitation(
  ctx: Uses<"db" | "clock" | "passwords">,
  { token, name, password, requestId }: AcceptInvitation,
): Promise<{ email: string }> {
  const invitation = await readInvitation(ctx, token);
  const { email, role, partnerId } = invitation;
  // The slow part comes before the transaction, and only for who holds a link.
  const passwordHash = await hashNewPassword(ctx, password, [email, name], "/password");
  await ctx.db.transaction(async (tx) => {
    if (!(await spendInvitation(tx, invitation.id, ctx.clock.now())))
      throw new Refusal("not_found", { detail: "The invitation was used, was withdrawn or has run out." });
    const userId = randomUUID();
    const now = await readBusinessNow(tx);
    if (!(await insertUser(tx, { id: userId, email, name, passwordHash, role, partnerId, createdAt: now })))
      throw new Refusal("conflict", { detail: "There is a user with this address already." });
    const by = { actor: { type: "user", userId, role, partnerId }, requestId } as const;
    const change = { email, name, role, invited_by: invitation.invitedBy, invitation_id: invitation.id };
    await insertAuditEntry(tx, { by, partnerId, action: "user.joined", objectId: userId, change, now });
  });
  return { email };
}
