import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { supersedeTransaction } from "#db/queries/transfers/superseded-transactions.ts";
import { findTransaction, lookAtOnce, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { findTransfer, saveTransfer, wakeTransfers } from "#db/queries/transfers/transfers.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { advanceTransfer, type Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import type { EvmChain } from "#server/ports.ts";
import { bookNetworkFees } from "#server/services/ledger/book-network-fee.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { auditOrder, type Order } from "./audit-order.ts";
import { bookProof } from "./book-proof.ts";
import { findDanger } from "./find-danger.ts";
import { asking, type FoundPayment, findPayment } from "./find-payment.ts";
import { lockExistingTransfer, wrongTransferState } from "./hold-transfer.ts";

/**
 * What an operator decides about a transfer under review: that transaction paid it; nothing did and nothing will, so that it fails or is
 * paid again under another nonce; or the worker looks again.
 */
export type Resolution =
  | { outcome: "executed"; txHash: string }
  | { outcome: "failed"; reason: string }
  | { outcome: "retry" }
  | { outcome: "resume" };

/** The same, once the chain was asked. */
type Finding =
  | { outcome: "executed"; payment: FoundPayment }
  | { outcome: "failed"; reason: string; standing: Standing | null }
  | { outcome: "retry"; standing: Standing | null }
  | { outcome: "resume" };
/** Our own attempts that are final on the chain and paid nothing; null: nothing was ever signed. */
type Standing = { chain: EvmChain; transaction: OpenTransaction; receipts: readonly EvmReceipt[] };

/**
 * Takes a transfer out of review by an operator's decision, which the chain must not contradict. "executed" requires a final, successful
 * transaction that shows the payment and has proved no other. "failed" and "retry" require that on every node something that did not
 * pay has finally used the nonce (or that nothing was ever signed).
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state`, `temporarily_unavailable` while a node that must be asked
 * does not answer
 */
export async function resolveReview(
  ctx: Uses<"db" | "evm" | "clock">,
  command: Order & { transferId: string; resolution: Resolution; onFinal: OnFinal },
): Promise<Transfer> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  const seen = await findTransfer(ctx.db, command.transferId);
  if (seen === null) throw new Refusal("not_found", { detail: "There is no such transfer." });
  if (seen.state !== "needs_review") throw wrongTransferState(seen);
  const finding = await askChain(ctx, seen, command.resolution);
  return await ctx.db.transaction(async (tx) => {
    const transfer = await lockExistingTransfer(tx, command.transferId);
    if (transfer.state !== "needs_review") throw wrongTransferState(transfer);
    const now = await readBusinessNow(tx);
    const after = await move(tx, transfer, { finding, now, onFinal: command.onFinal });
    const left = finding.outcome === "retry" && finding.standing;
    const change = {
      owner_id: after.ownerId,
      review_reason: transfer.reviewReason,
      ...(after.txHash && { tx_hash: after.txHash }),
      ...(left && { nonce: left.transaction.nonce, mined: left.receipts.length }),
    };
    await auditOrder(tx, command, { action: AUDITED_AS[finding.outcome], objectId: after.id, change, now });
    return after;
  });
}

const AUDITED_AS = {
  executed: "transfer.resolved_executed",
  failed: "transfer.resolved_failed",
  retry: "transfer.resolved_retry",
  resume: "transfer.resumed",
};

async function askChain(ctx: Uses<"db" | "evm">, transfer: Transfer, resolution: Resolution): Promise<Finding> {
  if (resolution.outcome === "executed") return { outcome: "executed", payment: await findPayment(ctx, transfer, resolution.txHash) };
  if (resolution.outcome === "failed") return { ...resolution, standing: await refuseWhileItMayBePaid(ctx, transfer) };
  if (resolution.outcome === "retry") {
    refuseUnlessRetryable(transfer);
    return { ...resolution, standing: await refuseWhileItMayBePaid(ctx, transfer) };
  }
  return resolution;
}

/** A deployment's address follows from its nonce, and a filler is a nonce: neither can have another one. */
function refuseUnlessRetryable({ purpose, cancelRequestedAt }: Transfer): void {
  if (purpose === "deployment" || purpose === "filler")
    throw new Refusal("invalid_state", { detail: "A transaction of this kind cannot be made again under another nonce." });
  if (cancelRequestedAt !== null)
    throw new Refusal("invalid_state", {
      detail: "An operator asked to cancel this payment. It can only be closed as paid or as not paid.",
    });
}

type Move = { finding: Finding; now: Date; onFinal: OnFinal };

async function move(tx: Database, transfer: Transfer, { finding, now, onFinal }: Move): Promise<Transfer> {
  if (finding.outcome === "executed") {
    return await bookProof(tx, transfer, { payment: finding.payment, as: "resolve_executed", now, onFinal });
  }
  if (finding.outcome === "resume") {
    const after = advanceTransfer(transfer, { type: "resume" }, now);
    await saveTransfer(tx, after, now);
    await lookAtOnce(tx, [after.id]);
    await wakeTransfers(tx);
    return after;
  }
  const { standing } = finding;
  for (const receipt of standing?.receipts ?? [])
    if (standing) await bookNetworkFees(tx, standing.chain, [{ transferId: transfer.id, receipt }], now);
  if (finding.outcome === "retry") {
    const queued = advanceTransfer(transfer, { type: "resolve_retry", reason: "An operator had it paid again." }, now);
    await saveTransfer(tx, queued, now);
    if (standing) await supersedeTransaction(tx, queued.id, now);
    await wakeTransfers(tx);
    return queued;
  }
  const after = advanceTransfer(transfer, { type: "resolve_failed", reason: finding.reason }, now);
  await saveTransfer(tx, after, now);
  await onFinal(tx, [after]);
  return after;
}

async function refuseWhileItMayBePaid(ctx: Uses<"db" | "evm">, transfer: Transfer): Promise<Standing | null> {
  const transaction = await findTransaction(ctx.db, transfer.id);
  if (transaction === null || transaction.attempts.length === 0) return null; // nothing was ever signed: nothing can be mined
  const chain = ctx.evm.find(transfer.chain);
  if (chain === null) throw new Refusal("invalid_state", { detail: `${transfer.chain} is no longer configured.` });
  const receipts = new Map<string, EvmReceipt>();
  for (const node of chain.nodes) {
    const fault = await asking(() => findDanger(chain, node, transaction));
    if (fault !== null) throw new Refusal("invalid_state", { detail: fault });
    for (const { hash } of transaction.attempts) {
      const receipt = await asking(() => node.receipt(hash));
      if (receipt !== null) receipts.set(hash, receipt);
    }
  }
  return { chain, transaction, receipts: [...receipts.values()] };
}
