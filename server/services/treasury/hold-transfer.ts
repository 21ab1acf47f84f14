import type { Database } from "#db/client.ts";
import { lockTransfer } from "#db/queries/transfers/transfers.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Transfer } from "#domain/transfer.ts";

/** The transfer, locked until the transaction ends. @throws Refusal `not_found` */
export async function lockExistingTransfer(tx: Database, id: string): Promise<Transfer> {
  const transfer = await lockTransfer(tx, id);
  if (transfer === null) throw new Refusal("not_found", { detail: "There is no such transfer." });
  return transfer;
}

/** @throws Refusal `invalid_state` unless it is signed and in no block yet */
export function refuseUnlessOnItsWay(transfer: Transfer): void {
  if (transfer.state !== "signed" && transfer.state !== "broadcast") throw wrongTransferState(transfer);
}

export function wrongTransferState(transfer: Transfer): Refusal {
  return new Refusal("invalid_state", { detail: `The transfer is ${transfer.state}.`, members: { transfer_state: transfer.state } });
}
