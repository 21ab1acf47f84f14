import { and, asc, eq, inArray, isNull, lte, notInArray, or } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { identities, identityProviders, identityRequests, providerSignOuts } from "#db/schema/identity-providers.ts";
import { accessTokens, sessions, users } from "#db/schema/people.ts";

export type IdentityRecord = typeof identities.$inferSelect;
export type IdentityRequestRecord = typeof identityRequests.$inferSelect;

export async function findIdentity(db: Database, issuer: string, subject: string): Promise<IdentityRecord | null> {
  const [row] = await db
    .select()
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return row ?? null;
}

/** Answers false, and adds nothing, when the identity is somebody's already. */
export async function insertIdentity(db: Database, identity: typeof identities.$inferInsert): Promise<boolean> {
  const { count } = await db
    .insert(identities)
    .values(identity)
    .onConflictDoNothing({ target: [identities.issuer, identities.subject] });
  return count > 0;
}

export async function recordIdentityUse(db: Database, id: string, at: Date): Promise<void> {
  await db.update(identities).set({ lastUsedAt: at }).where(eq(identities.id, id));
}

/** A person's identities, with the names of their providers. */
export async function listIdentities(db: Database, userId: string) {
  return await db
    .select({
      id: identities.id,
      subject: identities.subject,
      providerId: identities.providerId,
      createdAt: identities.createdAt,
      lastUsedAt: identities.lastUsedAt,
      settings: identityProviders.settings,
    })
    .from(identities)
    .innerJoin(identityProviders, eq(identityProviders.id, identities.providerId))
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.createdAt));
}

/** Deletes one of the person's own. Returns whether there was one. */
export async function deleteIdentity(db: Database, key: { id: string; userId: string }): Promise<boolean> {
  const { count } = await db.delete(identities).where(and(eq(identities.id, key.id), eq(identities.userId, key.userId)));
  return count > 0;
}

/** Adds a request. Nobody is asked about those that have lapsed. */
export async function insertIdentityRequest(db: Database, request: typeof identityRequests.$inferInsert): Promise<void> {
  await db.insert(identityRequests).values(request);
}

export async function deleteLapsedRequests(db: Database, now: Date): Promise<void> {
  await db.delete(identityRequests).where(lte(identityRequests.expiresAt, now));
  await db.delete(providerSignOuts).where(lte(providerSignOuts.expiresAt, now));
}

export async function findIdentityRequest(db: Database, secretHash: string): Promise<IdentityRequestRecord | null> {
  const [row] = await db.select().from(identityRequests).where(eq(identityRequests.secretHash, secretHash));
  return row ?? null;
}

/** Uses up a request: of two answers, one gets it. */
export async function takeIdentityRequest(db: Database, secretHash: string): Promise<IdentityRequestRecord | null> {
  const [row] = await db.delete(identityRequests).where(eq(identityRequests.secretHash, secretHash)).returning();
  return row ?? null;
}

/** Records an order to sign out. Returns false when it came before. */
export async function recordSignOutOrder(db: Database, order: typeof providerSignOuts.$inferInsert): Promise<boolean> {
  const { count } = await db.insert(providerSignOuts).values(order).onConflictDoNothing();
  return count > 0;
}

/** Ends the sessions of a company's people that a provider opened: those of its own session, or all of a subject's. Returns whose they were. */
export async function revokeProviderSessions(
  db: Database,
  { issuer, partnerId, subject, sid }: { issuer: string; partnerId: string | null; subject: string | null; sid: string | null },
  now: Date,
): Promise<{ sessionId: string; userId: string }[]> {
  const whose = db
    .select({ id: identities.id })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(
      and(
        eq(identities.issuer, issuer),
        subject === null ? undefined : eq(identities.subject, subject),
        partnerId === null ? isNull(users.partnerId) : eq(users.partnerId, partnerId),
      ),
    );
  // A session whose provider named none may be the one.
  const which = sid === null ? undefined : or(eq(sessions.providerSid, sid), subject === null ? undefined : isNull(sessions.providerSid));
  return await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(inArray(sessions.identityId, whose), isNull(sessions.revokedAt), which))
    .returning({ sessionId: sessions.id, userId: sessions.userId });
}

/** Who signed in to that session with which of the company's identities. */
export async function findSessionIdentity(db: Database, sessionId: string): Promise<IdentityRecord | null> {
  const [row] = await db
    .select({ identity: identities })
    .from(sessions)
    .innerJoin(identities, eq(identities.id, sessions.identityId))
    .where(eq(sessions.id, sessionId));
  return row?.identity ?? null;
}

/** Ends the sessions of a side's people that a password opened, and their access tokens; but of those people not. */
export async function endPasswordSessions(
  db: Database,
  { partnerId, but, now }: { partnerId: string | null; but: readonly string[]; now: Date },
): Promise<void> {
  const people = db
    .select({ id: users.id })
    .from(users)
    .where(and(partnerId === null ? isNull(users.partnerId) : eq(users.partnerId, partnerId), notInArray(users.id, [...but])));
  await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(inArray(sessions.userId, people), isNull(sessions.identityId), isNull(sessions.revokedAt)));
  await db
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(inArray(accessTokens.userId, people), isNull(accessTokens.revokedAt)));
}
