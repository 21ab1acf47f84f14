import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { insertAccessToken } from "#db/queries/people/access-tokens.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { accessTokenHash, newAccessToken } from "#domain/access-token.ts";
import { Refusal } from "#domain/refusal.ts";
import { mustEnrol } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { authenticatePerson, type Credentials } from "./authenticate-person.ts";

export type LogIn = Omit<Credentials, "of">;

/** Short, because it is carried about; a person logs in again. */
const LIFETIME_SECONDS = 900;

/**
 * An access token for one of the operator's people (contract, part 6). It is told this once and stored hashed; it ends after
 * `expiresIn` seconds of real time, or at once when it is revoked or its user disabled.
 *
 * @throws Refusal `rate_limited`, `invalid_credentials`, also for a partner's people; `enrolment_required`.
 */
export async function logIn(
  ctx: Uses<"db" | "clock" | "passwords" | "vault" | "entryRules">,
  credentials: LogIn,
): Promise<{ accessToken: string; expiresIn: number }> {
  const user = await authenticatePerson(ctx, { ...credentials, of: "operator" });
  if (mustEnrol({ ...user, hasTotp: user.sealedTotpSecret !== null }, ctx.entryRules)) throw new Refusal("enrolment_required");
  const accessToken = newAccessToken();
  const createdAt = ctx.clock.now();
  const id = randomUUID();
  await ctx.db.transaction(async (tx) => {
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_SECONDS * 1_000);
    const token = { id, tokenHash: accessTokenHash(accessToken), userId: user.id, createdAt, expiresAt };
    await insertAccessToken(tx, { ...token, byCode: user.sealedTotpSecret !== null });
    await insertAuditEntry(tx, {
      by: { actor: { type: "user", userId: user.id, role: user.role, partnerId: user.partnerId }, requestId: credentials.requestId },
      partnerId: null,
      action: "user.logged_in",
      objectId: user.id,
      change: { access_token_id: id },
      now: await readBusinessNow(tx),
    });
  });
  return { accessToken, expiresIn: LIFETIME_SECONDS };
}
