import { and, asc, eq, gt, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { topups, withdrawals } from "#db/schema/fiat-orders.ts";
import { settlements } from "#db/schema/settlements.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
import { treasuryWithdrawals } from "#db/schema/treasury-withdrawals.ts";
import type { Transfer } from "#domain/transfer.ts";
import { hasNoOrphanedNonce } from "./orphaned-nonces.ts";
import { toTransfer } from "./transfers.ts";

/** Executed transfers whose block the chain has dropped although it was final: a reorganisation deeper than the confirmations. */

/** The ids of executed transfers in blocks above a height that are not recorded as orphaned. */
export async function listExecutedAbove(tx: Database, chain: string, height: number): Promise<string[]> {
  const rows = await tx.select({ id: transfers.id }).from(transfers).where(isExecutedAbove(chain, height));
  return rows.map(({ id }) => id);
}

function isExecutedAbove(chain: string, height: number) {
  return and(
    eq(transfers.chain, chain),
    eq(transfers.state, "executed"),
    gt(transfers.blockNumber, height),
    isNull(transfers.orphanedSince),
  );
}

/**
 * Records that the chain has dropped every block above a height. Returns the executed transfers in one that were not recorded as orphaned.
 */
export async function setOrphaned(tx: Database, chain: string, height: number, note: { reason: string; now: Date }): Promise<Transfer[]> {
  const rows = await tx
    .update(transfers)
    .set({ orphanedSince: note.now, waitingReason: note.reason, updatedAt: note.now })
    .where(isExecutedAbove(chain, height))
    .returning();
  return rows.map(toTransfer);
}

/** The due ones, lowest nonce first, without those whose former bytes may still be mined. */
export async function listOrphaned(db: Database, chain: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: transfers.id })
    .from(transfers)
    .innerJoin(transactions, and(eq(transactions.transferId, transfers.id), isNull(transactions.supersededAt)))
    .where(
      and(
        eq(transfers.chain, chain),
        isNotNull(transfers.orphanedSince),
        lte(transactions.lookAt, sql`clock_timestamp()`),
        hasNoOrphanedNonce,
      ),
    )
    .orderBy(asc(transactions.nonce))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** It is final again, by this transaction in this block. False: another worker was faster. */
export async function endOrphaned(
  tx: Database,
  id: string,
  end: { txHash: string; blockNumber: number; blockHash: string; now: Date },
): Promise<boolean> {
  const { now, ...block } = end;
  const rows = await tx
    .update(transfers)
    .set({ ...block, orphanedSince: null, waitingReason: null, updatedAt: now })
    .where(and(eq(transfers.id, id), isNotNull(transfers.orphanedSince)))
    .returning({ id: transfers.id });
  return rows.length === 1;
}

/** Replaces the former hash by the hash of the transaction that pays now, in the settlement or order that the transfer pays. */
export async function replaceOwnersHash(
  tx: Database,
  { purpose, ownerId, txHash: former }: Transfer,
  { txHash, now: updatedAt }: { txHash: string; now: Date },
): Promise<void> {
  if (former === null) return;
  if (purpose === "settlement")
    await tx
      .update(settlements)
      .set({ txHash })
      .where(and(eq(settlements.id, ownerId), eq(settlements.txHash, former)));
  if (purpose === "topup")
    await tx
      .update(topups)
      .set({ txHash, updatedAt })
      .where(and(eq(topups.id, ownerId), eq(topups.txHash, former)));
  if (purpose === "sweep")
    await tx
      .update(withdrawals)
      .set({ txHash, updatedAt })
      .where(and(eq(withdrawals.id, ownerId), eq(withdrawals.txHash, former)));
  if (purpose === "return")
    await tx
      .update(withdrawals)
      .set({ returnTxHash: txHash, updatedAt })
      .where(and(eq(withdrawals.id, ownerId), eq(withdrawals.returnTxHash, former)));
  if (purpose === "treasury_withdrawal")
    await tx
      .update(treasuryWithdrawals)
      .set({ txHash, updatedAt })
      .where(and(eq(treasuryWithdrawals.id, ownerId), eq(treasuryWithdrawals.txHash, former)));
}
