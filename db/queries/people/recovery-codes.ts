import { and, count, eq, isNull } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { recoveryCodes } from "#db/schema/people.ts";

/** Uses up a code. Returns false when the person does not have it any more: of two concurrent calls, one wins. `now`: real time. */
export async function spendRecoveryCode(db: Database, userId: string, codeHash: string, now: Date): Promise<boolean> {
  const { count } = await db
    .update(recoveryCodes)
    .set({ spentAt: now })
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash), isNull(recoveryCodes.spentAt)));
  return count > 0;
}

/** How many codes the person has left. */
export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  const left = and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.spentAt));
  const [row] = await db.select({ left: count() }).from(recoveryCodes).where(left);
  return row?.left ?? 0;
}

/** Replaces all codes, used or not, by these. Empty: the person has no codes. `now`: real time. */
export async function replaceRecoveryCodes(db: Database, userId: string, hashes: readonly string[], now: Date): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  if (hashes.length > 0) await db.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash, createdAt: now })));
}
