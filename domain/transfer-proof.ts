import { type EvmLog, showsPayment } from "./evm-intent.ts";
import { readExecution } from "./safe.ts";
import type { Transfer, TransferAction } from "./transfer.ts";

/**
 * The result of a final transaction for its transfer, from its logs, if the chain has not reverted it. Success alone is not a payment: the
 * token must have an event for this amount to this recipient, and a Safe one for the execution of its transaction.
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
