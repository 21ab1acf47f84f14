import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { revokeSession } from "#db/queries/people/sessions.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

export type EndSession = { by: By & { actor: Person }; sessionId: string };

/**
 * Ends one of the person's own sessions; its next call is refused.
 *
 * @throws Refusal `not_found` for a session that has ended or is somebody else's.
 */
export async function endSession(ctx: Uses<"db" | "clock">, { by, sessionId }: EndSession): Promise<void> {
  if (!isUuid(sessionId)) throw new Refusal("not_found");
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    if (!(await revokeSession(tx, { id: sessionId, userId }, ctx.clock.now()))) throw new Refusal("not_found");
    const now = await readBusinessNow(tx);
    const change = { session_id: sessionId };
    await insertAuditEntry(tx, { by, partnerId, action: "user.signed_out", objectId: userId, change, now });
  });
}
