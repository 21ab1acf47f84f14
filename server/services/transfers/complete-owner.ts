import type { Database } from "#db/client.ts";
import type { Transfer } from "#server/domain/transfer.ts";
import { executeSettlement } from "#server/services/settlements/execute-settlement.ts";
import { failSettlement } from "#server/services/settlements/fail-settlement.ts";

/**
 * Tells a transfer's owner that it is final, in the transaction that ends the transfer: the settlement is executed or failed, and its
 * callback owed, together with it or not at all.
 */
export async function completeOwner(tx: Database, transfer: Transfer): Promise<void> {
  if (transfer.purpose !== "settlement") throw new Error(`nobody completes a ${transfer.purpose} transfer yet`);
  const settlementId = transfer.ownerId;
  if (transfer.state === "executed" && transfer.txHash !== null)
    return await executeSettlement(tx, { settlementId, txHash: transfer.txHash });
  if (transfer.state === "failed")
    return await failSettlement(tx, { settlementId, reason: transfer.failureReason ?? "The transfer failed." });
  throw new Error(`a ${transfer.state} transfer completes nothing`);
}
