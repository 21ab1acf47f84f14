import { revokeTokensOf } from "#db/queries/access-tokens.ts";
import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import { replaceRecoveryCodes } from "#db/queries/recovery-codes.ts";
import { revokeSessionsOf } from "#db/queries/sessions.ts";
import { updateUser } from "#db/queries/users.ts";
import type { Uses } from "#server/context.ts";
import type { By, Person } from "#server/domain/access.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { lockManagedPerson } from "./lock-managed-person.ts";

/**
 * For who has lost both the phone and the recovery codes: the password alone signs them in again, and all their sessions end. Who
 * decides on settlements is led to set two factors up anew where the installation asks for them.
 *
 * @throws Refusal `not_found`, `forbidden`, `invalid_state` without two factors.
 */
export async function resetTotp(ctx: Uses<"db" | "clock">, { by, userId }: { by: By & { actor: Person }; userId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { email, partnerId, sealedTotpSecret } = await lockManagedPerson(tx, by.actor, userId);
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
