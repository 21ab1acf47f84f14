import { desc, eq } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transactions } from "#db/schema/transactions.ts";

/** The nonce after the highest one used so far; null when there is none. */
export async function highestNonce(db: Database, walletId: string): Promise<number | null> {
  const rows = await db
    .select({ nonce: transactions.nonce })
    .from(transactions)
    .where(eq(transactions.walletId, walletId))
    .orderBy(desc(transactions.nonce))
    .limit(1);
  return rows[0]?.nonce ?? null;
}
