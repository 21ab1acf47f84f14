import { randomBytes } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { revokeTokensOf } from "#db/queries/people/access-tokens.ts";
import { countPasskeys, deletePasskeysOf } from "#db/queries/people/passkeys.ts";
import { replaceRecoveryCodes } from "#db/queries/people/recovery-codes.ts";
import { revokeSessionsOf } from "#db/queries/people/sessions.ts";
import { lockUser, updateUser } from "#db/queries/people/users.ts";
import type { ByPerson } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { totpDraftOf, totpSecretOf } from "#domain/sealed-place.ts";
import { mustEnrol, refuseUnlessProven } from "#domain/session.ts";
import { base32, matchTotp, totpLink } from "#domain/totp.ts";
import type { Uses } from "#server/context.ts";
import { lockManagedPerson } from "#server/services/people/lock-managed-person.ts";
import { hasFactor, issueRecoveryCodes } from "./recovery-codes.ts";

const SECRET_BYTES = 20;

/**
 * A new secret for the person's authenticator app, told this once; nothing asks for its codes until {@link confirmTotp}, and one that
 * is in force stays so until then. Beginning again forgets the one that was begun before.
 *
 * @throws Refusal `step_up_required`.
 */
export async function beginTotp(
  ctx: Uses<"db" | "clock" | "vault">,
  { by, issuer }: { by: ByPerson; issuer: string },
): Promise<{ secret: string; link: string }> {
  refuseUnlessProven(by, ctx.clock.now());
  const { userId } = by.actor;
  const secret = randomBytes(SECRET_BYTES);
  return await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === null) throw new Refusal("invalid_token");
    await updateUser(tx, userId, { sealedTotpDraft: ctx.vault.seal(secret.toString("base64"), totpDraftOf(userId)) });
    return { secret: base32(secret), link: totpLink(secret, issuer, user.email) };
  });
}

/**
 * Switches two factors on, once a code shows that the authenticator has the secret: every sign-in asks for one from now on. Answers the
 * recovery codes, told this once. All of the person's other sessions and access tokens end: they were opened with a password alone, or with another
 * phone. A secret that was in force there ends, and with it the codes before. Of two at once, one wins.
 *
 * @throws Refusal `step_up_required`, `invalid_state` when nothing was begun, `validation_failed` for a wrong code.
 */
export async function confirmTotp(
  ctx: Uses<"db" | "clock" | "vault">,
  { by, sessionId, code }: { by: ByPerson; sessionId: string; code: string },
): Promise<string[]> {
  refuseUnlessProven(by, ctx.clock.now());
  const { userId, partnerId } = by.actor;
  return await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user?.sealedTotpDraft) throw new Refusal("invalid_state", { detail: "Start again. There is no secret that waits for a code." });
    const secret = ctx.vault.open(user.sealedTotpDraft, totpDraftOf(userId));
    const step = matchTotp(Buffer.from(secret, "base64"), code.replaceAll(" ", ""), ctx.clock.now());
    if (step === null) {
      const message = "is not the code that the app shows now";
      throw new Refusal("validation_failed", { errors: [{ pointer: "/code", code: "wrong_code", message }] });
    }
    const sealedTotpSecret = ctx.vault.seal(secret, totpSecretOf(userId));
    await updateUser(tx, userId, { sealedTotpSecret, sealedTotpDraft: null, lastTotpStep: step });
    const ended = await revokeSessionsOf(tx, userId, { sessionId }, ctx.clock.now());
    await revokeTokensOf(tx, userId, ctx.clock.now());
    const change = { two_factors: true, in_place_of_another: user.sealedTotpSecret !== null, other_sessions_ended: ended };
    await insertAuditEntry(tx, { by, partnerId, action: "user.two_factors_on", objectId: userId, change });
    return await issueRecoveryCodes(tx, userId, ctx.clock.now());
  });
}

/**
 * Asks for the app's codes no more: the secret is forgotten. Without a passkey the password alone signs the person in again, and the
 * recovery codes go too.
 *
 * @throws Refusal `step_up_required`, `forbidden` for who decides on settlements where the installation asks for two factors, `invalid_state` without them.
 */
export async function switchOffTotp(ctx: Uses<"db" | "clock" | "entryRules">, by: ByPerson): Promise<void> {
  refuseUnlessProven(by, ctx.clock.now());
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user?.sealedTotpSecret) throw new Refusal("invalid_state", { detail: "Two-factor sign-in is not set up." });
    const passkeys = await countPasskeys(tx, userId);
    if (mustEnrol({ role: user.role, hasTotp: false, hasPasskey: passkeys > 0 }, ctx.entryRules))
      throw new Refusal("forbidden", { detail: "Your role decides on settlements and requires two factors." });
    await updateUser(tx, userId, { sealedTotpSecret: null, sealedTotpDraft: null });
    // Recovery codes stand in for passkeys as well.
    if (passkeys === 0) await replaceRecoveryCodes(tx, userId, [], ctx.clock.now());
    const change = { two_factors: passkeys > 0, ...(passkeys > 0 && { passkeys }) };
    await insertAuditEntry(tx, { by, partnerId, action: "user.two_factors_off", objectId: userId, change });
  });
}

/**
 * For who has lost the phone, the passkeys and the recovery codes: the password alone signs them in again, and all their sessions end. Who
 * decides on settlements is led to set two factors up again where the installation asks for them.
 *
 * @throws Refusal `not_found`, `forbidden`, `step_up_required`, `invalid_state` without two factors.
 */
export async function resetFactors(ctx: Uses<"db" | "clock">, { by, userId }: { by: ByPerson; userId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const person = await lockManagedPerson({ ...ctx, db: tx }, by, userId);
    const { email, partnerId } = person;
    if (!(await hasFactor(tx, person))) throw new Refusal("invalid_state", { detail: "Two-factor sign-in is not set up." });
    const realNow = ctx.clock.now();
    await updateUser(tx, userId, { sealedTotpSecret: null, sealedTotpDraft: null });
    const passkeys = await deletePasskeysOf(tx, userId);
    await replaceRecoveryCodes(tx, userId, [], realNow);
    const ended = await revokeSessionsOf(tx, userId, null, realNow);
    await revokeTokensOf(tx, userId, realNow);
    const change = { email, two_factors: false, sessions_ended: ended, ...(passkeys > 0 && { passkeys_removed: passkeys }) };
    await insertAuditEntry(tx, { by, partnerId, action: "user.two_factors_reset", objectId: userId, change });
  });
}
