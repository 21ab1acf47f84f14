import { countSuperseded } from "#db/queries/transfers/superseded-transactions.ts";
import type { OpenTransaction } from "#db/queries/transfers/transactions.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { mayHaveRunOut } from "#domain/evm-fees.ts";
import type { Transfer, TransferAction } from "#domain/transfer.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import type { Pass } from "#server/engines/payments/engine.ts";

/** This many superseded nonces of one payment are not a coincidence: a person looks. */
const MOST_TRIES = 5;

/** The final transaction on the chain decides what happens to the transfer. */
export async function judgeFinal(
  pass: Pass,
  transfer: Transfer,
  transaction: OpenTransaction,
  receipt: EvmReceipt,
): Promise<TransferAction> {
  const attempt = transaction.attempts.find(({ hash }) => hash === receipt.hash);
  if (!attempt) throw new Error("a mined transaction is none of the transfer's attempts");
  if (attempt.kind === "cancellation") return CANCELLED;
  // The call of a packed transaction succeeds whatever the token says: each payment of it is judged by its logs (`endingsOf`).
  if (receipt.succeeded) return judgeReceipt(transfer, receipt.logs);
  const revert = await pass.node.replay(transaction.walletAddress, transaction.intent, receipt.blockHeight);
  const ranOut = revert === null && mayHaveRunOut(receipt.gasUsed, attempt.gasLimit);
  const why = revert?.reason ?? (ranOut ? "It ran out of gas." : "The chain reverted the transaction.");
  // The requester of a deployment got its nonce and the resulting address: it fails, and must be requested again.
  // The payments of a packed transaction are made again, alone, and not it.
  const isOnce = transfer.purpose === "deployment" || transfer.purpose === "pack";
  if ((!ranOut && revert?.treasury !== true) || isOnce) return { type: "fail", reason: why };
  if (transfer.cancelRequestedAt !== null) return CANCELLED;
  const tries = (await countSuperseded(pass.engine.ctx.db, transfer.id)) + 1;
  if (tries >= MOST_TRIES) return { type: "review", reason: `The chain reverted it ${tries} times, the last time so: ${why}` };
  return { type: "retry", reason: `The chain reverted it in block ${receipt.blockHeight}, so it is made again: ${why}` };
}

const CANCELLED: TransferAction = { type: "fail", reason: "An operator cancelled the payment before it was made." };
