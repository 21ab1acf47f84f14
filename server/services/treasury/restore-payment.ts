import { restoredPaymentBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { type Order, type ProposalKind, type Proposed, propose } from "#server/services/proposals/propose.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { auditOrder } from "./audit-order.ts";
import { bookProof } from "./book-proof.ts";
import type { FoundPayment } from "./find-payment.ts";
import { lockExistingTransfer, wrongTransferState } from "./hold-transfer.ts";

type Body = ReturnType<typeof restoredPaymentBody.parse>;

/** A payment that a restored database has lost is booked as made, once two people have said that it is the one. */
export const RESTORED_PAYMENT: ProposalKind<Body, Transfer, object> = {
  kind: "restored_payment",
  isSigned: true,
  permission: "administer",
  schema: restoredPaymentBody,
  show: ({ transfer_id, chain, hash, block_number }) => ({ transfer_id, chain, hash, block_number }),
  carryOut: (ctx, order) => restore(ctx.db, order),
};

/**
 * Proposes that an owed payment was made by a transaction that the database does not know. The chain was asked before: the transaction is final, and
 * proves one payment, for ever.
 *
 * @throws Refusal `forbidden`, `not_found`, `conflict` when that is proposed already, `invalid_state` when the payment is no longer open
 */
export async function restorePayment(
  ctx: Uses<"db" | "mode">,
  command: { by: By; transferId: string; payment: FoundPayment; reason: string },
): Promise<Proposed<Transfer>> {
  const { by, transferId, payment, reason } = command;
  const transfer = await findTransfer(ctx.db, transferId);
  if (transfer === null) throw new Refusal("not_found", { detail: "There is no such transfer." });
  actionOf(transfer);
  const { chain, receipt, blockAt, places } = payment;
  const body: Body = {
    transfer_id: transferId,
    chain: chain.chain,
    native: { currency: chain.native.currency, decimals: chain.native.decimals },
    hash: receipt.hash,
    block_number: receipt.blockHeight,
    block_hash: receipt.blockHash,
    block_at: blockAt.toISOString(),
    places: [...places],
    sender: receipt.sender,
    gas_used: receipt.gasUsed.toString(),
    fee_base: receipt.feeBase.toString(),
  };
  return await propose(ctx, RESTORED_PAYMENT, { by, subject: transferId, body, reason });
}

async function restore(tx: Database, { by, proposer, body, reason }: Order<Body>): Promise<Transfer> {
  const transfer = await lockExistingTransfer(tx, body.transfer_id);
  const block = { hash: body.hash, blockHash: body.block_hash, blockHeight: body.block_number };
  const receipt = { ...block, sender: body.sender, gasUsed: BigInt(body.gas_used), feeBase: BigInt(body.fee_base) };
  const payment = { chain: { chain: body.chain, native: body.native }, receipt, blockAt: new Date(body.block_at), places: body.places };
  const now = await readBusinessNow(tx);
  const after = await bookProof(tx, transfer, { payment, as: actionOf(transfer), now, onFinal: completeOwner });
  const change = { owner_id: after.ownerId, tx_hash: body.hash, asked_by: proposer.id };
  await auditOrder(tx, { by, reason: reason ?? "" }, { action: "transfer.booked_as_paid", objectId: after.id, change, now });
  return after;
}

function actionOf(transfer: Transfer): "restore" | "resolve_executed" {
  if (transfer.state === "queued") return "restore";
  if (transfer.state === "needs_review") return "resolve_executed";
  throw wrongTransferState(transfer);
}
