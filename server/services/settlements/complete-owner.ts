import type { Database } from "#db/client.ts";
import { endOf, type Transfer } from "#domain/transfer.ts";
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
  const end = endOf(transfer);
  if ("txHash" in end) await executeSettlement(tx, { settlementId, ...end });
  else await failSettlement(tx, { settlementId, ...end });
}
