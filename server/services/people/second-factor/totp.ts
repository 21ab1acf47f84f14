import { randomBytes } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { revokeTokensOf } from "#db/queries/people/access-tokens.ts";
import { countPasskeys, deletePasskeysOf } from "#db/queries/people/passkeys.ts";
import { changeSecrets, forgetAuthenticator, readSecrets } from "#db/queries/people/person-secrets.ts";
import { replaceRecoveryCodes } from "#db/queries/people/recovery-codes.ts";
import { readPlace, revokeSessionsOf } from "#db/queries/people/sessions.ts";
import { lockUser, UNCONFIRMED, updateUser } from "#db/queries/people/users.ts";
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
 * Creates a secret for the person's authenticator app, shown only once. It takes effect with {@link confirmTotp}; until then an existing
 * one stays valid. Starting again discards a pending one.
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
    await changeSecrets(tx, userId, { sealedTotpDraft: ctx.vault.seal(secret.toString("base64"), totpDraftOf(userId)) });
    return { secret: base32(secret), link: totpLink(secret, issuer, user.email) };
  });
}

/**
 * Activates the authenticator once a code proves that it has the secret: every later sign-in asks for a second factor. Returns the recovery
 * codes, shown only once. All of the person's other sessions and access tokens end, because they were opened with only a password or
 * another phone. It replaces an existing secret and its recovery codes. Of two concurrent calls, one wins.
 *
 * @throws Refusal `step_up_required`, `invalid_state` without a pending secret, `validation_failed` for a wrong code.
 */
export async function confirmTotp(
  ctx: Uses<"db" | "clock" | "vault">,
  { by, sessionId, code }: { by: ByPerson; sessionId: string; code: string },
): Promise<string[]> {
  refuseUnlessProven(by, ctx.clock.now());
  const { userId, partnerId } = by.actor;
  return await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    const { sealedTotpDraft = null } = (await readSecrets(tx, userId)) ?? {};
    if (user === null || sealedTotpDraft === null)
      throw new Refusal("invalid_state", { detail: "Start again. There is no secret that waits for a code." });
    const secret = ctx.vault.open(sealedTotpDraft, totpDraftOf(userId));
    const step = matchTotp(Buffer.from(secret, "base64"), code.replaceAll(" ", ""), ctx.clock.now());
    if (step === null) {
      const message = "is not the code that the app shows now";
      throw new Refusal("validation_failed", { errors: [{ pointer: "/code", code: "wrong_code", message }] });
    }
    const sealedTotpSecret = ctx.vault.seal(secret, totpSecretOf(userId));
    await changeSecrets(tx, userId, { sealedTotpSecret, sealedTotpDraft: null, lastTotpStep: step });
    const ended = await revokeSessionsOf(tx, userId, { sessionId }, ctx.clock.now());
    await revokeTokensOf(tx, userId, ctx.clock.now());
    const place = await readPlace(tx, sessionId);
    const change = { two_factors: true, in_place_of_another: user.hasTotp, other_sessions_ended: ended, ...place };
    await insertAuditEntry(tx, { by, partnerId, action: "user.two_factors_on", objectId: userId, change });
    return await issueRecoveryCodes(tx, userId, ctx.clock.now());
  });
}

/**
 * Removes the authenticator. Without a passkey, the password alone is then enough to sign in, and the recovery codes go too.
 *
 * @throws Refusal `step_up_required`, `forbidden` for a person who decides on settlements where the installation requires two factors,
 * `invalid_state` without an authenticator.
 */
export async function switchOffTotp(ctx: Uses<"db" | "clock" | "entryRules">, by: ByPerson): Promise<void> {
  refuseUnlessProven(by, ctx.clock.now());
  const { userId, partnerId } = by.actor;
  await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user?.hasTotp) throw new Refusal("invalid_state", { detail: "Two-factor sign-in is not set up." });
    const passkeys = await countPasskeys(tx, userId);
    if (mustEnrol({ role: user.role, hasTotp: false, hasPasskey: passkeys > 0 }, ctx.entryRules))
      throw new Refusal("forbidden", { detail: "Your role decides on settlements and requires two factors." });
    await changeSecrets(tx, userId, { sealedTotpSecret: null, sealedTotpDraft: null });
    if (passkeys === 0) await updateUser(tx, userId, UNCONFIRMED);
    // Recovery codes also back up passkeys.
    if (passkeys === 0) await replaceRecoveryCodes(tx, userId, [], ctx.clock.now());
    const change = { two_factors: passkeys > 0, ...(passkeys > 0 && { passkeys }) };
    await insertAuditEntry(tx, { by, partnerId, action: "user.two_factors_off", objectId: userId, change });
  });
}

/**
 * Resets the second factors of a person who has lost phone, passkeys and recovery codes: the password alone is then enough to sign in, and
 * all sessions end. Where the installation requires two factors, a person who decides on settlements must enrol again.
 *
 * @throws Refusal `not_found`, `forbidden`, `step_up_required`, `invalid_state` without two factors.
 */
export async function resetFactors(ctx: Uses<"db" | "clock">, { by, userId }: { by: ByPerson; userId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const person = await lockManagedPerson({ ...ctx, db: tx }, by, userId);
    const { email, partnerId } = person;
    if (!(await hasFactor(tx, person))) throw new Refusal("invalid_state", { detail: "Two-factor sign-in is not set up." });
    const realNow = ctx.clock.now();
    await forgetAuthenticator(tx, userId);
    await updateUser(tx, userId, UNCONFIRMED);
    const passkeys = await deletePasskeysOf(tx, userId);
    await replaceRecoveryCodes(tx, userId, [], realNow);
    const ended = await revokeSessionsOf(tx, userId, null, realNow);
    await revokeTokensOf(tx, userId, realNow);
    const change = { email, two_factors: false, sessions_ended: ended, ...(passkeys > 0 && { passkeys_removed: passkeys }) };
    await insertAuditEntry(tx, { by, partnerId, action: "user.two_factors_reset", objectId: userId, change });
  });
}
