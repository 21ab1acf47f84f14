import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import { lockTransfer, saveTransfer } from "#db/queries/transfers.ts";
import { advanceTransfer, allowsTransfer, type Transfer, type TransferAction } from "#server/domain/transfer.ts";
import type { TransferEngine } from "./engine.ts";

/**
 * Moves a transfer by one row of its table, on the locked row. Answers null, and changes nothing, when the row has meanwhile gone
 * where the action is no longer legal: another worker was faster, which is no trouble.
 */
export async function moveTransfer(tx: Database, id: string, action: TransferAction): Promise<Transfer | null> {
  const before = await lockTransfer(tx, id);
  if (before === null || !allowsTransfer(before.state, action.type)) return null;
  const now = await readBusinessNow(tx);
  const after = advanceTransfer(before, action, now);
  await saveTransfer(tx, after, now);
  return after;
}

/** Counts a move that was committed. */
export function countMove(engine: TransferEngine, from: Transfer["state"], after: Transfer): void {
  engine.ctx.meter.transferMoved({ chain: after.chain, from, to: after.state });
}
