import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { takeFromBudget } from "#db/queries/people/login-tries.ts";
import type { UserRecord } from "#db/queries/people/users.ts";
import { SYSTEM } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";
import { triesFor } from "#server/services/access/guard-tries.ts";

type RefusedSignIn = { wrong: "password" | "code" | "passkey"; address: string; requestId: string | null };

/**
 * Enters in the audit log that somebody gave a wrong password, code or passkey for this person, who is shown it under *Account*. Of each kind ten at once
 * and then one an hour are entered: strangers must not be able to fill a log that is kept for ever. Real time decides.
 */
export async function recordRefusedSignIn(ctx: Uses<"db" | "clock">, user: UserRecord, refused: RefusedSignIn): Promise<void> {
  const { wrong, address, requestId } = refused;
  await ctx.db.transaction(async (tx) => {
    if ((await takeFromBudget(tx, triesFor(`refused sign-ins: ${wrong} ${user.id}`, 10, 3_600), ctx.clock.now())) !== null) return;
    await insertAuditEntry(tx, {
      // Who it was nobody knows.
      by: { ...SYSTEM, requestId },
      partnerId: user.partnerId,
      action: "user.sign_in_refused",
      objectId: user.id,
      change: { wrong, address },
    });
  });
}
