import { and, eq, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { nonces } from "#db/schema/nonces.ts";

/** Burns the nonce for this key. Answers false when it was burnt before: of any number at once, exactly one gets true. */
export async function burnNonce(db: Database, apiKeyId: string, nonce: string, now: Date): Promise<boolean> {
  const rows = await db.insert(nonces).values({ apiKeyId, nonce, burntAt: now }).onConflictDoNothing().returning({ nonce: nonces.nonce });
  return rows.length === 1;
}

export async function deleteNonce(db: Database, apiKeyId: string, nonce: string): Promise<void> {
  await db.delete(nonces).where(and(eq(nonces.apiKeyId, apiKeyId), eq(nonces.nonce, nonce)));
}

/** When the nonce was burnt for this key; null when it was not, or when that is forgotten. */
export async function findNonceUse(db: Database, apiKeyId: string, nonce: string): Promise<Date | null> {
  const [row] = await db
    .select({ at: nonces.burntAt })
    .from(nonces)
    .where(and(eq(nonces.apiKeyId, apiKeyId), eq(nonces.nonce, nonce)));
  return row?.at ?? null;
}

/** Forgets nonces burnt before `before`, at most `limit` in one statement, so that none of these runs long. Answers how many. */
export async function deleteNoncesBefore(db: Database, before: Date, limit: number): Promise<number> {
  const old = db.select({ ctid: sql`ctid` }).from(nonces).where(lt(nonces.burntAt, before)).limit(limit);
  const result = await db.delete(nonces).where(sql`ctid = any(array(${old}))`);
  return result.count;
}
