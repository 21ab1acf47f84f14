import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findTokenHolder, insertAccessToken, revokeAccessToken, type TokenHolder } from "#db/queries/people/access-tokens.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { accessTokenHash, hasTokenForm, newAccessToken } from "#domain/secrets.ts";
import { mustEnrol } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { authenticatePerson, type Credentials } from "./authenticate-person.ts";

export type LogIn = Omit<Credentials, "of" | "passkey">;

/** Short, because it is carried about; a person logs in again. */
const LIFETIME_SECONDS = 900;

/**
 * Issues an access token to an operator's user (contract, part 6). It is shown only once and stored hashed. It ends after `expiresIn`
 * seconds of real time, or at once when it is revoked or its user disabled.
 *
 * @throws Refusal `rate_limited`, `invalid_credentials`, also for a partner's users; `enrolment_required`.
 */
export async function logIn(
  ctx: Uses<"db" | "clock" | "passwords" | "vault" | "passkeys" | "entryRules">,
  credentials: LogIn,
): Promise<{ accessToken: string; expiresIn: number }> {
  const { user, proof } = await authenticatePerson(ctx, { ...credentials, of: "operator" });
  // A person with two factors has just given the second.
  if (mustEnrol({ ...user, hasTotp: proof !== null, hasPasskey: false }, ctx.entryRules)) throw new Refusal("enrolment_required");
  const accessToken = newAccessToken();
  const createdAt = ctx.clock.now();
  const id = randomUUID();
  await ctx.db.transaction(async (tx) => {
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_SECONDS * 1_000);
    const token = { id, tokenHash: accessTokenHash(accessToken), userId: user.id, createdAt, expiresAt };
    await insertAccessToken(tx, { ...token, byCode: proof !== null });
    await insertAuditEntry(tx, {
      by: { actor: { type: "user", userId: user.id, role: user.role, partnerId: user.partnerId }, requestId: credentials.requestId },
      partnerId: null,
      action: "user.logged_in",
      objectId: user.id,
      change: { access_token_id: id },
    });
  });
  return { accessToken, expiresIn: LIFETIME_SECONDS };
}

/** Ends an access token at once. Ending it twice changes nothing. */
export async function logOut(ctx: Uses<"db" | "clock">, { by, tokenId }: { by: By; tokenId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const userId = await revokeAccessToken(tx, tokenId, ctx.clock.now());
    if (userId === null) return;
    await insertAuditEntry(tx, {
      by,
      partnerId: null,
      action: "user.logged_out",
      objectId: userId,
      change: { access_token_id: tokenId },
    });
  });
}

/**
 * Whose access token it is, with the role that the person has at this moment. Real time.
 *
 * @throws Refusal `invalid_token` unless it is in force and its user may still sign in; `enrolment_required`.
 */
export async function authenticateAccessToken(ctx: Uses<"db" | "clock" | "entryRules">, token: string): Promise<TokenHolder> {
  const holder = hasTokenForm(token) ? await findTokenHolder(ctx.db, accessTokenHash(token), ctx.clock.now()) : null;
  if (holder === null || holder.partnerId !== null) throw new Refusal("invalid_token");
  if (mustEnrol(holder, ctx.entryRules)) throw new Refusal("enrolment_required");
  return holder;
}
