import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { countRecoveryCodes, spendRecoveryCode } from "#db/queries/people/recovery-codes.ts";
import { spendTotpStep, type UserRecord } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { recoveryCodeHash } from "#domain/recovery-code.ts";
import { matchTotp } from "#domain/totp.ts";
import type { Uses } from "#server/context.ts";

export type SpentCode = "one_time_code" | "recovery_code";

/**
 * Uses up what the person typed: the authenticator's code of about now, or one of the recovery codes. Each works once, also of two
 * at once. Null: it was neither, or was used before. Real time.
 */
export async function spendCode(
  ctx: Uses<"db" | "clock" | "vault">,
  user: UserRecord,
  typed: string,
  requestId: string | null,
): Promise<SpentCode | null> {
  if (user.sealedTotpSecret === null) return null;
  const now = ctx.clock.now();
  const codeHash = recoveryCodeHash(typed);
  if (codeHash === null) {
    const secret = Buffer.from(ctx.vault.open(user.sealedTotpSecret), "base64");
    const step = matchTotp(secret, typed.replaceAll(" ", ""), now);
    return step !== null && (await spendTotpStep(ctx.db, user.id, step)) ? "one_time_code" : null;
  }
  return await ctx.db.transaction(async (tx) => {
    if (!(await spendRecoveryCode(tx, user.id, codeHash, now))) return null;
    const { id: userId, role, partnerId } = user;
    await insertAuditEntry(tx, {
      by: { actor: { type: "user", userId, role, partnerId }, requestId },
      partnerId,
      action: "user.recovery_code_spent",
      objectId: userId,
      change: { left: await countRecoveryCodes(tx, userId) },
      now: await readBusinessNow(tx),
    });
    return "recovery_code";
  });
}
