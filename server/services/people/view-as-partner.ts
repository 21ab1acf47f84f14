import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import { findPartner } from "#db/queries/partners.ts";
import { setView } from "#db/queries/sessions.ts";
import type { Uses } from "#server/context.ts";
import { type By, type Person, refuseUnlessOperator } from "#server/domain/access.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { isUuid } from "#server/domain/uuid.ts";

export type ViewAsPartner = { by: By & { actor: Person }; sessionId: string; partnerId: string };

/**
 * From its next call on, the session sees the console as the partner's staff does, and can change nothing. The partner's own audit log
 * tells that somebody looked.
 *
 * @throws Refusal `forbidden` for a partner's people, `not_found`.
 */
export async function viewAsPartner(ctx: Uses<"db">, { by, sessionId, partnerId }: ViewAsPartner): Promise<void> {
  refuseUnlessOperator(by.actor, "read");
  await ctx.db.transaction(async (tx) => {
    if (!isUuid(partnerId) || (await findPartner(tx, partnerId)) === null) throw new Refusal("not_found");
    if (!(await setView(tx, sessionId, partnerId))) return;
    const change = { session_id: sessionId, partner_id: partnerId };
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, { by, partnerId, action: "user.view_begun", objectId: by.actor.userId, change, now });
  });
}
