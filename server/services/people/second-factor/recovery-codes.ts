import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { countPasskeys } from "#db/queries/people/passkeys.ts";
import { readSecrets, spendTotpStep } from "#db/queries/people/person-secrets.ts";
import { countRecoveryCodes, replaceRecoveryCodes, spendRecoveryCode } from "#db/queries/people/recovery-codes.ts";
import { listRefusedSignIns, type RefusedSignIn } from "#db/queries/people/refused-sign-ins.ts";
import { lockUser, type UserRecord } from "#db/queries/people/users.ts";
import type { ByPerson } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { totpSecretOf } from "#domain/sealed-place.ts";
import { newRecoveryCodes, recoveryCodeHash } from "#domain/secrets.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { matchTotp } from "#domain/totp.ts";
import type { Uses } from "#server/context.ts";

/** Ten new codes, shown only once and stored hashed. Earlier codes become invalid. `now`: real time. */
export async function issueRecoveryCodes(tx: Database, userId: string, now: Date): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.flatMap((code) => recoveryCodeHash(code) ?? []);
  await replaceRecoveryCodes(tx, userId, hashes, now);
  return codes;
}

/**
 * Ten new recovery codes, shown only once; the old ones become invalid.
 *
 * @throws Refusal `step_up_required`, `invalid_state` without two factors.
 */
export async function renewRecoveryCodes(ctx: Uses<"db" | "clock">, by: ByPerson): Promise<string[]> {
  refuseUnlessProven(by, ctx.clock.now());
  const { userId, partnerId } = by.actor;
  return await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null || !(await hasFactor(tx, user))) throw new Refusal("invalid_state", { detail: "Two-factor sign-in is not set up." });
    const codes = await issueRecoveryCodes(tx, userId, ctx.clock.now());
    const change = { count: codes.length };
    await insertAuditEntry(tx, { by, partnerId, action: "user.recovery_codes_renewed", objectId: userId, change });
    return codes;
  });
}

/** The number of unused recovery codes, and recent failed sign-ins of the person, newest first. */
export async function readSecondFactor(
  ctx: Uses<"db">,
  userId: string,
): Promise<{ recoveryCodesLeft: number; refusedSignIns: readonly RefusedSignIn[] }> {
  const [recoveryCodesLeft, refusedSignIns] = [await countRecoveryCodes(ctx.db, userId), await listRefusedSignIns(ctx.db, userId)];
  return { recoveryCodesLeft, refusedSignIns };
}

/** Whether the person, locked by then, proves with more than the password. */
export async function hasFactor(tx: Database, { id, hasTotp }: UserRecord): Promise<boolean> {
  return hasTotp || (await countPasskeys(tx, id)) > 0;
}

export type SpentCode = "one_time_code" | "recovery_code";

/**
 * Uses up the code that a person with two factors entered: a current authenticator code, or a recovery code. Each works once, also
 * concurrently. Null: it was neither, or was used before. Real time.
 */
export async function spendCode(
  ctx: Uses<"db" | "clock" | "vault">,
  user: UserRecord,
  typed: string,
  requestId: string | null,
): Promise<SpentCode | null> {
  const now = ctx.clock.now();
  const codeHash = recoveryCodeHash(typed);
  if (codeHash === null) {
    const { sealedTotpSecret = null } = (await readSecrets(ctx.db, user.id)) ?? {};
    if (sealedTotpSecret === null) return null;
    const secret = Buffer.from(ctx.vault.open(sealedTotpSecret, totpSecretOf(user.id)), "base64");
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
    });
    return "recovery_code";
  });
}
