import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { markSteppedUp } from "#db/queries/people/sessions.ts";
import { findUser, type UserRecord } from "#db/queries/people/users.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By, Person } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { guardTries, triesFor } from "#server/services/access/guard-tries.ts";
import { type SpentCode, spendCode } from "#server/services/people/second-factor/spend-code.ts";
import { triesAt } from "./authenticate-person.ts";

export type StepUp = {
  by: By & { actor: Person };
  sessionId: string;
  address: string;
  /** The one-time code or a recovery code where the person has two factors, else the password. */
  proof: string;
};

type Powers = Uses<"db" | "clock" | "passwords" | "vault">;

/**
 * The session's person proves anew that it is them: for five minutes of real time the session may do what asks for that. Wrong tries
 * count as at the sign-in, and against the session: whoever holds a stolen one has few guesses at a code.
 *
 * @throws Refusal `rate_limited`, `invalid_credentials`, `invalid_token` when the session was ended meanwhile.
 */
export async function stepUp(ctx: Powers, { by, sessionId, address, proof }: StepUp): Promise<void> {
  const { userId, partnerId } = by.actor;
  const user = await findUser(ctx.db, userId);
  if (user === null || user.disabledAt !== null) throw new Refusal("invalid_token");
  const budgets = [triesFor(`step-up: ${sessionId}`, 5, 60), triesAt(user.email, address)];
  const method = await guardTries(ctx, budgets, () => prove(ctx, user, proof, by.requestId));
  await ctx.db.transaction(async (tx) => {
    if (!(await markSteppedUp(tx, sessionId, { at: ctx.clock.now(), byCode: method !== "password" }))) throw new Refusal("invalid_token");
    const now = await readBusinessNow(tx);
    const change = { session_id: sessionId, method };
    await insertAuditEntry(tx, { by, partnerId, action: "user.stepped_up", objectId: userId, change, now });
  });
}

async function prove(ctx: Powers, user: UserRecord, proof: string, requestId: string | null): Promise<SpentCode | "password"> {
  if (user.sealedTotpSecret === null) {
    if (await ctx.passwords.verify(user.passwordHash, proof)) return "password";
    throw new Refusal("invalid_credentials", { detail: "That is not your password." });
  }
  const spent = await spendCode(ctx, user, proof, requestId);
  if (spent !== null) return spent;
  throw new Refusal("invalid_credentials", { detail: "That code is wrong, or was used before." });
}
