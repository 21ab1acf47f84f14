import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { treasuryBooks } from "#db/schema/suspense.ts";

/** From which block on each token's books follow its movements. */
export async function listBookHeights(db: Database, chain: string): Promise<Map<string, number>> {
  const rows = await db.select().from(treasuryBooks).where(eq(treasuryBooks.chain, chain));
  return new Map(rows.map(({ currency, height }) => [currency, height]));
}

/** Records it. False, and nothing is stored, where it is recorded already. */
export async function insertBookHeight(
  tx: Database,
  { chain, currency, height, now }: { chain: string; currency: string; height: number; now: Date },
): Promise<boolean> {
  const { count } = await tx.insert(treasuryBooks).values({ chain, currency, height, begunAt: now }).onConflictDoNothing();
  return count > 0;
}

/** Lets one transaction after another write a token's deposits. */
export async function lockDeposits(tx: Database, { chain, currency }: { chain: string; currency: string }): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`deposits ${chain} ${currency}`}, 7355611))`);
}
