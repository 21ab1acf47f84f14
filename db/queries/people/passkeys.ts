import { and, asc, count, eq, gt, isNull, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { passkeyChallenges, passkeys } from "#db/schema/passkeys.ts";

export type PasskeyRecord = typeof passkeys.$inferSelect;
export type ChallengeRecord = typeof passkeyChallenges.$inferInsert;

/**
 * Whether the row's person has a passkey, for a statement that reads `users`. Handwritten: for a single table drizzle does not qualify
 * column names.
 */
export const HAS_PASSKEY = sql<boolean>`exists (select from passkeys pk where pk.user_id = "users"."id")`.mapWith(Boolean);

/** A person's passkeys, the oldest first. */
export async function listPasskeys(db: Database, userId: string): Promise<PasskeyRecord[]> {
  return await db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

export async function countPasskeys(db: Database, userId: string): Promise<number> {
  const [row] = await db.select({ held: count() }).from(passkeys).where(eq(passkeys.userId, userId));
  return row?.held ?? 0;
}

/** Answers false, and adds nothing, when the device's key is known already. */
export async function insertPasskey(db: Database, passkey: typeof passkeys.$inferInsert): Promise<boolean> {
  const { count: added } = await db.insert(passkeys).values(passkey).onConflictDoNothing({ target: passkeys.credentialId });
  return added > 0;
}

/** Records a use. Returns false when the key is gone, or its counter has advanced meanwhile: of two concurrent uses, one wins. */
export async function recordUse(
  db: Database,
  key: PasskeyRecord,
  use: { signCount: number; backedUp: boolean; at: Date },
): Promise<boolean> {
  const { count: noted } = await db
    .update(passkeys)
    .set({ signCount: use.signCount, backedUp: use.backedUp, lastUsedAt: use.at })
    .where(and(eq(passkeys.id, key.id), eq(passkeys.signCount, key.signCount)));
  return noted > 0;
}

/** Renames one of the person's own. Returns the previous name; null when there is no such key. */
export async function renamePasskeyOf(db: Database, { id, userId }: { id: string; userId: string }, name: string): Promise<string | null> {
  const own = and(eq(passkeys.id, id), eq(passkeys.userId, userId));
  const [row] = await db.select({ name: passkeys.name }).from(passkeys).where(own).for("update");
  if (row === undefined) return null;
  await db.update(passkeys).set({ name }).where(own);
  return row.name;
}

/** Deletes one of the person's own. Returns its name; null when there is no such key. */
export async function deletePasskey(db: Database, { id, userId }: { id: string; userId: string }): Promise<string | null> {
  const [row] = await db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning({ name: passkeys.name });
  return row?.name ?? null;
}

/** Forgets all of a person's. Answers how many there were. */
export async function deletePasskeysOf(db: Database, userId: string): Promise<number> {
  const { count: gone } = await db.delete(passkeys).where(eq(passkeys.userId, userId));
  return gone;
}

/** Also deletes the person's expired ones. */
export async function insertChallenge(db: Database, challenge: ChallengeRecord): Promise<void> {
  const { userId, createdAt } = challenge;
  await db.delete(passkeyChallenges).where(and(eq(passkeyChallenges.userId, userId), lte(passkeyChallenges.expiresAt, createdAt)));
  await db.insert(passkeyChallenges).values(challenge);
}

type Ticket = { ticketHash: string; purpose: ChallengeRecord["purpose"]; now: Date };

/** The user of a sign-in that waits for a passkey; null for an unknown or expired ticket. */
export async function findChallenge(db: Database, { ticketHash, purpose, now }: Ticket) {
  const [row] = await db
    .select({ userId: passkeyChallenges.userId, challenge: passkeyChallenges.challenge })
    .from(passkeyChallenges)
    .where(and(eq(passkeyChallenges.ticketHash, ticketHash), eq(passkeyChallenges.purpose, purpose), gt(passkeyChallenges.expiresAt, now)));
  return row ?? null;
}

/** Uses it up: of two at once, one is answered. Null unless it is that person's, for that purpose and session, and in force. */
export async function takeChallenge(
  db: Database,
  { ticketHash, purpose, now, userId, sessionId }: Ticket & { userId: string; sessionId: string | null },
): Promise<{ challenge: string; record: string | null } | null> {
  const [row] = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.ticketHash, ticketHash),
        eq(passkeyChallenges.purpose, purpose),
        eq(passkeyChallenges.userId, userId),
        sessionId === null ? isNull(passkeyChallenges.sessionId) : eq(passkeyChallenges.sessionId, sessionId),
        gt(passkeyChallenges.expiresAt, now),
      ),
    )
    .returning({ challenge: passkeyChallenges.challenge, record: passkeyChallenges.record });
  return row ?? null;
}
