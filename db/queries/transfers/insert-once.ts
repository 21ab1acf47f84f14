import type { Database } from "#db/client.ts";
import { sendAhead } from "#db/transaction.ts";
import type { Transfer } from "#domain/transfer.ts";
import { findTransferOf, insertTransfers } from "./transfers.ts";

/**
 * Stores a transfer and wakes the worker, pipelined ahead of what follows. If its owner already has one for that purpose, nothing is
 * stored, and `judge` gets that one: an error that it throws fails the transaction.
 */
export async function insertTransferOnce(tx: Database, added: Transfer, judge: (existing: Transfer) => void): Promise<void> {
  const store = async () => {
    const stored = await insertTransfers(tx, [added]);
    if (stored.has(added.id)) return;
    const existing = await findTransferOf(tx, added.purpose, added.ownerId);
    if (existing === null) throw new Error(`the transfer of ${added.ownerId} was neither stored nor found`);
    judge(existing);
  };
  await sendAhead(tx, store());
}
