import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockTransfer, saveTransfer } from "#db/queries/transfers/transfers.ts";
import { advanceTransfer, allowsTransfer, type Transfer, type TransferAction } from "#domain/transfer.ts";

/** What becomes of the owners when their transfers are final: runs in the transaction that ends the transfers. */
export type OnFinal = (tx: Database, transfers: readonly Transfer[]) => Promise<void>;

/**
 * Moves a locked transfer by one row of its state table. Returns null, and changes nothing, if the action is no longer legal: another
 * worker was faster, which is normal.
 */
export async function moveTransfer(tx: Database, id: string, action: TransferAction): Promise<Transfer | null> {
  const before = await lockTransfer(tx, id);
  if (before === null || !allowsTransfer(before.state, action.type)) return null;
  const now = await readBusinessNow(tx);
  const after = advanceTransfer(before, action, now);
  await saveTransfer(tx, after, now);
  return after;
}
