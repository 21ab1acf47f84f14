import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { endOrphanedNonce, insertOrphanedNonces, lockOrphanedNonce } from "#db/queries/transfers/orphaned-nonces.ts";
import { findTransaction, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { saveTransfer } from "#db/queries/transfers/transfers.ts";
import type { EvmBlock, EvmReceipt } from "#domain/evm-chain.ts";
import { findPayments } from "#domain/evm-intent.ts";
import { advanceTransfer, allowsTransfer, type Transfer } from "#domain/transfer.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { correctNetworkFee, takeBackNetworkFees } from "#server/services/ledger/book-network-fee.ts";
import { bookProof } from "#server/services/treasury/book-proof.ts";
import { recordInHistory } from "./record-in-history.ts";

type Ended = "ended" | "paid" | "halted" | "left";

/** Whether that is what paid the transfer, as it is known. */
export function isPaidBy({ state, txHash }: Transfer, { hash }: EvmReceipt): boolean {
  return state === "executed" && txHash === hash;
}

/**
 * The nonce is finally spent. Its new fee replaces the one from the dropped block. `by` is a receipt of ours, or the height at which a
 * foreign transaction spent it. The transfer's row must be locked if there is one.
 */
export async function endTransaction(tx: Database, { chain }: Pass, place: OpenTransaction, by: EvmReceipt | number): Promise<Ended> {
  if (!(await lockOrphanedNonce(tx, place.id))) return "left";
  const now = await readBusinessNow(tx);
  const { transfer, attempts, nonce } = place;
  const receipt = typeof by === "number" ? null : by;
  const blockNumber = typeof by === "number" ? by : by.blockHeight;
  const gone = attempts.flatMap(({ hash }) => (hash === receipt?.hash ? [] : [hash]));
  await takeBackNetworkFees(tx, chain, { transferId: transfer.id, hashes: gone, blockNumber }, now);
  if (receipt !== null) await correctNetworkFee(tx, chain, { transferId: transfer.id, receipt }, now);
  await endOrphanedNonce(tx, place.id);
  const reason = `A reorganisation deeper than the confirmations took away the block in which nonce ${nonce} was spent without a payment; it is spent for good again.`;
  await recordInHistory(tx, transfer, { action: "forfeited", reason, txHash: receipt?.hash ?? null, now });
  return "ended";
}

/**
 * After a reorg, superseded bytes have paid before an empty transfer took their nonce. A transfer that is still queued is paid by
 * them: they are its own bytes, and final. A transfer that was signed again goes no further: it goes under review, and its new
 * nonce is cancelled. That halts the wallet, as does a transfer reported as failed or as paid otherwise: people have to look.
 */
export async function restoreToPaid(
  tx: Database,
  pass: Pass,
  { place, transfer, receipt, block }: { place: OpenTransaction; transfer: Transfer; receipt: EvmReceipt; block: EvmBlock },
): Promise<Ended> {
  const { nonce, walletAddress, walletId } = place;
  const reason = `Transaction ${receipt.hash} at nonce ${nonce} of ${walletAddress} was superseded. A reorg deeper than the confirmations let it through, and it has paid.`;
  const detail = `${reason} ${transfer.id} is ${transfer.state}: nothing else may pay it. Correct manually what was reported about it.`;
  const evidence = { transfer_id: transfer.id, state: transfer.state, nonce, hash: receipt.hash, height: receipt.blockHeight };
  const isQueued = transfer.state === "queued";
  const isPaid = judgeReceipt(transfer, receipt.logs).type === "execute";
  if (!isQueued || !isPaid) {
    const halt = await haltScope(tx, { scope: { kind: "wallet", key: walletId }, cause: "paid_in_vain", detail, evidence });
    // Nobody knows what it did: it stays open, and nothing else is signed for the transfer.
    if (isQueued) return halt === null ? "left" : "halted";
  }
  if ((await endTransaction(tx, pass, place, receipt)) === "left") return "left";
  const now = await readBusinessNow(tx);
  if (isQueued) {
    const places = transfer.tokenAddress === null ? [null] : findPayments(receipt.logs, transfer);
    const payment = { chain: pass.chain, receipt, blockAt: block.at, places };
    await bookProof(tx, transfer, { payment, as: "restore", now, onFinal: pass.engine.onFinal });
    return "paid";
  }
  const standing = await findTransaction(tx, transfer.id);
  const isLoose = standing !== null && standing.id !== place.id && transfer.state !== "mined" && transfer.state !== "failed";
  if (isLoose) await insertOrphanedNonces(tx, [standing.id], now);
  if (allowsTransfer(transfer.state, "review")) await saveTransfer(tx, advanceTransfer(transfer, { type: "review", reason }, now), now);
  return "halted";
}
