import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { revokeTokensOf } from "#db/queries/people/access-tokens.ts";
import { replaceRecoveryCodes } from "#db/queries/people/recovery-codes.ts";
import { revokeSessionsOf } from "#db/queries/people/sessions.ts";
import { updateUser } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { lockManagedPerson } from "#server/services/people/lock-managed-person.ts";

/**
 * For who has lost both the phone and the recovery codes: the password alone signs them in again, and all their sessions end. Who
 * decides on settlements is led to set two factors up anew where the installation asks for them.
 *
 * @throws Refusal `not_found`, `forbidden`, `step_up_required`, `invalid_state` without two factors.
 */
export async function resetTotp(ctx: Uses<"db" | "clock">, { by, userId }: { by: By & { actor: Person }; userId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { email, partnerId, sealedTotpSecret } = await lockManagedPerson({ ...ctx, db: tx }, by, userId);
    if (sealedTotpSecret === null) throw new Refusal("invalid_state", { detail: "Two-factor sign-in is not set up." });
    const realNow = ctx.clock.now();
    await updateUser(tx, userId, { sealedTotpSecret: null, sealedTotpDraft: null });
    await replaceRecoveryCodes(tx, userId, [], realNow);
    const ended = await revokeSessionsOf(tx, userId, null, realNow);
    await revokeTokensOf(tx, userId, realNow);
    const change = { email, two_factors: false, sessions_ended: ended };
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, { by, partnerId, action: "user.two_factors_reset", objectId: userId, change, now });
  });
}
