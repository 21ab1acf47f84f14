import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transactions } from "#db/schema/transactions.ts";

/** Supersedes the transfer's transaction: a reverted attempt is final. Only now may the transfer get another nonce. */
export async function supersedeTransaction(tx: Database, transferId: string, now: Date): Promise<void> {
  const rows = await tx
    .update(transactions)
    .set({ supersededAt: now })
    .where(and(eq(transactions.transferId, transferId), isNull(transactions.supersededAt)))
    .returning({ id: transactions.id });
  if (rows.length !== 1) throw new Error(`${transferId} has no standing transaction`);
}

/** How many of the transfer's transactions are superseded. */
export async function countSuperseded(db: Database, transferId: string): Promise<number> {
  return await db.$count(transactions, and(eq(transactions.transferId, transferId), isNotNull(transactions.supersededAt)));
}
