import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { lockUser } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { issueRecoveryCodes } from "./issue-recovery-codes.ts";

/**
 * Ten new recovery codes, told this once; the old ones end.
 *
 * @throws Refusal `step_up_required`, `invalid_state` without two factors.
 */
export async function renewRecoveryCodes(ctx: Uses<"db" | "clock">, by: By & { actor: Person }): Promise<string[]> {
  refuseUnlessProven(by, ctx.clock.now());
  const { userId, partnerId } = by.actor;
  return await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user?.sealedTotpSecret) throw new Refusal("invalid_state", { detail: "Two-factor sign-in is not set up." });
    const codes = await issueRecoveryCodes(tx, userId, ctx.clock.now());
    const now = await readBusinessNow(tx);
    const change = { count: codes.length };
    await insertAuditEntry(tx, { by, partnerId, action: "user.recovery_codes_renewed", objectId: userId, change, now });
    return codes;
  });
}
