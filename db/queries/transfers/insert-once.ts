import type { Database } from "#db/client.ts";
import { sendAhead } from "#db/transaction.ts";
import type { Transfer } from "#domain/transfer.ts";
import { oweSettlements, oweTransfer } from "./owe-transfer.ts";
import { findTransferOf } from "./transfers.ts";

/**
 * Stores a transfer as its owner owes it and wakes the worker, pipelined ahead of what follows. If its owner already has one for that
 * purpose, nothing is stored. `judge` gets the one that is there: an error that it throws fails the transaction.
 */
export async function insertTransferOnce(tx: Database, added: Transfer, judge: (existing: Transfer) => void): Promise<void> {
  const store = async () => {
    const existing = (await oweTransfer(tx, added)) ?? (await findTransferOf(tx, added.purpose, added.ownerId));
    if (existing === null) throw new Error(`the transfer of ${added.ownerId} was neither stored nor found`);
    judge(existing);
  };
  await sendAhead(tx, store());
}

/** The same of settlements' payments, however many, in one statement. */
export async function insertSettlementTransfers(
  tx: Database,
  added: readonly Transfer[],
  judge: (existing: Transfer, wanted: Transfer) => void,
): Promise<void> {
  const store = async () => {
    const stored = new Map((await oweSettlements(tx, added)).map((transfer) => [transfer.ownerId, transfer]));
    for (const wanted of added) {
      const existing = stored.get(wanted.ownerId) ?? (await findTransferOf(tx, wanted.purpose, wanted.ownerId));
      if (existing === null) throw new Error(`the transfer of ${wanted.ownerId} was neither stored nor found`);
      judge(existing, wanted);
    }
  };
  await sendAhead(tx, store());
}
