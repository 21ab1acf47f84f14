import type { Database } from "#db/client.ts";
import { endOf, type Transfer } from "#domain/transfer.ts";
import { completeReturn, completeSweep, completeTopup } from "#server/services/fiat/change-orders.ts";
import { completeDeployment } from "#server/services/safes/complete-deployment.ts";
import { completeTreasuryWithdrawal } from "#server/services/transfers/complete-treasury-withdrawal.ts";
import { executeSettlements } from "./execute-settlement.ts";
import { failSettlement } from "./fail-settlement.ts";

/**
 * Advances the owners of final transfers and enqueues their callbacks, in the transaction that ends the transfers. Paid settlements, which
 * are nearly all, are handled in one batch.
 */
export async function completeOwner(tx: Database, transfers: readonly Transfer[]): Promise<void> {
  const paid: Parameters<typeof executeSettlements>[1][number][] = [];
  for (const transfer of transfers) {
    if (transfer.purpose !== "settlement") await completeOther(tx, transfer);
    else {
      const end = endOf(transfer);
      const { ownerId: settlementId, partnerId } = transfer;
      if ("txHash" in end) paid.push({ settlementId, partnerId, ...end });
      else await failSettlement(tx, { settlementId, partnerId, ...end });
    }
  }
  if (paid.length > 0) await executeSettlements(tx, paid);
}

async function completeOther(tx: Database, transfer: Transfer): Promise<void> {
  switch (transfer.purpose) {
    case "topup":
      return await completeTopup(tx, transfer);
    case "sweep":
      return await completeSweep(tx, transfer);
    case "return":
      return await completeReturn(tx, transfer);
    case "deployment":
      return await completeDeployment(tx, transfer);
    case "treasury_withdrawal":
      return await completeTreasuryWithdrawal(tx, transfer);
    case "settlement":
    case "filler": // it has no owner
    case "pack": // its members have owners
    case "allowance":
      return;
  }
}
