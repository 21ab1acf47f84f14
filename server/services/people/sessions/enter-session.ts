import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { enterNewPlace } from "#db/queries/notifications/facts.ts";
import { insertSession } from "#db/queries/people/sessions.ts";
import type { Proof, UserRole } from "#domain/access.ts";
import { newSessionSecret, SESSION_LIFETIME_MS, sessionHash } from "#domain/session.ts";

export type EnterSession = {
  user: { id: string; role: UserRole; partnerId: string | null };
  now: Date;
  /** What the sign-in has proven for a step-up; null: nothing. */
  proof: Proof | null;
  client: { address: string; userAgent: string | null; requestId: string | null };
  /** Whether the person has signed in from there lately. */
  isKnown: boolean;
  /** The company's identity that opened it, where one did. */
  by?: { identityId: string; providerSid: string | null; provenByProvider: boolean };
  /** How, for the audit log. */
  change?: Record<string, unknown>;
};

const LONGEST_USER_AGENT = 400;

/** Opens a session in the caller's transaction. The returned secret is stored hashed. */
export async function enterSession(tx: Database, { user, now, proof, client, isKnown, by, change }: EnterSession): Promise<string> {
  const [id, secret] = [randomUUID(), newSessionSecret()];
  const { address, userAgent, requestId } = client;
  await insertSession(tx, {
    id,
    sidHash: sessionHash(secret),
    userId: user.id,
    createdAt: now,
    lastSeenAt: now,
    steppedUpAt: proof?.at ?? null,
    steppedUpByCode: proof?.byCode ?? false,
    expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
    address,
    userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
    ...by,
  });
  await insertAuditEntry(tx, {
    by: { actor: { type: "user", userId: user.id, role: user.role, partnerId: user.partnerId }, requestId },
    partnerId: user.partnerId,
    action: "user.signed_in",
    objectId: user.id,
    change: { session_id: id, address, ...change },
  });
  if (!isKnown) await enterNewPlace(tx, { userId: user.id, sessionId: id, address, now });
  return secret;
}
