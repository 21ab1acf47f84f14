import { transferResolutionBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { hasLapsingAttemptThatMayPay } from "#db/queries/transfers/lapsing-attempts.ts";
import { listMembers, listMemberships } from "#db/queries/transfers/pack-members.ts";
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
import { type Order, type ProposalKind, propose } from "#server/services/proposals/propose.ts";
import { endMembers, freed } from "#server/services/transfers/end-members.ts";
import { findDanger } from "#server/services/transfers/find-danger.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { showPayment } from "#server/services/transfers/show-payment.ts";
import { auditOrder, type TreasuryOrder } from "./audit-order.ts";
import { bookProof } from "./book-proof.ts";
import { findLapsingPayment } from "./find-lapsing-payment.ts";
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

type Body = ReturnType<typeof transferResolutionBody.parse>;

/** The decision, once the chain was asked. */
type Finding =
  | { outcome: "executed"; payment: FoundPayment }
  | { outcome: "failed"; reason: string; standing: Standing | null }
  | { outcome: "retry"; standing: Standing | null };
/** Our own attempts that are final on the chain and paid nothing; null: nothing was ever signed. */
type Standing = { chain: EvmChain; transaction: OpenTransaction; receipts: readonly EvmReceipt[] };

/** In live mode two people decide what became of a payment under review. */
export const transferResolution = (onFinal: OnFinal): ProposalKind<Body, Transfer, Uses<"evm" | "lapsing">, Finding> => ({
  kind: "transfer_resolution",
  permission: "administer",
  schema: transferResolutionBody,
  show: (body) => body,
  prepare: askChain,
  carryOut: (ctx, order, finding) => decide(ctx.db, order, finding, onFinal),
});

/**
 * Takes a transfer out of review by an operator's decision, which the chain must not contradict. "executed" requires a final, successful
 * transaction that shows the payment and has proved no other. "failed" and "retry" require that on every node something that did not
 * pay has finally used the nonce (or that nothing was ever signed). In live mode a second person confirms these three, and the chain is
 * asked again then.
 *
 * @returns null while it waits for the second person
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state`, `conflict` when something is proposed already,
 * `temporarily_unavailable` while a node that must be asked does not answer
 */
export async function resolveReview(
  ctx: Uses<"db" | "evm" | "lapsing" | "clock" | "mode">,
  command: TreasuryOrder & { transferId: string; resolution: Resolution; onFinal: OnFinal },
): Promise<Transfer | null> {
  const { by, reason, transferId, resolution, onFinal } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  if (resolution.outcome === "resume") return await resume(ctx, command);
  const transfer = await findTransfer(ctx.db, transferId);
  if (transfer === null) throw new Refusal("not_found", { detail: "There is no such transfer." });
  const body = {
    ...showPayment(transfer),
    outcome: resolution.outcome,
    tx_hash: resolution.outcome === "executed" ? resolution.txHash : null,
    failure_reason: resolution.outcome === "failed" ? resolution.reason : null,
  };
  return (await propose(ctx, transferResolution(onFinal), { by, subject: transferId, body, reason })).result;
}

/** Nothing is signed, and what comes back is the same: one person suffices. */
async function resume(ctx: Uses<"db">, command: TreasuryOrder & { transferId: string }): Promise<Transfer> {
  return await ctx.db.transaction(async (tx) => {
    const transfer = await lockReviewed(tx, command.transferId);
    // The worker follows transactions: how the packed one ended is known.
    if ((await listMemberships(tx, [transfer.id])).length > 0 && (await findTransaction(tx, transfer.id)) === null)
      throw new Refusal("invalid_state", { detail: "Its packed transaction is over. Say that a transaction paid it, or that none did." });
    const now = await readBusinessNow(tx);
    const after = advanceTransfer(transfer, { type: "resume" }, now);
    await saveTransfer(tx, after, now);
    await lookAtOnce(tx, [after.id]);
    await wakeTransfers(tx);
    const change = { owner_id: after.ownerId, review_reason: transfer.reviewReason };
    await auditOrder(tx, command, { action: "transfer.resumed", objectId: after.id, change, now });
    return after;
  });
}

async function lockReviewed(tx: Database, id: string): Promise<Transfer> {
  const transfer = await lockExistingTransfer(tx, id);
  if (transfer.state !== "needs_review") throw wrongTransferState(transfer);
  return transfer;
}

async function decide(tx: Database, order: Order<Body>, finding: Finding, onFinal: OnFinal): Promise<Transfer> {
  const { by, proposer, reason, body } = order;
  const transfer = await lockReviewed(tx, body.transfer_id);
  const now = await readBusinessNow(tx);
  const after = await move(tx, transfer, { finding, now, onFinal });
  const left = finding.outcome === "retry" && finding.standing;
  const change = {
    owner_id: after.ownerId,
    review_reason: transfer.reviewReason,
    asked_by: proposer.id,
    ...(after.txHash && { tx_hash: after.txHash }),
    ...(left && { nonce: left.transaction.nonce, mined: left.receipts.length }),
  };
  const action = `transfer.resolved_${finding.outcome}`;
  await auditOrder(tx, { by, reason: reason ?? "" }, { action, objectId: after.id, change, now });
  return after;
}

async function askChain(ctx: Uses<"db" | "evm" | "lapsing">, body: Body): Promise<Finding> {
  const { transfer_id: id, outcome, tx_hash: txHash, failure_reason: reason } = body;
  const transfer = await findTransfer(ctx.db, id);
  if (transfer === null) throw new Refusal("not_found", { detail: "There is no such transfer." });
  if (transfer.state !== "needs_review") throw wrongTransferState(transfer);
  if (transfer.purpose === "pack" && outcome !== "failed")
    throw new Refusal("invalid_state", { detail: "A packed transaction ends by the logs of its payments: have the worker look again." });
  const lapsing = ctx.lapsing.find(transfer.chain);
  if (outcome === "executed" && lapsing !== null)
    return { outcome, payment: await findLapsingPayment(ctx, lapsing, transfer, txHash ?? "") };
  if (outcome === "executed") return { outcome, payment: await findPayment(ctx, transfer, txHash ?? "") };
  if (outcome === "retry") refuseUnlessRetryable(transfer);
  const standing = await refuseWhileItMayBePaid(ctx, transfer);
  return outcome === "retry" ? { outcome, standing } : { outcome, standing, reason: reason ?? "" };
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
  if (transfer.purpose === "pack") await endMembers(tx, freed(await listMembers(tx, [transfer.id]), finding.reason), now);
  await onFinal(tx, [after]);
  return after;
}

async function refuseWhileItMayBePaid(ctx: Uses<"db" | "evm">, transfer: Transfer): Promise<Standing | null> {
  const own = await findTransaction(ctx.db, transfer.id);
  const packed = own === null ? await packOf(ctx.db, transfer.id) : null;
  const transaction = own ?? packed;
  if (await hasLapsingAttemptThatMayPay(ctx.db, transfer.id))
    throw new Refusal("invalid_state", {
      detail: "A signed payment of it is on the chain, or may still get there: wait until it has ended.",
    });
  if (transaction === null || transaction.attempts.length === 0) return null; // nothing was ever signed: nothing can be mined
  const chain = ctx.evm.find(transfer.chain);
  if (chain === null) throw new Refusal("invalid_state", { detail: `${transfer.chain} is no longer configured.` });
  const receipts = new Map<string, EvmReceipt>();
  for (const node of chain.nodes) {
    const danger = await asking(() => findDanger(chain, node, transaction, packed === null ? null : transfer));
    if (danger !== null) throw new Refusal("invalid_state", { detail: danger.detail });
    for (const { hash } of transaction.attempts) {
      const receipt = await asking(() => node.receipt(hash));
      if (receipt !== null) receipts.set(hash, receipt);
    }
  }
  // What a packed transaction cost, and how its nonce ended, is its own.
  return packed === null ? { chain, transaction, receipts: [...receipts.values()] } : null;
}

/** The packed transaction that was to make the payment; null: none was. */
async function packOf(db: Database, transferId: string): Promise<OpenTransaction | null> {
  const [member] = await listMemberships(db, [transferId]);
  return member === undefined ? null : await findTransaction(db, member.packId);
}
