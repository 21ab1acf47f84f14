import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { setView } from "#db/queries/people/sessions.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";

/** Ends the session's view of the console as a partner's staff. `partnerId`: whose it was. Leaving twice changes nothing. */
export async function leaveView(
  ctx: Uses<"db">,
  { by, sessionId, partnerId }: { by: By & { actor: Person }; sessionId: string; partnerId: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await setView(tx, sessionId, null))) return;
    const change = { session_id: sessionId, partner_id: partnerId };
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, { by, partnerId, action: "user.view_left", objectId: by.actor.userId, change, now });
  });
}
