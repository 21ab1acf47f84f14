import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { takeFromBudget } from "#db/queries/people/login-tries.ts";
import type { UserRecord } from "#db/queries/people/users.ts";
import { SYSTEM } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";
import { triesFor } from "#server/services/access/guard-tries.ts";

type RefusedSignIn = { wrong: "password" | "code" | "passkey"; address: string; requestId: string | null };

/**
 * Records a wrong password, code or passkey for a person in the audit log, which the person sees under *Account*. Of each kind, ten at once
 * and then one an hour are recorded, so that strangers cannot fill a log that is kept for ever. In real time.
 */
export async function recordRefusedSignIn(ctx: Uses<"db" | "clock">, user: UserRecord, refused: RefusedSignIn): Promise<void> {
  const { wrong, address, requestId } = refused;
  await ctx.db.transaction(async (tx) => {
    if ((await takeFromBudget(tx, triesFor(`refused sign-ins: ${wrong} ${user.id}`, 10, 3_600), ctx.clock.now())) !== null) return;
    await insertAuditEntry(tx, {
      // Nobody knows who it was.
      by: { ...SYSTEM, requestId },
      partnerId: user.partnerId,
      action: "user.sign_in_refused",
      objectId: user.id,
      change: { wrong, address },
    });
  });
}
