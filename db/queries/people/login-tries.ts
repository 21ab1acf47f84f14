import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { loginOrigins, loginThrottles, users } from "#db/schema/people.ts";

/** Whether the person of that e-mail address has signed in from that address since `since` (real time). */
export async function isKnownOrigin(db: Database, email: string, address: string, since: Date): Promise<boolean> {
  const rows = await db
    .select({ userId: loginOrigins.userId })
    .from(loginOrigins)
    .innerJoin(users, eq(users.id, loginOrigins.userId))
    .where(and(eq(users.email, email), eq(loginOrigins.address, address), gt(loginOrigins.lastSuccessAt, since)));
  return rows.length > 0;
}

export async function saveOrigin(db: Database, userId: string, address: string, now: Date): Promise<void> {
  await db
    .insert(loginOrigins)
    .values({ userId, address, lastSuccessAt: now })
    .onConflictDoUpdate({ target: [loginOrigins.userId, loginOrigins.address], set: { lastSuccessAt: now } });
}

/** One more may be tried every `intervalMs`, and `burst` at once after a rest. */
export type Budget = { key: string; burst: number; intervalMs: number };

/**
 * Takes one try out of the budget, in one statement, so that concurrent calls cannot exceed it. Returns null, or the milliseconds until the
 * next try; then nothing was taken. `now`: real time.
 */
export async function takeFromBudget(db: Database, budget: Budget, now: Date): Promise<number | null> {
  const { key, burst, intervalMs } = budget;
  const after = sql`greatest(${loginThrottles.fullAt}, ${now.toISOString()}::timestamptz) + ${intervalMs} * interval '1 millisecond'`;
  const limit = new Date(now.getTime() + burst * intervalMs);
  const taken = await db
    .insert(loginThrottles)
    .values({ key, fullAt: new Date(now.getTime() + intervalMs) })
    .onConflictDoUpdate({
      target: loginThrottles.key,
      set: { fullAt: after },
      setWhere: sql`${after} <= ${limit.toISOString()}::timestamptz`,
    })
    .returning({ key: loginThrottles.key });
  if (taken.length > 0) return null;
  const [row] = await db.select().from(loginThrottles).where(sql`${loginThrottles.key} = ${key}`);
  return row === undefined ? 0 : Math.max(0, row.fullAt.getTime() + intervalMs - limit.getTime());
}

/** Returns one try to the budget: it was not a guess. */
export async function refill(db: Database, { key, intervalMs }: Budget): Promise<void> {
  await db
    .update(loginThrottles)
    .set({ fullAt: sql`${loginThrottles.fullAt} - ${intervalMs} * interval '1 millisecond'` })
    .where(sql`${loginThrottles.key} = ${key}`);
}

/** Forgets budgets that are full again: no row says the same. */
export async function deleteFullBudgets(db: Database, now: Date): Promise<void> {
  await db.delete(loginThrottles).where(lte(loginThrottles.fullAt, now));
}
