import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { insertSession } from "#db/queries/people/sessions.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { newSessionSecret, SESSION_LIFETIME_MS, sessionHash } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { authenticatePerson, type Credentials } from "./authenticate-person.ts";

export type OpenSession = Omit<Credentials, "of"> & { userAgent: string | null };

const LONGEST_USER_AGENT = 400;

/**
 * Signs a person of the operator's or of a partner's in to the console. The answered secret is told this once and stored hashed.
 *
 * @throws Refusal `rate_limited`, `invalid_credentials`, `one_time_code_required`.
 */
export async function openSession(
  ctx: Uses<"db" | "clock" | "passwords" | "vault">,
  { userAgent, ...credentials }: OpenSession,
): Promise<{ userId: string; secret: string }> {
  const user = await authenticatePerson(ctx, { ...credentials, of: "anybody" });
  const secret = newSessionSecret();
  const now = ctx.clock.now();
  const id = randomUUID();
  await ctx.db.transaction(async (tx) => {
    await insertSession(tx, {
      id,
      sidHash: sessionHash(secret),
      userId: user.id,
      createdAt: now,
      lastSeenAt: now,
      // Password and code were given this very moment.
      steppedUpAt: now,
      steppedUpByCode: user.sealedTotpSecret !== null,
      expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
      address: credentials.address,
      userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
    });
    await insertAuditEntry(tx, {
      by: { actor: { type: "user", userId: user.id, role: user.role, partnerId: user.partnerId }, requestId: credentials.requestId },
      partnerId: user.partnerId,
      action: "user.signed_in",
      objectId: user.id,
      change: { session_id: id, address: credentials.address },
      now: await readBusinessNow(tx),
    });
  });
  return { userId: user.id, secret };
}
