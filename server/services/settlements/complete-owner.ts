import type { Database } from "#db/client.ts";
import type { Transfer } from "#domain/transfer.ts";
import { completeReturn, completeSweep, completeTopup } from "#server/services/fiat/complete-fiat-transfer.ts";
import { completeDeployment } from "#server/services/safes/complete-deployment.ts";
import { executeSettlement } from "./execute-settlement.ts";
import { failSettlement } from "./fail-settlement.ts";

/**
 * Tells a transfer's owner that it is final, in the transaction that ends the transfer: what it was owed for moves on, and the
 * callback is owed, together with it or not at all.
 */
export async function completeOwner(tx: Database, transfer: Transfer): Promise<void> {
  switch (transfer.purpose) {
    case "settlement":
      return await completeSettlement(tx, transfer);
    case "topup":
      return await completeTopup(tx, transfer);
    case "sweep":
      return await completeSweep(tx, transfer);
    case "return":
      return await completeReturn(tx, transfer);
    case "deployment":
      return await completeDeployment(tx, transfer);
    case "filler":
      return; // nobody's
  }
}

async function completeSettlement(tx: Database, transfer: Transfer): Promise<void> {
  const settlementId = transfer.ownerId;
  if (transfer.state === "executed" && transfer.txHash !== null)
    return await executeSettlement(tx, { settlementId, txHash: transfer.txHash });
  if (transfer.state === "failed")
    return await failSettlement(tx, { settlementId, reason: transfer.failureReason ?? "The transfer failed." });
  throw new Error(`a ${transfer.state} transfer completes nothing`);
}
