import { type EvmLog, showsPayment } from "./evm-intent.ts";
import { readExecution } from "./safe.ts";
import type { Transfer, TransferAction } from "./transfer.ts";

/**
 * What a final transaction's logs make of its transfer, when the chain has not reverted it. That a transaction succeeded is not yet
 * a payment: the token must say that it moved this amount to this recipient, and a Safe that it carried out what it was told.
 */
export function judgeReceipt(transfer: Transfer, logs: readonly EvmLog[]): TransferAction {
  if (transfer.purpose === "sweep" && transfer.call?.to) {
    const said = readExecution(logs, transfer.call.to);
    if (said === null)
      return { type: "review", reason: "The transaction succeeded, but the Safe does not say that it carried out the transfer." };
    if (said.outcome === "failure") return { type: "fail", reason: "The Safe could not carry out the transfer." };
  } else if (transfer.call !== null) {
    return { type: "execute" };
  }
  if (transfer.tokenAddress !== null && !showsPayment(logs, transfer)) {
    return { type: "review", reason: "The transaction succeeded, but the token does not say that it moved this amount to this recipient." };
  }
  return { type: "execute" };
}
