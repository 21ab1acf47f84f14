import { and, asc, eq, gte, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among, insertRows } from "#db/rows.ts";
import { transactionAttempts } from "#db/schema/transaction-attempts.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
import { wallets } from "#db/schema/wallets.ts";
import type { EvmIntent } from "#domain/evm-intent.ts";
import type { Transfer } from "#domain/transfer.ts";
import { hasNoOrphanedNonce } from "./orphaned-nonces.ts";
import { listMembers, type Member } from "./pack-members.ts";
import { toTransfer } from "./transfers.ts";
import { unfinished } from "./unfinished.ts";
import { whetherSuperseded } from "./whether-superseded.ts";

export type Attempt = typeof transactionAttempts.$inferSelect;
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
  /** Of a packed transaction, in its order. */
  members: readonly Member[];
  attempts: Attempt[];
};

export type NewTransaction = {
  id: string;
  transferId: string;
  walletId: string;
  nonce: number;
  intent: EvmIntent;
  intentHash: string;
  createdAt: Date;
};

/** Assigns nonces to transfers. The unique constraints are the last defence against a duplicate. */
export async function insertTransactions(tx: Database, entries: readonly NewTransaction[], bumpAfterSeconds: number): Promise<void> {
  const rows = entries.map(({ intent, ...entry }) => ({ ...entry, toAddress: intent.to, valueBase: intent.valueBase, data: intent.data }));
  await insertRows(tx, transactions, rows, { lookAt: sql`clock_timestamp()`, bumpAt: inSeconds(bumpAfterSeconds) });
}

/** Keeps signed bytes before any of them goes out. */
export async function insertAttempts(tx: Database, attempts: readonly Omit<Attempt, "broadcastAt">[]): Promise<void> {
  await insertRows(tx, transactionAttempts, attempts);
}

/** Another attempt is stored: it is due now, and gets its next fee bump only after a while. */
export async function postponeBump(tx: Database, id: string, seconds: number): Promise<void> {
  await tx
    .update(transactions)
    .set({ bumpAt: inSeconds(seconds), lookAt: sql`clock_timestamp()` })
    .where(eq(transactions.id, id));
}

/** When the node first took the bytes. Said once. */
export async function markBroadcast(tx: Database, hashes: readonly string[], now: Date): Promise<void> {
  await tx
    .update(transactionAttempts)
    .set({ broadcastAt: now })
    .where(and(among(transactionAttempts.hash, hashes), isNull(transactionAttempts.broadcastAt)));
}

export async function lookAgain(db: Database, ids: readonly string[], look: { inMs: number; spentHeight: number | null }): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(transactions)
    .set({ lookAt: sql`clock_timestamp() + ${look.inMs} * interval '1 millisecond'`, spentHeight: look.spentHeight })
    .where(among(transactions.id, ids));
}

/** Makes every transaction that is not in a block due now (after a gap or a reorg). */
export async function lookAtOnce(db: Database, transferIds: readonly string[]): Promise<void> {
  if (transferIds.length === 0) return;
  await db
    .update(transactions)
    .set({ lookAt: sql`clock_timestamp()`, spentHeight: null })
    .where(and(among(transactions.transferId, transferIds), whetherSuperseded()));
}

/** The wallet's due transactions that are not in a block, lowest nonce first; operators' orders at once. */
export async function listDueTransactions(db: Database, walletId: string, limit: number): Promise<OpenTransaction[]> {
  const rows = await selectOpen(db)
    .where(
      and(
        eq(transactions.walletId, walletId),
        isNull(transactions.supersededAt),
        unfinished(),
        inArray(transfers.state, ["signed", "broadcast"]),
        hasNoOrphanedNonce,
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

/** A dead worker's wallet passes to another within seconds; after this time it is more than that. */
const UNHELD_SECONDS = 15;

/**
 * Signed transactions in no block while no worker has leased their wallet: nobody has the key, or no such worker runs. Only those without a
 * recorded reason.
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
        unfinished(),
        inArray(transfers.state, ["signed", "broadcast"]),
        isNull(transfers.waitingReason),
        or(isNull(wallets.leaseUntil), lte(wallets.leaseUntil, sql`clock_timestamp() - ${UNHELD_SECONDS} * interval '1 second'`)),
      ),
    )
    .limit(limit);
}

/** The transfer's own valid transaction in a wallet's sequence; null before it has one. */
export async function findTransaction(db: Database, transferId: string): Promise<OpenTransaction | null> {
  return (await listTransactionsOf(db, [transferId]))[0] ?? null;
}

/** These transactions, superseded or not. */
export async function listPlaces(db: Database, ids: readonly string[]): Promise<OpenTransaction[]> {
  return ids.length === 0 ? [] : withAttempts(db, await selectOpen(db).where(among(transactions.id, ids)));
}

export async function listTransactionsOf(db: Database, transferIds: readonly string[]): Promise<OpenTransaction[]> {
  if (transferIds.length === 0) return [];
  const standing = and(among(transactions.transferId, transferIds), isNull(transactions.supersededAt));
  return withAttempts(db, await selectOpen(db).where(standing));
}

/**
 * Which of these hashes are our attempts, and of which transfer; with `standing`, only those that are not superseded. A primary-key
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
    .where(among(transactionAttempts.hash, hashes));
}

/**
 * What was mined under nonces which the chain has apparently forgotten (a deep reorg), for transfers that are unpaid or reported as paid:
 * the attempt with the transfer's hash. Bytes of failed transfers are never sent again: this time they might pay.
 */
export async function listMinedPlaces(
  db: Database,
  walletId: string,
  fromNonce: number,
  belowNonce: number,
  limit: number,
): Promise<OpenTransaction[]> {
  const rows = await selectOpen(db)
    .where(
      and(
        eq(transactions.walletId, walletId),
        gte(transactions.nonce, fromNonce),
        lt(transactions.nonce, belowNonce),
        inArray(transfers.state, ["mined", "executed"]),
        hasNoOrphanedNonce,
      ),
    )
    .orderBy(asc(transactions.nonce))
    .limit(limit);
  return withAttempts(db, rows);
}

function selectOpen(db: Database) {
  return db
    .select({ transaction: transactions, transfer: transfers, walletAddress: wallets.address })
    .from(transactions)
    .innerJoin(transfers, eq(transfers.id, transactions.transferId))
    .innerJoin(wallets, eq(wallets.id, transactions.walletId))
    .$dynamic();
}

async function withAttempts(db: Database, rows: Awaited<ReturnType<typeof selectOpen>>): Promise<OpenTransaction[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ transaction }) => transaction.id);
  const attempts = await db
    .select()
    .from(transactionAttempts)
    .where(among(transactionAttempts.transactionId, ids))
    .orderBy(asc(transactionAttempts.number));
  const byTransaction = Map.groupBy(attempts, (attempt) => attempt.transactionId);
  const packs = rows.flatMap(({ transfer }) => (transfer.purpose === "pack" ? [transfer.id] : []));
  const members = Map.groupBy(await listMembers(db, packs), ({ packId }) => packId);
  return rows.map(({ transaction, transfer, walletAddress }) => ({
    id: transaction.id,
    walletId: transaction.walletId,
    walletAddress,
    nonce: transaction.nonce,
    intent: { to: transaction.toAddress, valueBase: transaction.valueBase, data: transaction.data },
    intentHash: transaction.intentHash,
    bumpAt: transaction.bumpAt,
    spentHeight: transaction.spentHeight,
    transfer: toTransfer(transfer),
    members: members.get(transfer.id) ?? [],
    attempts: byTransaction.get(transaction.id) ?? [],
  }));
}

function inSeconds(seconds: number) {
  return sql`clock_timestamp() + ${seconds} * interval '1 second'`;
}
