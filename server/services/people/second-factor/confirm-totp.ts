import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { lockUser, updateUser } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { matchTotp } from "#domain/totp.ts";
import type { Uses } from "#server/context.ts";
import { issueRecoveryCodes } from "./issue-recovery-codes.ts";

/**
 * Switches two factors on, once a code shows that the authenticator has the secret: every sign-in asks for one from now on. Answers the
 * recovery codes, told this once. A secret that was in force, on another phone, ends, and with it the codes before. Of two at once, one wins.
 *
 * @throws Refusal `step_up_required`, `invalid_state` when nothing was begun, `validation_failed` for a wrong code.
 */
export async function confirmTotp(
  ctx: Uses<"db" | "clock" | "vault">,
  { by, code }: { by: By & { actor: Person }; code: string },
): Promise<string[]> {
  refuseUnlessProven(by, ctx.clock.now());
  const { userId, partnerId } = by.actor;
  return await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user?.sealedTotpDraft) throw new Refusal("invalid_state", { detail: "Begin anew: there is no secret that awaits a code." });
    const step = matchTotp(Buffer.from(ctx.vault.open(user.sealedTotpDraft), "base64"), code.replaceAll(" ", ""), ctx.clock.now());
    if (step === null) {
      const message = "is not the code that the app shows now";
      throw new Refusal("validation_failed", { errors: [{ pointer: "/code", code: "wrong_code", message }] });
    }
    await updateUser(tx, userId, { sealedTotpSecret: user.sealedTotpDraft, sealedTotpDraft: null, lastTotpStep: step });
    const change = { two_factors: true, in_place_of_another: user.sealedTotpSecret !== null };
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, { by, partnerId, action: "user.two_factors_on", objectId: userId, change, now });
    return await issueRecoveryCodes(tx, userId, ctx.clock.now());
  });
}
