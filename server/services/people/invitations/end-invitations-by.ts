import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { withdrawInvitations } from "#db/queries/people/invitations.ts";
import type { By } from "#domain/access.ts";

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
