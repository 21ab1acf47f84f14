import { and, asc, eq, gt, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transactions } from "#db/schema/transactions.ts";
import { transfers } from "#db/schema/transfers.ts";
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

/** Notes that the chain has dropped every block above a height. Answers the executed transfers that were in one, and were not known to. */
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

/** It is final again, in this block. False: another worker was faster. */
export async function endOrphaned(tx: Database, id: string, block: { number: number; hash: string; now: Date }): Promise<boolean> {
  const rows = await tx
    .update(transfers)
    .set({ blockNumber: block.number, blockHash: block.hash, orphanedSince: null, waitingReason: null, updatedAt: block.now })
    .where(and(eq(transfers.id, id), isNotNull(transfers.orphanedSince)))
    .returning({ id: transfers.id });
  return rows.length === 1;
}
