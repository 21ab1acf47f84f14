import { and, asc, eq, gte, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among } from "#db/rows.ts";
import { transactionAttempts } from "#db/schema/transaction-attempts.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
import type { Attempt } from "./transactions.ts";

/** The transfer's nonce is spent in vain: a reverted attempt is final. Only now may it be given another. */
export async function supersedeTransaction(tx: Database, transferId: string, now: Date): Promise<void> {
  const rows = await tx
    .update(transactions)
    .set({ supersededAt: now })
    .where(and(eq(transactions.transferId, transferId), isNull(transactions.supersededAt)))
    .returning({ id: transactions.id });
  if (rows.length !== 1) throw new Error(`${transferId} has no standing transaction`);
}

/** How many of the transfer's nonces were spent in vain. */
export async function countSuperseded(db: Database, transferId: string): Promise<number> {
  return await db.$count(transactions, and(eq(transactions.transferId, transferId), isNotNull(transactions.supersededAt)));
}

/** A nonce that was spent in vain, on what was made anew or has failed, with all that was signed under it, oldest first. */
export type SpentInVain = { id: string; transferId: string; nonce: number; attempts: Attempt[] };

/** Of a stretch of the wallet's sequence, lowest first. */
export async function listSpentInVain(
  db: Database,
  walletId: string,
  { from, below }: { from: number; below: number },
  limit: number,
): Promise<SpentInVain[]> {
  const { id, transferId, nonce, supersededAt } = transactions;
  const rows = await db
    .select({ id, transferId, nonce })
    .from(transactions)
    .innerJoin(transfers, eq(transfers.id, transferId))
    .where(
      and(
        eq(transactions.walletId, walletId),
        or(isNotNull(supersededAt), eq(transfers.state, "failed")),
        gte(nonce, from),
        lt(nonce, below),
      ),
    )
    .orderBy(asc(nonce))
    .limit(limit);
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const attempts = await db
    .select()
    .from(transactionAttempts)
    .where(among(transactionAttempts.transactionId, ids))
    .orderBy(asc(transactionAttempts.number));
  const byTransaction = Map.groupBy(attempts, (attempt) => attempt.transactionId);
  return rows.map((row) => ({ ...row, attempts: byTransaction.get(row.id) ?? [] }));
}
