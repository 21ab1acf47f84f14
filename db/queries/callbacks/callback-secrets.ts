import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { callbackSecrets } from "#db/schema/callback-secrets.ts";

export async function insertCallbackSecret(db: Database, secret: typeof callbackSecrets.$inferInsert): Promise<void> {
  await db.insert(callbackSecrets).values(secret);
}

/** The partner's secrets in force at `now`, newest first: one, or two while a rotation overlaps. Without the secrets themselves. */
export async function listCallbackSecrets(
  db: Database,
  partnerId: string,
  now: Date,
): Promise<{ createdAt: Date; expiresAt: Date | null }[]> {
  return await db
    .select({ createdAt: callbackSecrets.createdAt, expiresAt: callbackSecrets.expiresAt })
    .from(callbackSecrets)
    .where(inForceAt(partnerId, now))
    .orderBy(desc(callbackSecrets.createdAt), desc(callbackSecrets.id));
}

/**
 * Ends the partner's secrets: the newest valid one at `endsAt`, unless it ends earlier, and all older ones at `now`, so that there are
 * never more than two. Returns when the newest ends, or null when none was valid. Real time.
 */
export async function endCallbackSecrets(db: Database, partnerId: string, endsAt: Date, now: Date): Promise<Date | null> {
  const inForce = await db
    .select()
    .from(callbackSecrets)
    .where(inForceAt(partnerId, now))
    .orderBy(desc(callbackSecrets.createdAt), desc(callbackSecrets.id));
  let newestEndsAt: Date | null = null;
  for (const [index, { id }] of inForce.entries()) {
    const at = index === 0 ? endsAt : now;
    const [ended] = await db
      .update(callbackSecrets)
      .set({ expiresAt: sql`least(${callbackSecrets.expiresAt}, ${at.toISOString()}::timestamptz)` })
      .where(eq(callbackSecrets.id, id))
      .returning({ expiresAt: callbackSecrets.expiresAt });
    if (index === 0) newestEndsAt = ended?.expiresAt ?? null;
  }
  return newestEndsAt;
}

function inForceAt(partnerId: string, now: Date) {
  return and(eq(callbackSecrets.partnerId, partnerId), or(isNull(callbackSecrets.expiresAt), gt(callbackSecrets.expiresAt, now)));
}
