import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { replaceRecoveryCodes } from "#db/queries/people/recovery-codes.ts";
import { lockUser, updateUser } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { mustEnrol, refuseUnlessProven } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";

/**
 * Lets the password alone sign the person in again; secret and recovery codes are forgotten.
 *
 * @throws Refusal `step_up_required`, `forbidden` for who decides on settlements where the installation asks for two factors, `invalid_state` without them.
 */
export async function switchOffTotp(ctx: Uses<"db" | "clock" | "entryRules">, by: By & { actor: Person }): Promise<void> {
  refuseUnlessProven(by, ctx.clock.now());
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user?.sealedTotpSecret) throw new Refusal("invalid_state", { detail: "Two-factor sign-in is not set up." });
    if (mustEnrol({ role: user.role, hasTotp: false }, ctx.entryRules))
      throw new Refusal("forbidden", { detail: "Your role decides on settlements, and signs in with two factors." });
    await updateUser(tx, userId, { sealedTotpSecret: null, sealedTotpDraft: null });
    await replaceRecoveryCodes(tx, userId, [], ctx.clock.now());
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, { by, partnerId, action: "user.two_factors_off", objectId: userId, change: { two_factors: false }, now });
  });
}
