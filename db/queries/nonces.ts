import { lt, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { nonces } from "#db/schema/nonces.ts";

/** Burns the nonce for this key. Answers false when it was burnt before: of any number at once, exactly one gets true. */
export async function burnNonce(db: Database, apiKeyId: string, nonce: string, now: Date): Promise<boolean> {
  const rows = await db.insert(nonces).values({ apiKeyId, nonce, burntAt: now }).onConflictDoNothing().returning({ nonce: nonces.nonce });
  return rows.length === 1;
}

/** Forgets nonces burnt before `before`, at most `limit` in one statement, so that none of these runs long. Answers how many. */
export async function deleteNoncesBefore(db: Database, before: Date, limit: number): Promise<number> {
  const old = db.select({ ctid: sql`ctid` }).from(nonces).where(lt(nonces.burntAt, before)).limit(limit);
  const result = await db.delete(nonces).where(sql`ctid = any(array(${old}))`);
  return result.count;
}
