import { and, desc, eq, gt, isNull, lt, lte, ne, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { partners } from "#db/schema/partners.ts";
import { sessions, users } from "#db/schema/people.ts";
import type { Proof, UserRole } from "#domain/access.ts";
import { HAS_PASSKEY } from "./passkeys.ts";

export type SessionRecord = typeof sessions.$inferSelect;
/** Who a session belongs to, as that person is at this moment. */
export type SessionHolder = {
  sessionId: string;
  /** Hash of the secret that the session has now: a step-up changes it. */
  sidHash: string;
  userId: string;
  email: string;
  name: string;
  role: UserRole;
  partnerId: string | null;
  partnerName: string | null;
  /**
   * Set while an operator's user views the console as a partner's staff does: the user's own role. `role` and `partnerId` are then those of
   * the view, and nothing may be changed.
   */
  viewedBy: UserRole | null;
  hasTotp: boolean;
  hasPasskey: boolean;
  steppedUpAt: Date | null;
  steppedUpByCode: boolean;
  /** Whether the company's provider proved a second factor as it opened the session. */
  provenByProvider: boolean;
  lastSeenAt: Date;
  expiresAt: Date;
};

/** From where the session was opened, in wire names, as the audit log records it. */
export async function readPlace(db: Database, sessionId: string): Promise<{ address: string | null; user_agent: string | null }> {
  const [row] = await db
    .select({ address: sessions.address, user_agent: sessions.userAgent })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return row ?? { address: null, user_agent: null };
}

export async function insertSession(db: Database, session: typeof sessions.$inferInsert): Promise<void> {
  await db.insert(sessions).values(session);
}

/** Valid sessions at `now` (real time): not revoked, not expired, and used after `idleSince`. */
type InForce = { now: Date; idleSince: Date };

function inForce({ now, idleSince }: InForce) {
  return and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now), gt(sessions.lastSeenAt, idleSince));
}

/** The user of a session, with the present role; null unless it is valid and the user may still sign in. */
export async function findSessionHolder(
  db: Database,
  key: { sidHash: string } | { id: string },
  at: InForce,
): Promise<SessionHolder | null> {
  const [row] = await db
    .select({
      sessionId: sessions.id,
      sidHash: sessions.sidHash,
      userId: users.id,
      email: users.email,
      name: users.name,
      role: users.role,
      viewing: sessions.viewingAsPartnerId,
      partnerId: partners.id,
      partnerName: partners.name,
      hasTotp: users.hasTotp,
      hasPasskey: HAS_PASSKEY,
      steppedUpAt: sessions.steppedUpAt,
      steppedUpByCode: sessions.steppedUpByCode,
      provenByProvider: sessions.provenByProvider,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    // For partners' users only the users row determines the partner, whatever the session says.
    .leftJoin(partners, eq(partners.id, sql`coalesce(${users.partnerId}, ${sessions.viewingAsPartnerId})`))
    .where(and("id" in key ? eq(sessions.id, key.id) : eq(sessions.sidHash, key.sidHash), inForce(at), isNull(users.disabledAt)));
  if (row === undefined) return null;
  const { viewing, ...holder } = row;
  return viewing === null ? { ...holder, viewedBy: null } : { ...holder, role: "staff", viewedBy: row.role };
}

/** A session, and the secrets' hashes that it has and gets. */
type Renewal = { id: string; from: string; to: string };

/**
 * Records that the session's person has just given a password or code, and replaces the session's secret. Returns false when the session
 * was ended or has another secret meanwhile.
 */
export async function markSteppedUp(db: Database, { id, from, to }: Renewal, { at, byCode }: Proof): Promise<boolean> {
  const { count } = await db
    .update(sessions)
    .set({ steppedUpAt: at, steppedUpByCode: byCode, sidHash: to })
    .where(and(eq(sessions.id, id), eq(sessions.sidHash, from), isNull(sessions.revokedAt)));
  return count > 0;
}

/** Records the use of a session, unless one was recorded since `unlessAfter`. */
export async function touchSession(db: Database, id: string, now: Date, unlessAfter: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, unlessAfter)));
}

/** A person's sessions in force, the one used last first. */
export async function listSessionsOf(db: Database, userId: string, at: InForce): Promise<SessionRecord[]> {
  return await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), inForce(at)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(100);
}

/** Ends one of a person's sessions at once. Returns false when it had ended already. */
export async function revokeSession(db: Database, key: { id: string; userId: string }, now: Date): Promise<boolean> {
  const { count } = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.id, key.id), eq(sessions.userId, key.userId), isNull(sessions.revokedAt)));
  return count > 0;
}

/** Ends all of a person's sessions at once, but one. */
export async function revokeSessionsOf(db: Database, userId: string, but: { sessionId: string } | null, now: Date): Promise<number> {
  const rows = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), but === null ? undefined : ne(sessions.id, but.sessionId)))
    .returning({ id: sessions.id });
  return rows.length;
}

/** From now on the session sees the console as that partner's staff does; null: as its own person again. Answers whether that changed anything. */
export async function setView(db: Database, id: string, partnerId: string | null): Promise<boolean> {
  const { count } = await db
    .update(sessions)
    .set({ viewingAsPartnerId: partnerId })
    .where(and(eq(sessions.id, id), isNull(sessions.revokedAt), sql`${sessions.viewingAsPartnerId} is distinct from ${partnerId}`));
  return count > 0;
}

/** Forgets sessions that ran out at or before `before`. Answers how many. */
export async function deleteSessionsBefore(db: Database, before: Date): Promise<number> {
  const result = await db.delete(sessions).where(lte(sessions.expiresAt, before));
  return result.count;
}
