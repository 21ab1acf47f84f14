import { readBusinessNow } from "#db/queries/clock.ts";
import { findOwnAttempts, findTransaction, lookAtOnce, type OpenTransaction } from "#db/queries/transactions.ts";
import { findTransfer, saveTransfer, wakeTransfers } from "#db/queries/transfers.ts";
import type { Uses } from "#server/context.ts";
import { refuseUnlessOperator } from "#server/domain/access.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { advanceTransfer, type Transfer, type TransferAction } from "#server/domain/transfer.ts";
import { judgeReceipt } from "#server/domain/transfer-proof.ts";
import { type EvmChain, type EvmReceipt, EvmRejected, Unreachable } from "#server/ports.ts";
import { auditOrder, type Order } from "./audit-order.ts";
import type { OnFinal } from "./engine.ts";
import { holdTransfer, wrongTransferState } from "./hold-transfer.ts";
import { provesNothingMoved } from "./moved-nothing.ts";

/**
 * What an operator found out about a transfer under review: it was paid by that transaction, it was not and never will be paid, or
 * the worker shall look again.
 */
export type Resolution = { outcome: "executed"; txHash: string } | { outcome: "failed"; reason: string } | { outcome: "resume" };

/**
 * Takes a transfer out of review on an operator's word, which the chain must not contradict: "executed" wants a final, successful
 * transaction that shows the payment, "failed" that none of our attempts stands on the chain, or that the one which does provably moved
 * nothing.
 *
 * @throws Refusal `forbidden`, `not_found`, `invalid_state`, `temporarily_unavailable` while a node that must be asked does not answer
 */
export async function resolveReview(
  ctx: Uses<"db" | "evm">,
  command: Order & { transferId: string; resolution: Resolution; onFinal: OnFinal },
): Promise<Transfer> {
  refuseUnlessOperator(command.by.actor, "administer");
  const { resolution } = command;
  const seen = await findTransfer(ctx.db, command.transferId);
  if (seen === null) throw new Refusal("not_found", { detail: "There is no such transfer." });
  if (seen.state !== "needs_review") throw wrongTransferState(seen);
  await askChain(ctx, seen, resolution);
  return await ctx.db.transaction(async (tx) => {
    const transfer = await holdTransfer(tx, command.transferId);
    if (transfer.state !== "needs_review") throw wrongTransferState(transfer);
    const now = await readBusinessNow(tx);
    const after = advanceTransfer(transfer, actionOf(resolution), now);
    await saveTransfer(tx, after, now);
    const change = { owner_id: after.ownerId, review_reason: transfer.reviewReason, ...(after.txHash && { tx_hash: after.txHash }) };
    await auditOrder(tx, command, { action: AUDITED_AS[resolution.outcome], objectId: after.id, change, now });
    if (resolution.outcome === "resume") {
      await lookAtOnce(tx, [after.id]);
      await wakeTransfers(tx);
    } else {
      await command.onFinal(tx, after);
    }
    return after;
  });
}

const AUDITED_AS = { executed: "transfer.resolved_executed", failed: "transfer.resolved_failed", resume: "transfer.resumed" };

function actionOf(resolution: Resolution): TransferAction {
  if (resolution.outcome === "executed") return { type: "resolve_executed", txHash: resolution.txHash.toLowerCase() };
  return resolution.outcome === "failed" ? { type: "resolve_failed", reason: resolution.reason } : { type: "resume" };
}

async function askChain(ctx: Uses<"db" | "evm">, transfer: Transfer, resolution: Resolution): Promise<void> {
  if (resolution.outcome === "resume") return;
  const chain = ctx.evm.find(transfer.chain);
  const transaction = await findTransaction(ctx.db, transfer.id);
  if (chain === null || transaction === null) throw new Error("a transfer under review has no chain or no transaction");
  try {
    if (resolution.outcome === "failed") return await refuseIfPaid(chain, transaction);
    const hash = resolution.txHash.toLowerCase();
    await refuseForeignProof(ctx, transfer, hash);
    await refuseUnlessPaid(chain, transaction, hash);
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof EvmRejected)) throw error;
    throw new Refusal("temporarily_unavailable", { detail: "A node of the chain does not answer.", retryAfterSeconds: 10, cause: error });
  }
}

/** A transaction that this service made for another transfer proves nothing about this one. */
async function refuseForeignProof(ctx: Uses<"db">, transfer: Transfer, hash: string): Promise<void> {
  const owners = await findOwnAttempts(ctx.db, [hash]);
  if (owners.every(({ transferId }) => transferId === transfer.id)) return;
  throw new Refusal("invalid_state", { detail: "That transaction made another transfer's payment." });
}

async function refuseUnlessPaid(chain: EvmChain, transaction: OpenTransaction, hash: string): Promise<void> {
  for (const node of chain.nodes) {
    const receipt = await node.receipt(hash);
    const head = await node.block("latest");
    const depth = receipt && head ? head.height - receipt.blockHeight + 1 : 0;
    if (receipt?.succeeded && depth >= chain.confirmations && shows(transaction, receipt)) continue;
    throw new Refusal("invalid_state", { detail: `${node.name} does not show a final transaction of that hash that made the payment.` });
  }
}

/** One of our own attempts, or (a token's payment) any other transaction in which the token moved that amount to that recipient. */
function shows({ attempts, transfer }: OpenTransaction, receipt: EvmReceipt): boolean {
  if (judgeReceipt(transfer, receipt.logs).type !== "execute") return false;
  if (transfer.tokenAddress !== null && transfer.call === null) return true;
  return attempts.some(({ hash, kind }) => hash === receipt.hash && kind === "payment");
}

/** Every attempt, on every node: reverted or unknown, or it stands there for good and provably moved nothing. */
async function refuseIfPaid(chain: EvmChain, transaction: OpenTransaction): Promise<void> {
  for (const node of chain.nodes) {
    for (const { hash, kind } of transaction.attempts) {
      const receipt = kind === "payment" ? await node.receipt(hash) : null;
      if (!receipt?.succeeded || (await provesNothingMoved(chain, node, transaction, receipt))) continue;
      throw new Refusal("invalid_state", {
        detail: `${hash} stands on the chain, and ${node.name} does not prove that it moved nothing.`,
      });
    }
  }
}
