import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import { lockUser } from "#db/queries/users.ts";
import type { Uses } from "#server/context.ts";
import type { By, Person } from "#server/domain/access.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { issueRecoveryCodes } from "./issue-recovery-codes.ts";

/**
 * Ten new recovery codes, told this once; the old ones end.
 *
 * @throws Refusal `invalid_state` without two factors.
 */
export async function renewRecoveryCodes(ctx: Uses<"db" | "clock">, by: By & { actor: Person }): Promise<string[]> {
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
