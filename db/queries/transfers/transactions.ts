import { and, asc, eq, gte, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transactionAttempts } from "#db/schema/transaction-attempts.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
import { wallets } from "#db/schema/wallets.ts";
import type { EvmIntent } from "#domain/evm-intent.ts";
import type { Transfer } from "#domain/transfer.ts";
import { toTransfer } from "./transfers.ts";

export type Attempt = typeof transactionAttempts.$inferSelect;
type TransactionRow = typeof transactions.$inferSelect;
/** A transfer's place in its wallet's sequence, with every attempt at it, oldest first. */
export type OpenTransaction = {
  id: string;
  walletId: string;
  walletAddress: string;
  nonce: number;
  intent: EvmIntent;
  intentHash: string;
  bumpAt: Date;
  spentHeight: number | null;
  transfer: Transfer;
  attempts: Attempt[];
};

export type NewTransaction = {
  id: string;
  transferId: string;
  walletId: string;
  nonce: number;
  intent: EvmIntent;
  intentHash: string;
  bumpAfterSeconds: number;
  now: Date;
};

/** Gives the transfer its nonce. The unique constraints are the last line against a second one beside it. */
export async function insertTransaction(tx: Database, entry: NewTransaction): Promise<void> {
  await tx.insert(transactions).values({
    id: entry.id,
    transferId: entry.transferId,
    walletId: entry.walletId,
    nonce: entry.nonce,
    toAddress: entry.intent.to,
    valueBase: entry.intent.valueBase,
    data: entry.intent.data,
    intentHash: entry.intentHash,
    lookAt: sql`clock_timestamp()`,
    bumpAt: inSeconds(entry.bumpAfterSeconds),
    createdAt: entry.now,
  });
}

/** Keeps signed bytes before any of them goes out. */
export async function insertAttempt(tx: Database, attempt: Omit<Attempt, "broadcastAt">): Promise<void> {
  await tx.insert(transactionAttempts).values(attempt);
}

/** A further attempt is stored: it is to be looked at now, and bumped only after a while. */
export async function postponeBump(tx: Database, id: string, seconds: number): Promise<void> {
  await tx
    .update(transactions)
    .set({ bumpAt: inSeconds(seconds), lookAt: sql`clock_timestamp()` })
    .where(eq(transactions.id, id));
}

/** When the node first took the bytes. Said once. */
export async function markBroadcast(tx: Database, hash: string, now: Date): Promise<void> {
  await tx
    .update(transactionAttempts)
    .set({ broadcastAt: now })
    .where(and(eq(transactionAttempts.hash, hash), sql`${transactionAttempts.broadcastAt} is null`));
}

export async function lookAgain(db: Database, id: string, look: { inMs: number; spentHeight: number | null }): Promise<void> {
  await db
    .update(transactions)
    .set({ lookAt: sql`clock_timestamp() + ${look.inMs} * interval '1 millisecond'`, spentHeight: look.spentHeight })
    .where(eq(transactions.id, id));
}

/** Everything on the chain that is not in a block is to be looked at now (after a gap or a reorganisation). */
export async function lookAtOnce(db: Database, transferIds: readonly string[]): Promise<void> {
  if (transferIds.length === 0) return;
  await db
    .update(transactions)
    .set({ lookAt: sql`clock_timestamp()`, spentHeight: null })
    .where(inArray(transactions.transferId, [...transferIds]));
}

/** The wallet's transactions that are not in a block and are to be looked at, lowest nonce first; operators' wishes at once. */
export async function listDueTransactions(db: Database, walletId: string, limit: number): Promise<OpenTransaction[]> {
  const rows = await db
    .select({ transaction: transactions, transfer: transfers })
    .from(transactions)
    .innerJoin(transfers, eq(transfers.id, transactions.transferId))
    .where(
      and(
        eq(transactions.walletId, walletId),
        isNull(transactions.supersededAt),
        inArray(transfers.state, ["signed", "broadcast"]),
        or(
          lte(transactions.lookAt, sql`clock_timestamp()`),
          sql`${transfers.bumpRequestedAt} is not null`,
          sql`${transfers.cancelRequestedAt} is not null and not exists (select 1 from transaction_attempts cancelled
            where cancelled.transaction_id = ${transactions.id} and cancelled.kind = 'cancellation')`,
        ),
      ),
    )
    .orderBy(asc(transactions.nonce))
    .limit(limit);
  return withAttempts(db, rows);
}

/** A wallet changes hands within seconds when its worker dies; this long without one is no such change. */
const UNHELD_SECONDS = 15;

/**
 * What is signed and in no block yet while no worker holds its wallet: nobody has the key, or no worker runs that has. Only those that
 * give no reason yet.
 */
export async function listUnheld(db: Database, chain: string, limit: number): Promise<{ transferId: string; wallet: string }[]> {
  return await db
    .select({ transferId: transfers.id, wallet: wallets.address })
    .from(transfers)
    .innerJoin(transactions, eq(transactions.transferId, transfers.id))
    .innerJoin(wallets, eq(wallets.id, transactions.walletId))
    .where(
      and(
        eq(transfers.chain, chain),
        isNull(transactions.supersededAt),
        inArray(transfers.state, ["signed", "broadcast"]),
        isNull(transfers.waitingReason),
        or(isNull(wallets.leaseUntil), lte(wallets.leaseUntil, sql`clock_timestamp() - ${UNHELD_SECONDS} * interval '1 second'`)),
      ),
    )
    .limit(limit);
}

/** The transfer's standing place in a wallet's sequence; null before it has one. */
export async function findTransaction(db: Database, transferId: string): Promise<OpenTransaction | null> {
  const rows = await db
    .select({ transaction: transactions, transfer: transfers })
    .from(transactions)
    .innerJoin(transfers, eq(transfers.id, transactions.transferId))
    .where(and(eq(transactions.transferId, transferId), isNull(transactions.supersededAt)));
  return (await withAttempts(db, rows))[0] ?? null;
}

export async function listTransactionsOf(db: Database, transferIds: readonly string[]): Promise<OpenTransaction[]> {
  if (transferIds.length === 0) return [];
  const rows = await db
    .select({ transaction: transactions, transfer: transfers })
    .from(transactions)
    .innerJoin(transfers, eq(transfers.id, transactions.transferId))
    .where(and(inArray(transactions.transferId, [...transferIds]), isNull(transactions.supersededAt)));
  return withAttempts(db, rows);
}

/**
 * Which of these hashes are attempts of ours, and at which transfer; `standing` ones are not known to have been in vain. A primary-key
 * look-up, however full the block.
 */
export async function findOwnAttempts(
  tx: Database,
  hashes: readonly string[],
): Promise<{ hash: string; transferId: string; standing: boolean }[]> {
  if (hashes.length === 0) return [];
  return await tx
    .select({
      hash: transactionAttempts.hash,
      transferId: transactions.transferId,
      standing: sql<boolean>`${transactions.supersededAt} is null`,
    })
    .from(transactionAttempts)
    .innerJoin(transactions, eq(transactions.id, transactionAttempts.transactionId))
    .where(inArray(transactionAttempts.hash, [...hashes]));
}

/** The bytes that were mined under nonces that the chain seems to have forgotten (a reorganisation deeper than its confirmations). */
export async function listMinedBytes(
  db: Database,
  walletId: string,
  fromNonce: number,
  belowNonce: number,
  limit: number,
): Promise<{ nonce: number; rawBytes: string }[]> {
  return await db
    .select({ nonce: transactions.nonce, rawBytes: transactionAttempts.rawBytes })
    .from(transactions)
    .innerJoin(transfers, eq(transfers.id, transactions.transferId))
    .innerJoin(
      transactionAttempts,
      and(eq(transactionAttempts.transactionId, transactions.id), eq(transactionAttempts.hash, transfers.txHash)),
    )
    .where(and(eq(transactions.walletId, walletId), gte(transactions.nonce, fromNonce), lt(transactions.nonce, belowNonce)))
    .orderBy(asc(transactions.nonce))
    .limit(limit);
}

async function withAttempts(
  db: Database,
  rows: { transaction: TransactionRow; transfer: typeof transfers.$inferSelect }[],
): Promise<OpenTransaction[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ transaction }) => transaction.id);
  const attempts = await db
    .select()
    .from(transactionAttempts)
    .where(inArray(transactionAttempts.transactionId, ids))
    .orderBy(asc(transactionAttempts.number));
  const senders = await db
    .select({ id: wallets.id, address: wallets.address })
    .from(wallets)
    .where(inArray(wallets.id, [...new Set(rows.map(({ transaction }) => transaction.walletId))]));
  const addresses = new Map(senders.map(({ id, address }) => [id, address]));
  const byTransaction = Map.groupBy(attempts, (attempt) => attempt.transactionId);
  return rows.map(({ transaction, transfer }) => ({
    id: transaction.id,
    walletId: transaction.walletId,
    walletAddress: addresses.get(transaction.walletId) ?? "",
    nonce: transaction.nonce,
    intent: { to: transaction.toAddress, valueBase: transaction.valueBase, data: transaction.data },
    intentHash: transaction.intentHash,
    bumpAt: transaction.bumpAt,
    spentHeight: transaction.spentHeight,
    transfer: toTransfer(transfer),
    attempts: byTransaction.get(transaction.id) ?? [],
  }));
}

function inSeconds(seconds: number) {
  return sql`clock_timestamp() + ${seconds} * interval '1 second'`;
}
