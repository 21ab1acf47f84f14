import { and, asc, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transactionAttempts } from "#db/schema/transaction-attempts.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import { toTransfer } from "./transfers.ts";
import { unfinished } from "./unfinished.ts";

/** The signed attempts at one nonce of a wallet, oldest first. */
export type NonceAttempt = {
  hash: string;
  number: number;
  kind: "payment" | "cancellation";
  maxFeePerGas: bigint;
  signedAt: Date;
  broadcastAt: Date | null;
};
/** One nonce of a wallet, and its transfer. */
export type NonceEntry = { walletId: string; nonce: number; createdAt: Date; transfer: Transfer; attempts: NonceAttempt[] };

const OPEN = ["signed", "broadcast", "mined", "needs_review"] as const;
const MOST_OPEN = 500;

/** Every nonce that is not final, and the last few final ones of each wallet; lowest nonce first. */
export async function listNonceEntries(db: Database, walletIds: readonly string[], recent: number): Promise<NonceEntry[]> {
  const columns = { transaction: transactions, transfer: transfers };
  const open = await db
    .select(columns)
    .from(transactions)
    .innerJoin(transfers, eq(transfers.id, transactions.transferId))
    .where(and(unfinished(), inArray(transfers.state, [...OPEN]), isNull(transactions.supersededAt)))
    .orderBy(asc(transactions.nonce))
    .limit(MOST_OPEN);
  const last = await Promise.all(
    walletIds.map((walletId) =>
      db
        .select(columns)
        .from(transactions)
        .innerJoin(transfers, eq(transfers.id, transactions.transferId))
        .where(and(eq(transactions.walletId, walletId), inArray(transfers.state, ["executed", "failed"])))
        .orderBy(desc(transactions.nonce))
        .limit(recent),
    ),
  );
  const rows = [...last.flat(), ...open].toSorted((left, right) => left.transaction.nonce - right.transaction.nonce);
  const attempts = Map.groupBy(
    await listAttempts(
      db,
      rows.map(({ transaction }) => transaction.id),
    ),
    ({ transactionId }) => transactionId,
  );
  return rows.map(({ transaction, transfer }) => ({
    walletId: transaction.walletId,
    nonce: transaction.nonce,
    createdAt: transaction.createdAt,
    transfer: toTransfer(transfer),
    attempts: (attempts.get(transaction.id) ?? []).map(({ transactionId: _, ...attempt }) => attempt),
  }));
}

async function listAttempts(db: Database, transactionIds: readonly string[]) {
  if (transactionIds.length === 0) return [];
  const { transactionId, hash, number, kind, maxFeePerGas, signedAt, broadcastAt } = transactionAttempts;
  return await db
    .select({ transactionId, hash, number, kind, maxFeePerGas, signedAt, broadcastAt })
    .from(transactionAttempts)
    .where(inArray(transactionId, [...transactionIds]))
    .orderBy(asc(number));
}

/** Nonces below the wallet's next one that belong to no transaction of ours, among the last `reach`. */
export async function listGaps(db: Database, walletId: string, reach: number): Promise<number[]> {
  const rows = await db.execute<{ nonce: string }>(sql`
    select n::text as nonce from wallets w, lateral generate_series(
      greatest(w.next_nonce - ${reach}, coalesce((select min(t.nonce) from transactions t where t.wallet_id = w.id), w.next_nonce)), w.next_nonce - 1) as n
    where w.id = ${walletId} and not exists (select 1 from transactions t where t.wallet_id = w.id and t.nonce = n) order by n`);
  return rows.map(({ nonce }) => Number(nonce));
}

/** Transfers that wait for an operator's decision, oldest first. */
export async function listUnderReview(db: Database, limit: number): Promise<Transfer[]> {
  const rows = await db
    .select()
    .from(transfers)
    .where(and(unfinished(), eq(transfers.state, "needs_review")))
    .orderBy(asc(transfers.updatedAt))
    .limit(limit);
  return rows.map(toTransfer);
}
