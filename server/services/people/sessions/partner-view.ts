import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { setView } from "#db/queries/people/sessions.ts";
import { type ByPerson, refuseUnlessOperator } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

export type ViewAsPartner = { by: ByPerson; sessionId: string; partnerId: string };

/**
 * From its next call on, the session sees the console as the partner's staff does, read-only. The partner's own audit log records the
 * visit.
 *
 * @throws Refusal `forbidden` for a partner's users, `not_found`.
 */
export async function viewAsPartner(ctx: Uses<"db">, { by, sessionId, partnerId }: ViewAsPartner): Promise<void> {
  refuseUnlessOperator(by.actor, "read");
  await ctx.db.transaction(async (tx) => {
    if (!isUuid(partnerId) || (await findPartner(tx, partnerId)) === null) throw new Refusal("not_found");
    if (!(await setView(tx, sessionId, partnerId))) return;
    const change = { session_id: sessionId, partner_id: partnerId };
    await insertAuditEntry(tx, { by, partnerId, action: "user.view_begun", objectId: by.actor.userId, change });
  });
}

/** Ends the session's view of the console as a partner's staff. `partnerId`: whose it was. Leaving twice changes nothing. */
export async function leaveView(
  ctx: Uses<"db">,
  { by, sessionId, partnerId }: { by: ByPerson; sessionId: string; partnerId: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await setView(tx, sessionId, null))) return;
    const change = { session_id: sessionId, partner_id: partnerId };
    await insertAuditEntry(tx, { by, partnerId, action: "user.view_left", objectId: by.actor.userId, change });
  });
}
