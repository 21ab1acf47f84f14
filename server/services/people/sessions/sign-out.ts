import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findSessionHolder, revokeSession } from "#db/queries/people/sessions.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { SESSION_IDLE_MS } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";

/** Ends the session of that hash at once. Ending what has ended changes nothing. */
export async function signOut(ctx: Uses<"db" | "clock">, sidHash: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const holder = await findSessionHolder(tx, sidHash, { now, idleSince: new Date(now.getTime() - SESSION_IDLE_MS) });
    if (holder === null) return;
    const { sessionId, userId, role, partnerId } = holder;
    if (!(await revokeSession(tx, { id: sessionId, userId }, now))) return;
    await insertAuditEntry(tx, {
      by: { actor: { type: "user", userId, role, partnerId }, requestId: null },
      partnerId,
      action: "user.signed_out",
      objectId: userId,
      change: { session_id: sessionId },
      now: await readBusinessNow(tx),
    });
  });
}
